"""Round trips to see all windows, counted by a proxy."""

import os
import subprocess

from measuring.failure import Failure
from measuring.figures import Figure
from measuring.server import on, server
from measuring.snapshots import snapshots
from measuring.table import Row
from measuring.windows import windows
from proxy.proxy import Proxy

ABOUT = "round trips to see 100 and 1000 windows"
LIMITS = {100: 8, 1000: 16}


def measure(bench):
    for count, limit in LIMITS.items():
        with server() as display, windows(display, count):
            figures = {name: counted(display, command, count) for name, command in snapshots(bench).items()}
        row = Row(f"round trips to see {count} windows", figures.pop("xphase"), figures)
        row.no_more_than(limit)
        yield row


def counted(display, command, count):
    with Proxy(display) as proxy:
        done = subprocess.run(command, env=on(proxy.display), capture_output=True, check=False)
    if done.stdout.count(b"\n") < count:
        raise Failure(f"{os.path.basename(command[0])} does not tell of {count} windows")
    return Figure([proxy.count], "")
