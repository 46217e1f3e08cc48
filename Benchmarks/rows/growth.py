"""Memory that grows with what has happened.

Of no file: pages of the program come and go with what else the machine does, a megabyte of them.
"""

from measuring import observers
from measuring.figures import Figure, number
from measuring.quiet import until_quiet
from measuring.storm import storm
from measuring.table import Row

ABOUT = "memory of no file after events of all kinds, against after the first 10 000"
FIRST = 10_000
# How many are made at once.
BURST = 1000
# MB, two of the steps in which malloc takes memory from the kernel: less is not told from none.
NONE = 0.25


def measure(bench):
    events = bench.choose(100_000, 1_000_000)
    with storm([observers.xphase(bench)], "all") as storm_run:
        # Half of them wait at once, so that nothing is larger later. What a storm took is given back behind it, the room
        # that everyday bursts use again included, so that some of these come before the measure is taken.
        after(storm_run, storm_run.make_while_stopped, FIRST // 2)
        before = after(storm_run, storm_run.make_while_running, FIRST // 2)
        grown = after(storm_run, storm_run.make_while_running, events - FIRST) - before
    what = f"memory of no file (RssAnon) more after {number(events)} events than after {number(FIRST)}, `--settle 0`"
    row = Row(what, Figure([grown], "MB"))
    row.no_more_than(NONE)
    yield row


def after(storm_run, pass_events, count):
    """MB of the one observer once it has come to rest after so many more events."""
    (watched,) = storm_run.watched.values()
    for _ in range(count // BURST):
        pass_events(BURST)
        watched.lines.clear()
    until_quiet(watched.process)
    return watched.resident("RssAnon")
