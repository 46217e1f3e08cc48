"""The time that whole programs take."""

import subprocess

from measuring.failure import Failure
from measuring.figures import of_samples
from measuring.processes import everything_on
from measuring.programs import program
from measuring.server import on


def timed(display, until, commands, rounds, times, core=None):
    """A figure in ms for each command by name: until its first `line` or its `end`, so many times a round."""
    samples = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            samples[name].append(once(display, until, times, command, core))
    return {name: of_samples(values, "ms") for name, values in samples.items()}


def once(display, until, times, command, core=None):
    done = subprocess.run(
        [program("timed"), until, str(times), *command],
        env=on(display),
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=everything_on(core),
        check=False,
    )
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)} could not be timed")
    return [float(line) / 1000 for line in done.stdout.split()]
