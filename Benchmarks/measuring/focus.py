"""Focus changes, and an observer that tells of each."""

import contextlib
import os
import subprocess
import sys

from measuring.failure import Failure
from measuring.processes import end, expect_ready, running
from measuring.programs import program
from measuring.server import on


def follow(display, observer, way, changes, core=None, gap=1000, command=None, output=None):
    """Moves the focus, and gives the time in microseconds of each change until the observer's line.

    - `way`: `set`, `take` or `ask`; see focus-driver.c.
    - `gap`: microseconds from a line to the next change.
    - `command`: what runs in place of the observer's own command.
    - `output`: a file that the observer writes into; a pipe for None.
    """
    reading, writing = ends(output)
    driver_command = [program("focus-driver"), str(changes), str(gap), way, *observer.words]
    try:
        with running(
            driver_command, core, env=on(display), stdin=reading, stdout=subprocess.PIPE, text=True
        ) as driver:
            expect_ready(driver, "focus-driver")
            environment = on(display, **observer.environment)
            with running(command or observer.command, core, env=environment, stdout=writing, stderr=sys.stderr):
                # The end of the pipe tells the driver of the observer's.
                writing = closed(writing)
                times = [float(line) for line in driver.stdout]
                end(driver)
        if driver.returncode != 0 or len(times) != changes:
            raise Failure(f"{observer.name} told of {len(times)} of {changes} focus changes")
        return times
    finally:
        closed(reading)
        closed(writing)


def ends(output):
    if output is None:
        return os.pipe()
    writing = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    return os.open(output, os.O_RDONLY), writing


def closed(descriptor):
    if descriptor is not None:
        with contextlib.suppress(OSError):
            os.close(descriptor)
    return None
