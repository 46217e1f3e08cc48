"""The run times of programs."""

import subprocess

from measuring.failure import Failure
from measuring.figures import of_samples
from measuring.programs import program
from measuring.server import on


def timed(display, until, peers, rounds, times):
    """Returns a figure in ms for each peer by name: the time until its first `line` or its `end`, or its `cpu` time.

    Each peer runs `times` times per round.
    """
    samples = {peer.name: [] for peer in peers}
    for _ in range(rounds):
        for peer in peers:
            samples[peer.name].append(once(display, until, times, peer.command))
    return {name: of_samples(values, "ms") for name, values in samples.items()}


def once(display, until, times, command):
    """Runs a command `times` times in sequence, and returns the time of each run in ms."""
    done = subprocess.run(
        [program("timed"), until, str(times), *command],
        env=on(display),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)} could not be timed")
    return [float(line) / 1000 for line in done.stdout.split()]
