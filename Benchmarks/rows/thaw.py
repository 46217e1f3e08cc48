"""The time from the request to show a frozen program until it runs again, on one core."""

import os
import subprocess

from measuring import channels
from measuring.failure import Failure
from measuring.figures import of_samples
from measuring.home import home
from measuring.managers import openbox
from measuring.processes import running
from measuring.programs import program
from measuring.server import on, server
from measuring.table import Row

ABOUT = "request for a frozen program until it runs again, beside select(2) and kill(2) in C"
HOOK = """
[[hook]]
name = "sleep"
application = "Sleeper"
while = "background"
do = ["freeze"]
except = "none"
"""
WAYS = {
    "ask": "request to activate a frozen window to its process running",
    "map": "the same, by mapping its window",
}
# Seconds.
DEADLINE = 60


def measure(bench):
    core = max(os.sched_getaffinity(0))
    with home(HOOK) as places, server(core) as display, openbox(display, core):
        for way, what in WAYS.items():
            samples = {"xphase": [], "C, kill(2)": []}
            for _ in range(bench.choose(2, 5)):
                for name, rounds in samples.items():
                    command = [bench.xphase, "run", "--settle", "0", "--json"] if name == "xphase" else None
                    rounds.append(times(display, core, way, bench.choose(10, 25), command, places))
            figures = {name: of_samples(rounds, "µs") for name, rounds in samples.items()}
            yield Row(f"{what}, `--settle 0`, one core", figures.pop("xphase"), figures)


def times(display, core, way, count, command, places):
    """Returns the microseconds of each thaw, by xphase if `command` is given, else by the C program."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with running([program("thaw-driver"), str(count), way], core, env=on(display), **pipes) as driver:
        window = driver.stdout.readline().split()
        with channels.File() as lines, running(
            command or [program("thaw"), *window],
            core,
            env=on(display, **places),
            stdout=lines.writing,
            stderr=subprocess.DEVNULL,
        ):
            lines.wait(['"Sleeper"', '"application"'] if command else ["ready"], DEADLINE)
            driver.stdin.write("other\n" if command else "self\n")
            driver.stdin.flush()
            reported = driver.stdout.read().split()
    if len(reported) != count:
        raise Failure(f"{len(reported)} of {count} thaws happened")
    return [float(time) for time in reported]
