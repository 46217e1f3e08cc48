"""How often a program wakes up while nothing happens."""

import contextlib
import subprocess
import time

from measuring import observers
from measuring.figures import Figure
from measuring.processes import running, wakeups
from measuring.quiet import until_quiet
from measuring.server import on, server
from measuring.table import Row
from measuring.windows import windows

ABOUT = "wake-ups while nothing happens"


def measure(bench):
    seconds = bench.choose(20, 600)
    commands = {"xphase": [bench.xphase, "watch"], "devilspie2": observers.devilspie2().command}
    with contextlib.ExitStack() as stack:
        display = stack.enter_context(server())
        stack.enter_context(windows(display, 100))
        quiet = {"env": on(display), "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        processes = {
            name: stack.enter_context(running(command, **quiet)) for name, command in commands.items()
        }
        for process in processes.values():
            until_quiet(process)
        before = {name: wakeups(process.pid) for name, process in processes.items()}
        time.sleep(seconds)
        figures = {
            name: Figure([wakeups(process.pid) - before[name]], "") for name, process in processes.items()
        }
    row = Row(f"wake-ups in {seconds} s", figures.pop("xphase"), figures)
    row.no_more_than(0)
    yield row
