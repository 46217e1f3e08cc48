"""Resident memory that grows with what has happened."""

from measuring import observers
from measuring.figures import Figure
from measuring.peers import sorted_out
from measuring.quiet import until_quiet
from measuring.storm import storm
from measuring.table import Row

ABOUT = "resident memory after so many events of all kinds, against after the first 10 000"
FIRST = 10_000


def measure(bench):
    events = bench.choose(100_000, 1_000_000)
    there, missing = sorted_out([observers.xphase(bench)])
    with storm(there, "all") as weather:
        before = after(weather, FIRST)
        grown = {
            name: Figure([mb - before[name]], "MB") for name, mb in after(weather, events - FIRST).items()
        }
    row = Row(f"memory more after {events} events than after {FIRST}", grown.pop("xphase"), grown | missing)
    row.no_more_than(0)
    yield row


def after(weather, events):
    for _ in range(events // FIRST):
        weather.pass_by(FIRST)
        for each in weather.watched.values():
            each.lines.clear()
    for each in weather.watched.values():
        until_quiet(each.process)
    return {name: each.resident() for name, each in weather.watched.items()}
