"""Waits until a program is idle."""

import time

from measuring.failure import Failure
from measuring.processes import processor_ticks, wakeups

QUIET = 1.0
DEADLINE = 60


def until_quiet(process):
    """Waits until a process has neither run nor been woken for a second."""
    deadline = time.monotonic() + DEADLINE
    last = None
    while (now := activity(process)) != last:
        if time.monotonic() > deadline:
            raise Failure(f"{process.args[0]} does not become idle")
        last = now
        time.sleep(QUIET)


def activity(process):
    if process.poll() is not None:
        raise Failure(f"{process.args[0]} ended with {process.returncode}")
    return wakeups(process.pid), processor_ticks(process.pid)
