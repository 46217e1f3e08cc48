"""A storm of windows that are unmapped and mapped again."""

import json
import os
import time

from measuring import observers
from measuring.figures import Figure, number
from measuring.observers import Observer
from measuring.peers import split_by_availability
from measuring.programs import program
from measuring.quiet import until_quiet
from measuring.storm import APPLICATIONS, storm
from measuring.table import Row

ABOUT = "100 000 unmappings and mappings: speed, end state, memory"
FIRST, EVENTS = 1000, 100_000
# MB. This many changes make about 250 000 events, which need 56 MB in Xlib's queue.
AT_PEAK, AFTERWARDS = 8.0, 1.0
SAME_EVENTS = "C, the same events"


def measure(bench):
    there, missing = split_by_availability(everyone(bench))
    cores = sorted(os.sched_getaffinity(0))
    with storm(there, "maps", (cores[-1], cores[0])) as storm_run:
        # Excludes memory that a program allocates once from the cost of a storm.
        storm_run.make_while_running(FIRST)
        before = memory(storm_run, "VmRSS")
        storm_run.make_while_running(EVENTS)
        passing = growth(storm_run, before)
        rounds = [storm_run.make_while_stopped(EVENTS) for _ in range(bench.choose(3, 7))]
        waiting = growth(storm_run, before)
        left = remainder(storm_run, before)
        right = right_ones(storm_run.watched["xphase"], [FIRST, *[EVENTS] * (1 + len(rounds))])

    rates = {
        peer.name: Figure([EVENTS / 1e6 / times[peer.name] for times in rounds], "M/s") for peer in there
    }
    what = f"unmappings and mappings handled per second, {number(EVENTS)} queued, `--settle 0`"
    row = Row(what, rates.pop("xphase"), rates | missing)
    row.at_least(0.7, SAME_EVENTS)
    yield row

    row = Row(f"applications of {APPLICATIONS} whose last line is right afterwards", Figure([right], ""))
    row.exactly(APPLICATIONS)
    yield row

    yield in_passing(bench, cores)

    what = "growth of peak memory"
    yield Row(f"{what}, {number(EVENTS)} handled as they arrive", passing.pop("xphase"), passing | missing)
    row = Row(f"{what}, {number(EVENTS)} queued", waiting.pop("xphase"), waiting | missing)
    row.no_more_than(AT_PEAK)
    yield row
    row = Row("growth of memory after the storm", left.pop("xphase"), left | missing)
    row.no_more_than(AFTERWARDS)
    yield row


def in_passing(bench, cores):
    """Returns the row of the time from the first event to the line after the last, with one observer at a time."""
    there, missing = split_by_availability(everyone(bench))
    rounds = {peer.name: [] for peer in there}
    for _ in range(bench.choose(3, 7)):
        for peer in there:
            with storm([peer], "maps", (cores[-1], cores[0])) as storm_run:
                storm_run.make_while_running(FIRST)
                start = time.monotonic()
                storm_run.make_while_running(EVENTS)
                rounds[peer.name].append(time.monotonic() - start)
    seconds = {name: Figure(values, "s") for name, values in rounds.items()}
    what = f"{number(EVENTS)} unmappings and mappings, to the line after them, `--settle 0`"
    row = Row(what, seconds.pop("xphase"), seconds | missing)
    row.at_most(1, "xev -root")
    return row


def everyone(bench):
    reader = program("storm-reader")
    xev = ["xev", "-root", "-event", "substructure", "-event", "property"]
    return [
        observers.xphase(bench),
        Observer("C, one event of each", [reader], words=["%w"]),
        Observer(SAME_EVENTS, [reader, "all"], words=["%w"]),
        Observer("xev -root", xev, "x11-utils", ["(_NET_ACTIVE_WINDOW)"]),
    ]


def memory(storm_run, kind):
    return {name: each.resident(kind) for name, each in storm_run.watched.items()}


def growth(storm_run, before):
    return {name: Figure([peak - before[name]], "MB") for name, peak in memory(storm_run, "VmHWM").items()}


def remainder(storm_run, before):
    for each in storm_run.watched.values():
        until_quiet(each.process)
    return {name: Figure([now - before[name]], "MB") for name, now in memory(storm_run, "VmRSS").items()}


def right_ones(watched, storms):
    """Returns the number of applications whose last line is right after storms of these sizes."""
    until_quiet(watched.process)
    reported = {line["application"]: line["to"] for line in map(json.loads, watched.lines.text().splitlines())}
    toggles = [
        sum(len(range(place, events, APPLICATIONS)) for events in storms) for place in range(APPLICATIONS)
    ]
    # Without a window manager, an unmapped window is closed.
    phases = [None if times % 2 else "inactive" for times in toggles]
    return sum(reported[f"App{place}"] == phase for place, phase in enumerate(phases))
