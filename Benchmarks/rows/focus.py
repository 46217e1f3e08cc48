"""The time from a focus change to the line that reports it, on one core."""

import contextlib
import os

from measuring import observers
from measuring.figures import of_samples
from measuring.focus import follow
from measuring.managers import openbox
from measuring.peers import split_by_availability
from measuring.server import server
from measuring.table import Row

ABOUT = "focus change to line, without a window manager and under openbox"


def measure(bench):
    row = row_of(bench, "focus change to line, no window manager", "set", observers.peers())
    row.at_most(1.15, "C, FocusIn, no read")
    yield row
    row = row_of(bench, "the same under openbox, focus set by a client", "take", observers.peers())
    row.at_most(0.5, "xprop -spy")
    yield row
    row = row_of(bench, "focus named by _NET_ACTIVE_WINDOW, kept by the manager", "name", [observers.xprop()])
    row.at_most(1.15, "C, one read")
    yield row
    yield row_of(bench, "the same under openbox, which is asked to move it", "ask", [observers.xprop()])


def manager(way, display, core):
    return openbox(display, core) if way in ("take", "ask") else contextlib.nullcontext()


def row_of(bench, what, way, peers):
    # Where a window manager keeps the focus, no focus events arrive.
    c_programs = [observers.c_read(), *([] if way == "name" else [observers.c_event()])]
    there, missing = split_by_availability([observers.xphase(bench), *c_programs, *peers])
    # The number of changes for one observer in one round.
    changes = bench.choose(100, 200)
    core = max(os.sched_getaffinity(0))
    samples = {observer.name: [] for observer in there}
    with server(core) as display, manager(way, display, core):
        for _ in range(bench.choose(3, 15)):
            for observer in there:
                samples[observer.name].append(follow(display, observer, way, changes, core).times)
    figures = {name: of_samples(rounds, "µs") for name, rounds in samples.items()}
    what = f"{what}, `--settle 0`, one core"
    return Row(what, figures.pop("xphase"), figures | missing | observers.NOT_IN_DEBIAN)
