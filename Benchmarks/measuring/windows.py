"""Windows for the programs under test."""

import contextlib
import subprocess

from measuring.managers import openbox
from measuring.processes import expect, running
from measuring.programs import program
from measuring.server import on


@contextlib.contextmanager
def windows(display, count, dead=0):
    """Opens this many windows. _NET_CLIENT_LIST contains them and `dead` ids of no window."""
    with made(display, count, dead):
        yield


@contextlib.contextmanager
def managed_windows(display, count):
    """Opens this many windows under openbox, which has reparented them into frames."""
    with openbox(display), made(display, count, "managed"):
        yield


@contextlib.contextmanager
def made(display, *arguments):
    command = [program("windows"), *map(str, arguments)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with running(command, env=on(display), **pipes) as process:
        expect(process, "ready")
        yield


def move_focus(display, changes):
    """Moves the focus this many times between two additional windows, which are closed afterwards."""
    # No observer reports when it has followed a change, so each change gets a tenth of a second to settle.
    command = [program("focus-driver"), str(changes), "100000", "set", "."]
    with subprocess.Popen(["yes", "."], stdout=subprocess.PIPE) as reported:
        try:
            subprocess.run(command, env=on(display), stdin=reported.stdout, stdout=subprocess.DEVNULL, check=True)
        finally:
            reported.terminate()
