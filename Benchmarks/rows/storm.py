"""A storm of windows that are unmapped and mapped again."""

import json
import os

from measuring import observers
from measuring.figures import Figure
from measuring.observers import Observer
from measuring.peers import sorted_out
from measuring.programs import program
from measuring.quiet import until_quiet
from measuring.storm import APPLICATIONS, storm
from measuring.table import Row

ABOUT = "100 000 unmappings and mappings: how fast they are taken in, the end state, memory"
EVENTS = 100_000
SAME_EVENTS = "C, the same events"


def measure(bench):
    there, missing = sorted_out(everyone(bench))
    cores = sorted(os.sched_getaffinity(0))
    with storm(there, "maps", (cores[-1], cores[0])) as weather:
        # What a program needs once is not what a storm costs.
        weather.pass_by(1000)
        before = memory(weather, "VmRSS")
        weather.pass_by(EVENTS)
        in_passing = growth(weather, before)
        rounds = [weather.pass_at_once(EVENTS) for _ in range(bench.choose(3, 7))]
        at_once = growth(weather, before)
        for each in weather.watched.values():
            until_quiet(each.process)
        right = right_ones(weather.watched["xphase"].lines.text(), [1000, *[EVENTS] * (1 + len(rounds))])

    rates = {
        peer.name: Figure([EVENTS / times[peer.name] / 1e6 for times in rounds], "M/s") for peer in there
    }
    row = Row(
        "unmappings and mappings taken in, 100 000 waiting, `--settle 0`",
        rates.pop("xphase"),
        rates | missing,
    )
    row.at_least(0.7, SAME_EVENTS)
    yield row

    row = Row(f"applications of {APPLICATIONS} whose last line is right after it", Figure([right], ""))
    row.exactly(APPLICATIONS)
    yield row

    row = Row("memory more at its peak, 100 000 in passing", in_passing.pop("xphase"), in_passing | missing)
    row.no_more_than(2.0)
    yield row
    yield Row("the same, 100 000 waiting", at_once.pop("xphase"), at_once | missing)


def everyone(bench):
    reader = program("storm-reader")
    xev = ["xev", "-root", "-event", "substructure", "-event", "property"]
    return [
        observers.xphase(bench),
        Observer("C, one event of each", [reader], words=["%w"]),
        Observer(SAME_EVENTS, [reader, "all"], words=["%w"]),
        Observer("xev -root", xev, "x11-utils", ["(_NET_ACTIVE_WINDOW)"]),
    ]


def memory(weather, kind):
    return {name: each.resident(kind) for name, each in weather.watched.items()}


def growth(weather, before):
    return {name: Figure([peak - before[name]], "MB") for name, peak in memory(weather, "VmHWM").items()}


def right_ones(lines, storms):
    """How many applications the last of these lines tell right, after storms of so many events."""
    told = {line["application"]: line["to"] for line in map(json.loads, lines.splitlines())}
    toggles = [
        sum(len(range(place, events, APPLICATIONS)) for events in storms) for place in range(APPLICATIONS)
    ]
    # Where no window manager runs, a window that is unmapped is closed.
    phases = [None if times % 2 else "inactive" for times in toggles]
    return sum(told[f"App{place}"] == phase for place, phase in enumerate(phases))
