"""Instructions per line that reports a focus change, counted by callgrind."""

import contextlib
import tempfile

from measuring import channels, observers
from measuring.callgrind import total, under_callgrind
from measuring.figures import Figure
from measuring.focus import follow
from measuring.peers import split_by_availability
from measuring.server import server
from measuring.table import Row
from measuring.windows import windows

ABOUT = "instructions per line that reports a focus change"
# Microseconds. By then an observer sleeps again, though valgrind makes it fifty times slower.
GAP = 4000


def measure(bench):
    changes = bench.choose(100, 1000)
    xphase, of_one = observers.xphase(bench), observers.xphase_of_one(bench)
    settled = observers.xphase_settled(bench)
    there, missing = split_by_availability([observers.c_read(), *observers.peers()])
    with tempfile.TemporaryDirectory() as folder:
        # One after the other: a server that shares its core writes its events in other portions.
        ours, one, filed, slow, *theirs = [
            cost(f"{folder}/{number}", observer, changes, channel)
            for number, (observer, channel) in enumerate(
                [(xphase, channels.pipe), (of_one, channels.pipe), (xphase, channels.File)]
                + [(settled, channels.pipe)]
                + [(peer, channels.pipe) for peer in there]
            )
        ]
    per_line = {peer.name: whole(each.line) for peer, each in zip(there, theirs, strict=True)}
    what = "instructions per line of a focus change, JSON to a pipe, `--settle 0`"
    row = Row(what, whole(ours.line), per_line | missing)
    row.also = {
        "per line and change with `--application Alpha`": whole(one.line),
        "per line to a file": whole(filed.line),
    }
    row.at_most(1, "xprop -spy")
    yield row
    row = Row("the same with the default settle time", whole(slow.line), per_line | missing)
    row.at_most(1, "xprop -spy")
    yield row
    for settle, each in {"`--settle 0`": ours, "the default settle time": slow}.items():
        what = f"instructions per focus change, of {each.lines:g} lines of JSON, {settle}"
        row = Row(what, whole(each.change))
        row.no_more_than(20_000)
        yield row


class Cost:
    """The cost of one more change: that of 2 N changes less that of N, so that the start cancels out."""

    def __init__(self, changes, once, twice):
        instructions, lines = (more - less for more, less in zip(twice, once, strict=True))
        self.change = instructions / changes
        self.line = instructions / lines
        self.lines = lines / changes


def cost(profile, observer, changes, channel, others=0):
    """Returns the cost of a change among this many other windows."""
    return Cost(
        changes,
        *(counted(f"{profile}.{times}", observer, times * changes, channel(), others) for times in (1, 2)),
    )


def counted(profile, observer, changes, channel, others):
    """Returns the instructions of a whole run, and the number of lines for its changes."""
    command = under_callgrind(profile, observer.command)
    with server() as display, windows(display, others) if others else contextlib.nullcontext():
        reported = follow(display, observer, "set", changes, gap=GAP, command=command, channel=channel)
    return total(profile), reported.lines


def whole(value):
    return Figure([round(value)], "")
