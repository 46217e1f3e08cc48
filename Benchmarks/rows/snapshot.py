"""The time that a program takes to list all windows once, from its start to its end."""

import subprocess

from measuring import snapshots
from measuring.figures import Figure
from measuring.peers import Peer, split_by_availability
from measuring.server import on, server
from measuring.table import Row
from measuring.timed import timed
from measuring.windows import managed_windows, windows

ABOUT = "a thousand windows seen once, and five thousand among ids that no window has"
LIVING, DEAD = 5000, 50


def measure(bench):
    there, missing = split_by_availability(snapshots.everyone(bench))
    with server() as display, windows(display, 1000):
        figures = timed(display, "end", there, bench.choose(3, 9), bench.choose(1, 5))
    row = Row("1000 windows seen, from start to end", figures.pop("xphase"), figures | missing)
    row.at_most(0.25, "wmctrl -lx")
    row.at_most(0.05, "libwnck")
    yield row
    yield from under_openbox(bench)

    # The peers print a line for each window; xphase prints a line of JSON.
    scenes = Peer("xphase", [bench.xphase, "list", "--level", "scene", "--json"])
    there, missing = split_by_availability([scenes, *snapshots.everyone(bench)[1:]], bench.choose(["libwnck"], []))
    with server() as display, windows(display, LIVING, DEAD):
        seen = {peer.name: Figure([lines(display, peer)], "") for peer in there}
    what = f"windows reported, where {LIVING} are listed among {DEAD} dead ids"
    row = Row(what, seen.pop("xphase"), seen | missing)
    row.exactly(LIVING)
    yield row


def under_openbox(bench):
    there, missing = split_by_availability(snapshots.under_a_manager(bench))
    with server() as display, managed_windows(display, 1000):
        ends = timed(display, "end", there, bench.choose(3, 9), bench.choose(3, 5))
        processor = timed(display, "cpu", there, bench.choose(3, 9), bench.choose(3, 5))
    row = Row("the same under openbox", ends.pop("xphase"), ends | missing)
    row.at_most(0.5, "wmctrl -lx")
    yield row
    what = "the same under openbox, processor time"
    row = Row(what, processor.pop("xphase"), processor | missing)
    row.at_most(2, "C, the same reads")
    yield row


def lines(display, peer):
    """Returns the number of different lines that a program writes; it may fail after some lines."""
    reported = subprocess.run(peer.command, env=on(display), capture_output=True, check=False, timeout=120).stdout
    return len(set(reported.splitlines()))
