"""The processor time to follow the application in use for an hour."""

import contextlib
import os
import subprocess
import time

from measuring.figures import Figure
from measuring.home import home
from measuring.managers import openbox
from measuring.peers import Peer, split_by_availability
from measuring.processes import processor_ticks, running
from measuring.quiet import until_quiet
from measuring.server import on, server
from measuring.table import Row
from measuring.windows import made, move_focus

ABOUT = "processor time of an hour of `xphase active --follow` and its service, beside programs that poll"
POLL = "while sleep 0.2; do {}; done"
XDOTOOL = Peer(
    "xdotool, 5 times a second",
    ["sh", "-c", POLL.format("xdotool getactivewindow getwindowclassname")],
    "xdotool",
)
XPROP = Peer(
    "xprop, 5 times a second",
    ["sh", "-c", POLL.format("xprop -root _NET_ACTIVE_WINDOW")],
    "x11-utils",
)
# Changes per minute.
CHANGES = 10


def measure(bench):
    there, missing = split_by_availability([XDOTOOL, XPROP])
    minutes = bench.choose(0.25, 2)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with server() as display, openbox(display), made(display, 20, "managed"), home("") as places:
        environment = on(display, **places)
        with contextlib.ExitStack() as stack:
            service = stack.enter_context(running([bench.xphase, "run"], env=environment, **quiet))
            until_quiet(service)
            active = stack.enter_context(
                running([bench.xphase, "active", "--follow", "--empty", ""], env=environment, **quiet)
            )
            until_quiet(active)
            others = {
                peer.name: [stack.enter_context(running(peer.command, env=environment, **quiet))]
                for peer in there
            }
            measured = {"xphase": [service, active], **others}
            before = {name: seconds(processes) for name, processes in measured.items()}
            for _ in range(round(minutes * CHANGES)):
                time.sleep(60 / CHANGES - 0.2)
                move_focus(display, 2)
            figures = {
                name: Figure([(seconds(processes) - before[name]) * 60 / minutes], "s")
                for name, processes in measured.items()
            }
    row = Row(
        f"processor time of an hour, {CHANGES} focus changes a minute", figures.pop("xphase"), figures | missing
    )
    for peer in there:
        row.at_most(0.1, peer.name)
    yield row


def seconds(processes):
    """Returns their processor time, including that of the programs that they have started."""
    return sum(processor_ticks(process.pid) for process in processes) / os.sysconf("SC_CLK_TCK")
