"""Resident memory with 100 windows."""

import subprocess

from measuring import observers, snapshots
from measuring.figures import Figure
from measuring.home import TWENTY_HOOKS, home
from measuring.peers import Peer, split_by_availability
from measuring.processes import resident, running
from measuring.quiet import until_quiet
from measuring.server import on, server
from measuring.table import Row
from measuring.windows import move_focus, windows

ABOUT = "resident memory with 100 windows, xphase with 20 hooks, after 20 focus changes"
CHANGES = 20


def measure(bench):
    libwnck = snapshots.libwnck()
    there, missing = split_by_availability(
        [
            Peer("xphase", [bench.xphase, "run"]),
            observers.devilspie2(),
            Peer(libwnck.name, [*libwnck.command, "stay"], libwnck.package),
        ]
    )
    rounds = {peer.name: [] for peer in there}
    for _ in range(bench.choose(1, 3)):
        for peer in there:
            rounds[peer.name].append(settled(peer))
    whole = {name: Figure([both[0] for both in values], "MB") for name, values in rounds.items()}
    anonymous = {name: Figure([both[1] for both in values], "MB") for name, values in rounds.items()}
    what = f"resident memory (VmRSS), 100 windows, 20 hooks, after {CHANGES} focus changes"
    row = Row(what, whole.pop("xphase"), whole | missing)
    row.no_more_than(7.5)
    row.at_most(0.7, "devilspie2")
    yield row
    yield Row("of which anonymous (RssAnon)", anonymous.pop("xphase"), anonymous | missing)


def settled(peer):
    """Returns all resident memory and the anonymous memory in MB, once the program is idle."""
    output = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with server() as display, windows(display, 100), home(TWENTY_HOOKS) as places:
        with running(peer.command, env=on(display, **places), **output) as process:
            until_quiet(process)
            move_focus(display, CHANGES)
            until_quiet(process)
            return resident(process.pid), resident(process.pid, "RssAnon")
