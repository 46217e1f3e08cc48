"""The time that whole programs take."""

import subprocess

from measuring.failure import Failure
from measuring.figures import of_samples
from measuring.programs import program
from measuring.server import on


def timed(display, until, peers, rounds, times):
    """A figure in ms for each peer by name: until its first `line` or its `end`, or its own `cpu`.

    Each runs so many `times` a round.
    """
    samples = {peer.name: [] for peer in peers}
    for _ in range(rounds):
        for peer in peers:
            samples[peer.name].append(once(display, until, times, peer.command))
    return {name: of_samples(values, "ms") for name, values in samples.items()}


def once(display, until, times, command):
    """So many times in ms, one after the other."""
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
