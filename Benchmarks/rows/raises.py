"""Instructions of a raise among many windows, with occlusion, counted by callgrind."""

import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from measuring.callgrind import total, under_callgrind
from measuring.peers import Peer
from measuring.processes import expect, running
from measuring.programs import program
from measuring.quiet import until_quiet
from measuring.server import on, server
from measuring.stages import SAME_HASHES
from measuring.table import Row
from rows.instructions import whole

ABOUT = "instructions of a raise among 1000 windows, with --occlusion"
COUNT = 1000


def measure(bench):
    raises = bench.choose(50, 500)
    # With an hour, xphase reports windows that are no longer covered, as the C program does.
    watch = [bench.xphase, "watch", "--json", "--settle", "0"]
    everyone = [
        Peer("xphase", [*watch, "--occlusion", "1h"]),
        Peer("C, the same for plain rectangles", [program("covered")]),
        Peer("xphase without --occlusion", watch),
    ]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        counting = {
            peer.name: pool.submit(cost, f"{folder}/{number}", peer, raises)
            for number, peer in enumerate(everyone)
        }
        figures = {name: whole(each.result()) for name, each in counting.items()}
    what = f"instructions of a raise, {COUNT} windows, with `--occlusion 1h --settle 0`"
    yield Row(what, figures.pop("xphase"), figures)


def cost(profile, peer, raises):
    """Returns the cost of one more raise: that of 2 N raises less that of N, so that the start cancels out."""
    once, twice = (counted(f"{profile}.{times}", peer, times * raises) for times in (1, 2))
    return (twice - once) / raises


def counted(profile, peer, raises):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with server() as display, running([program("raises"), str(COUNT)], env=on(display), **pipes) as driver:
        expect(driver, "ready")
        with open(os.devnull, "w") as null, running(
            under_callgrind(profile, peer.command), env=on(display, **SAME_HASHES), stdout=null
        ) as follower:
            until_quiet(follower)
            driver.stdin.write(f"{raises}\n")
            driver.stdin.flush()
            expect(driver, "done")
            until_quiet(follower)
    return total(profile)
