"""Round trips to see all windows, counted by a proxy."""

import subprocess
from dataclasses import replace

from measuring import snapshots
from measuring.failure import Failure
from measuring.figures import Figure
from measuring.peers import split_by_availability
from measuring.server import on, server
from measuring.table import Row
from measuring.windows import managed_windows, windows
from proxy.proxy import Proxy

ABOUT = "round trips to see 100 and 1000 windows, without a window manager and under openbox"
LIMITS = {100: 8, 1000: 14}
FOLLOWING = ["--idle", "5m"]


def measure(bench):
    for count, limit in LIMITS.items():
        is_long = bench.is_quick and count == max(LIMITS)
        everyone = split_by_availability(snapshots.everyone(bench), ["libwnck"] if is_long else [])
        yield row_of(f"round trips to see {count} windows", count, limit, windows, everyone)
        everyone = split_by_availability(snapshots.under_a_manager(bench))
        yield row_of("the same under openbox", count, limit, managed_windows, everyone)


def row_of(what, count, limit, make_windows, peers):
    there, missing = peers
    with server() as display, make_windows(display, count):
        figures = {peer.name: counted(display, peer, count) for peer in there}
        (own,) = (peer for peer in there if peer.name == "xphase")
        also = counted(display, replace(own, command=[*own.command, *FOLLOWING]), count)
    row = Row(what, figures.pop("xphase"), figures | missing)
    row.no_more_than(limit)
    row.also = {f"with `{' '.join(FOLLOWING)}`": also}
    return row


def counted(display, peer, count):
    with Proxy(display) as proxy:
        done = subprocess.run(peer.command, env=on(proxy.display), capture_output=True, check=False)
    if (lines := done.stdout.count(b"\n")) < count:
        raise Failure(f"{peer.name} wrote {lines} lines for {count} windows")
    return Figure([proxy.count], "")
