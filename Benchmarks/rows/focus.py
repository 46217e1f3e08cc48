"""The time from a focus change to the line that tells of it, on one core."""

import contextlib
import os

from measuring import observers
from measuring.failure import Failure
from measuring.figures import of_samples
from measuring.focus import follow
from measuring.managers import openbox
from measuring.server import server
from measuring.table import Row

ABOUT = "focus change to line, without a window manager and under openbox"
XTITLE = "xtitle -s"


def measure(bench):
    floors = [observers.c_read(), observers.c_event()]
    bare = times(bench, "set", [*floors, *observers.peers()])
    row = Row("focus change to line, no window manager", bare.pop("xphase"), bare)
    row.at_most(1.10, "C, one read")
    yield row

    taken = times(bench, "take", [*floors, *observers.peers()])
    row = Row("the same under openbox, focus set by a client", taken.pop("xphase"), taken)
    row.at_most(0.5, "xprop -spy")
    yield row

    asked = times(bench, "ask", [*floors, observers.xprop()])
    yield Row("the same under openbox, which is asked for it", asked.pop("xphase"), asked)


def times(bench, way, others):
    """A figure for each observer, by its name."""
    core = max(os.sched_getaffinity(0))
    all_observers = [observers.xphase(bench), *others]
    samples = {observer.name: [] for observer in all_observers}
    with server(core) as display, contextlib.nullcontext() if way == "set" else openbox(display, core):
        for _ in range(bench.choose(3, 15)):
            for observer in all_observers:
                samples[observer.name].append(follow(display, observer, way, 200, core))
    return {name: of_samples(rounds, "µs") for name, rounds in samples.items()}
