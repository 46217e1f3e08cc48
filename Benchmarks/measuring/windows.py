"""Windows to be seen."""

import contextlib
import subprocess

from measuring.processes import expect, running
from measuring.programs import program
from measuring.server import on


@contextlib.contextmanager
def windows(display, count, dead=0):
    """So many windows, which are in _NET_CLIENT_LIST together with ids that no window has."""
    command = [program("windows"), str(count), str(dead)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with running(command, env=on(display), **pipes) as process:
        expect(process, "ready")
        yield
