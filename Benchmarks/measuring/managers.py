"""Window managers."""

import contextlib
import subprocess
import time

from measuring.failure import Failure
from measuring.processes import running
from measuring.server import on

DEADLINE = 20


@contextlib.contextmanager
def openbox(display, core=None):
    """openbox with its own configuration, once it manages the display."""
    with running(["openbox"], core, env=on(display), stderr=subprocess.DEVNULL) as manager:
        deadline = time.monotonic() + DEADLINE
        while not manages(display):
            if time.monotonic() > deadline or manager.poll() is not None:
                raise Failure("openbox did not start")
            time.sleep(0.05)
        yield


def manages(display):
    told = subprocess.run(
        ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=on(display), capture_output=True, text=True, check=False
    )
    return "window id" in told.stdout
