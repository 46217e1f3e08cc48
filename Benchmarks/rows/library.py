"""Instructions per focus change that the library reports to a program, on a desktop with many windows."""

import tempfile
from dataclasses import replace

from measuring import channels, observers
from measuring.measured import library_to_measure
from measuring.observers import Observer
from measuring.stages import SAME_HASHES
from measuring.table import Row
from rows.instructions import cost, whole

ABOUT = "instructions per focus change that the library's onChange reports, 2000 windows"
COUNT = 2000


def measure(bench):
    changes = bench.choose(200, 1000)
    library = Observer("onChange", [library_to_measure(), "Alpha"], words=["Alpha %p"])
    everyone = {
        "onChange": library,
        "xphase watch --json": observers.xphase(bench),
        "the same with --application Alpha": observers.xphase_of_one(bench),
    }
    with tempfile.TemporaryDirectory() as folder:
        figures = {
            name: whole(cost(f"{folder}/{number}", with_fixed_hashes(each), changes, channels.pipe, COUNT).change)
            for number, (name, each) in enumerate(everyone.items())
        }
    what = f"instructions per focus change that `onChange` reports, {COUNT} windows"
    row = Row(what, figures.pop("onChange"), figures)
    row.at_most(1, "xphase watch --json")
    yield row


def with_fixed_hashes(observer):
    """The observer with fixed hash seeds, so that its long start costs the same each time and cancels out."""
    return replace(observer, environment=SAME_HASHES)
