"""The time from the start of a program to its first line."""

from measuring import snapshots
from measuring.peers import Peer, split_by_availability
from measuring.server import server
from measuring.table import Row
from measuring.timed import timed
from measuring.windows import windows

ABOUT = "start to first line with ten windows"


def measure(bench):
    there, missing = split_by_availability([Peer("xphase", [bench.xphase, "watch"]), snapshots.wmctrl()])
    with server() as display, windows(display, 10):
        figures = timed(display, "line", there, bench.choose(5, 15), 10)
    row = Row("start to first line, 10 windows", figures.pop("xphase"), figures | missing)
    row.at_most(1.4, "wmctrl -lx")
    yield row
