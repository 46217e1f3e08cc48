"""Windows to be seen."""

import contextlib
import subprocess

from measuring.managers import openbox
from measuring.processes import expect, running
from measuring.programs import program
from measuring.server import on


@contextlib.contextmanager
def windows(display, count, dead=0):
    """So many windows, which are in _NET_CLIENT_LIST together with ids that no window has."""
    with made(display, count, dead):
        yield


@contextlib.contextmanager
def managed_windows(display, count):
    """So many windows under openbox, which has put them into frames."""
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
    """Moves the focus so many times between two windows more, which are closed again."""
    # No observer tells when it has followed: a tenth of a second is time to settle.
    command = [program("focus-driver"), str(changes), "100000", "set", "."]
    with subprocess.Popen(["yes", "."], stdout=subprocess.PIPE) as told:
        try:
            subprocess.run(command, env=on(display), stdin=told.stdout, stdout=subprocess.DEVNULL, check=True)
        finally:
            told.terminate()
