"""Windows to be seen."""

import contextlib
import subprocess

from measuring.processes import expect_ready, running
from measuring.programs import program
from measuring.server import on


@contextlib.contextmanager
def windows(display, count, dead=0):
    """So many windows, which are in _NET_CLIENT_LIST together with ids that no window has."""
    command = [program("windows"), str(count), str(dead)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with running(command, env=on(display), **pipes) as process:
        expect_ready(process, "windows")
        yield
