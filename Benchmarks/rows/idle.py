"""The wake-ups of a program while nothing happens."""

import contextlib
import subprocess
import time

from measuring import observers
from measuring.figures import Figure
from measuring.home import TWENTY_HOOKS, home
from measuring.peers import Peer, split_by_availability
from measuring.processes import running, wakeups
from measuring.quiet import until_quiet
from measuring.server import on, server
from measuring.subscribers import subscribers
from measuring.table import Row
from measuring.windows import windows

ABOUT = "wake-ups while nothing happens, xphase with 20 hooks"


def measure(bench):
    what = f"wake-ups in {seconds(bench)} s, 100 windows, 20 hooks"
    run = Peer("xphase", [bench.xphase, "run"])
    yield row(bench, what, *split_by_availability([run, observers.devilspie2()]))
    run = Peer("xphase", [*run.command, "--occlusion", "2s", "--idle", "1h"])
    yield row(bench, "the same with `--occlusion 2s --idle 1h`", [run], {})
    run = Peer("xphase", [bench.xphase, "run"])
    yield row(bench, "the same with 100 subscribers", [run], {}, 100)


def seconds(bench):
    return bench.choose(20, 600)


def row(bench, what, there, missing, count=0):
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with server() as display, windows(display, 100), home(
        TWENTY_HOOKS
    ) as places, contextlib.ExitStack() as stack:
        environment = on(display, **places)
        started = {
            peer.name: stack.enter_context(running(peer.command, env=environment, **quiet)) for peer in there
        }
        stack.enter_context(subscribers(count, display, places))
        for process in started.values():
            until_quiet(process)
        before = {name: wakeups(process.pid) for name, process in started.items()}
        time.sleep(seconds(bench))
        figures = {
            name: Figure([wakeups(process.pid) - before[name]], "") for name, process in started.items()
        }
    row = Row(what, figures.pop("xphase"), figures | missing)
    row.no_more_than(0)
    return row
