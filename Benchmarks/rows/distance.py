"""The time to list all windows over a slow connection."""

from concurrent.futures import ThreadPoolExecutor

from measuring import snapshots
from measuring.figures import Figure
from measuring.peers import split_by_availability
from measuring.server import server
from measuring.table import Row
from measuring.timed import once
from measuring.windows import windows
from proxy.proxy import Proxy

ABOUT = "windows seen once at 20 ms each way, as over ssh -X"
DELAY = 0.020
COUNT = 100


def measure(bench):
    peers = [snapshots.xphase(bench), snapshots.wmctrl(), snapshots.libwnck()]
    # libwnck takes two minutes.
    there, missing = split_by_availability(peers, bench.choose(["libwnck"], []))
    # In parallel: the peers wait, and compute little.
    with ThreadPoolExecutor(len(there)) as pool:
        figures = dict(zip([peer.name for peer in there], pool.map(seconds, there), strict=True))
    row = Row(f"{COUNT} windows seen, 20 ms each way", figures.pop("xphase"), figures | missing)
    row.at_most(0.01, "wmctrl -lx")
    yield row


def seconds(peer):
    with server() as display, windows(display, COUNT), Proxy(display, DELAY) as proxy:
        return Figure([once(proxy.display, "end", 1, peer.command)[0] / 1000], "s")
