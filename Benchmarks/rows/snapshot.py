"""All windows seen once, by a program from its start to its end."""

import subprocess

from measuring.figures import Figure
from measuring.server import on, server
from measuring.snapshots import snapshots
from measuring.table import Row
from measuring.timed import timed
from measuring.windows import windows

ABOUT = "a thousand windows seen once, and five thousand among ids that no window has"
LIVING, DEAD = 5000, 50


def measure(bench):
    with server() as display, windows(display, 1000):
        figures = timed(display, "end", snapshots(bench), bench.choose(3, 9), bench.choose(2, 5))
    row = Row("1000 windows seen, from start to end", figures.pop("xphase"), figures)
    row.at_most(0.25, "wmctrl -lx")
    row.at_most(0.05, "libwnck")
    yield row

    with server() as display, windows(display, LIVING, DEAD):
        seen = {name: Figure([rows(display, command)], "") for name, command in snapshots(bench).items()}
    row = Row(f"windows seen of {LIVING}, with {DEAD} dead ids in the list", seen.pop("xphase"), seen)
    row.targets.append((f"{LIVING}", row.ours.median == LIVING))
    yield row


def rows(display, command):
    """How many windows of Benchmarks/programs/windows.c a program tells of."""
    if "list" in command:
        command = [*command, "--level", "scene", "--json"]
    try:
        told = subprocess.run(command, env=on(display), capture_output=True, check=False, timeout=120).stdout
    except subprocess.TimeoutExpired:
        return 0
    return len(set(told.splitlines()))
