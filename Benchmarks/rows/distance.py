"""All windows seen once over a slow connection."""

from measuring.figures import Figure
from measuring.programs import program
from measuring.server import server
from measuring.table import Row
from measuring.timed import once
from measuring.windows import windows
from proxy.proxy import Proxy

ABOUT = "windows seen once at 20 ms each way, as over ssh -X"
DELAY = 0.020


def measure(bench):
    count = bench.choose(20, 100)
    commands = {
        "xphase": [bench.xphase, "list"],
        "wmctrl -lx": ["wmctrl", "-lx"],
        "libwnck": [program("wnck-list")],
    }
    with server() as display, windows(display, count), Proxy(display, DELAY) as proxy:
        figures = {
            name: Figure([once(proxy.display, "end", 1, command)[0] / 1000], "s") for name, command in commands.items()
        }
    row = Row(f"{count} windows seen, 20 ms each way", figures.pop("xphase"), figures)
    # The rest of wmctrl's time grows with the windows.
    row.at_most(0.01 * 100 / count, "wmctrl -lx")
    yield row
