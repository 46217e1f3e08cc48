"""Instructions per focus change, counted by callgrind."""

import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measuring import observers
from measuring.failure import Failure
from measuring.figures import Figure
from measuring.focus import follow
from measuring.server import server
from measuring.table import Row

ABOUT = "instructions per focus change, with the JSON line written"
# An observer is asleep again by then, though valgrind makes it fifty times as slow.
GAP = 4000


def measure(bench):
    changes = bench.choose(250, 1000)
    ours, c_read = observers.xphase(bench), observers.c_read()
    plain = [ours, c_read, *observers.peers()]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        jobs = {observer.name: pool.submit(each, folder, observer, changes, None) for observer in plain}
        jobs["to a file"] = pool.submit(each, folder, ours, changes, f"{folder}/lines")
        figures = {name: job.result() for name, job in jobs.items()}
    row = Row("instructions per focus change, JSON line to a pipe", figures.pop("xphase"), figures)
    row.at_most(1, "xprop -spy")
    yield row


def each(folder, observer, changes, output):
    """What one more change costs: twice as many changes less once as many, so that the start falls out."""
    once, twice = (total(folder, observer, times * changes, output) for times in (1, 2))
    return Figure([round((twice - once) / changes)], "")


def total(folder, observer, changes, output):
    profile = Path(folder) / f"{observer.name.replace(' ', '-').replace('/', '-')}.{changes}.{bool(output)}"
    command = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={profile}", *observer.command]
    with server() as display:
        follow(display, observer, "set", changes, gap=GAP, command=command, output=output)
    found = re.search(r"^(?:totals|summary): (\d+)", profile.read_text(), re.MULTILINE)
    if not found:
        raise Failure(f"callgrind counted nothing for {observer.name}")
    return int(found.group(1))
