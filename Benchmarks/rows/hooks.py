"""The time from a focus change to the first act of the hook that it runs, on one core."""

import os
import tempfile

from measuring import channels
from measuring.figures import of_samples
from measuring.focus import follow
from measuring.home import home
from measuring.observers import PHASE_WORDS, Observer
from measuring.programs import program
from measuring.server import server
from measuring.table import Row

ABOUT = "focus change to a hook's first act, beside posix_spawn and system(3) in C"
HOOK = """
[[hook]]
name = "report"
application = "*"
to = "active"
initial = true
run = ["{hook}", "{fifo}"]
"""
# Microseconds. By then the previous hook has been waited for.
GAP = 5000


def measure(bench):
    core = max(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        fifo = f"{folder}/output"
        with home(HOOK.format(hook=program("hook"), fifo=fifo)) as places, server(core) as display:
            everyone = observers(bench, fifo, places)
            samples = {observer.name: [] for observer in everyone}
            for _ in range(bench.choose(3, 10)):
                for observer in everyone:
                    lines = channels.fifo(fifo)
                    reported = follow(display, observer, "set", 100, core, GAP, channel=lines)
                    samples[observer.name].append(reported.times)
    figures = {name: of_samples(rounds, "µs") for name, rounds in samples.items()}
    row = Row("focus change to a hook's first act, `--settle 0`, one core", figures.pop("xphase"), figures)
    row.at_most(1.1, "C, posix_spawn")
    yield row


def observers(bench, fifo, places):
    """Returns xphase, and C programs that run the same hook; see spawn.c."""
    spawn, hook = program("spawn"), program("hook")
    return [
        Observer("xphase", [bench.xphase, "run", "--settle", "0"], words=PHASE_WORDS, environment=places),
        Observer("C, posix_spawn", [spawn, "posix", hook, fifo], words=["%w"]),
        Observer("C, system(3)", [spawn, "system", hook, fifo], words=["%w"]),
    ]
