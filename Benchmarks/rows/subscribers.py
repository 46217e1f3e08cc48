"""The cost of an event for each program that subscribes to the service."""

import subprocess
import tempfile

from measuring.callgrind import calls, inclusive, under_callgrind
from measuring.figures import Figure
from measuring.home import home
from measuring.processes import running
from measuring.quiet import until_quiet
from measuring.server import on, server
from measuring.subscribers import subscribers
from measuring.table import Row
from measuring.windows import move_focus, windows

ABOUT = "instructions of a focus change for each of 100 subscribers, beside those of its line"
COUNT = 100


def measure(bench):
    changes = bench.choose(50, 200)
    with tempfile.TemporaryDirectory() as folder:
        once, twice = (counted(bench, f"{folder}/{times}", times * changes) for times in (1, 2))
    each, line = (round((more - less) / changes) for more, less in zip(twice, once, strict=True))
    row = Row(
        f"instructions of a focus change for each of {COUNT} subscribers",
        Figure([round(each / COUNT)], ""),
        {"its line": Figure([line], "")},
    )
    row.at_most(1.2, "its line")
    yield row


def counted(bench, profile, changes):
    """Returns the instructions for all subscribers, and those for the lines."""
    command = under_callgrind(profile, [bench.xphase, "run", "--json"])
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with server() as display, windows(display, 2), home("") as places:
        with running(command, env=on(display, **places), **quiet) as process:
            with subscribers(COUNT, display, places):
                until_quiet(process)
                move_focus(display, changes)
                until_quiet(process)
    counts = calls(profile)
    return inclusive(counts, ["PhasesInterface.take"]), inclusive(counts, ["LineSink.take"])
