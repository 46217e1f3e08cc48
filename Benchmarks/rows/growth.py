"""The growth of memory over many events.

Measures anonymous memory, since about a megabyte of the program's pages comes and goes with the load of the machine.
"""

from measuring import observers
from measuring.figures import Figure, number
from measuring.quiet import until_quiet
from measuring.storm import storm
from measuring.table import Row

ABOUT = "growth of anonymous memory after events of all kinds, against the first 10 000"
FIRST = 10_000
# The number of events that are made at once.
BURST = 1000
# MB: two of the steps in which malloc requests memory from the kernel. Less cannot be distinguished from no growth.
NONE = 0.25


def measure(bench):
    events = bench.choose(100_000, 1_000_000)
    with storm([observers.xphase(bench)], "all") as storm_run:
        # Half of the first events are queued at once, so that no later queue is larger. xphase frees the memory of a
        # storm afterwards, including the room that everyday bursts use again. So some bursts precede the first
        # measurement.
        after(storm_run, storm_run.make_while_stopped, FIRST // 2)
        before = after(storm_run, storm_run.make_while_running, FIRST // 2)
        grown = after(storm_run, storm_run.make_while_running, events - FIRST) - before
    what = f"growth of anonymous memory (RssAnon), {number(events)} events against {number(FIRST)}, `--settle 0`"
    row = Row(what, Figure([grown], "MB"))
    row.no_more_than(NONE)
    yield row


def after(storm_run, pass_events, count):
    """Returns the anonymous memory of the one observer in MB, once it is idle after this many more events."""
    (watched,) = storm_run.watched.values()
    for _ in range(count // BURST):
        pass_events(BURST)
        watched.lines.clear()
    until_quiet(watched.process)
    return watched.resident("RssAnon")
