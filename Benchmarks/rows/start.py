"""From the start of a program to its first line."""

from measuring.server import server
from measuring.table import Row
from measuring.timed import timed
from measuring.windows import windows

ABOUT = "start to first line with ten windows"


def measure(bench):
    commands = {"xphase": [bench.xphase, "watch"], "wmctrl -lx": ["wmctrl", "-lx"]}
    with server() as display, windows(display, 10):
        figures = timed(display, "line", commands, bench.choose(5, 15), 10)
    row = Row("start to first line, 10 windows", figures.pop("xphase"), figures)
    row.at_most(1, "wmctrl -lx")
    yield row
