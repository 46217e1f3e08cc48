"""Focus changes, and an observer that tells of each."""

import subprocess
import tempfile
from dataclasses import dataclass

from measuring import channels
from measuring.failure import Failure
from measuring.processes import end, expect, running
from measuring.programs import program
from measuring.server import on


@dataclass(frozen=True)
class Following:
    # Of each change, the microseconds until the observer's line.
    times: list
    # How many lines the observer wrote for all of them.
    lines: int


def follow(display, observer, way, changes, core=None, gap=1000, command=None, channel=None):
    """Moves the focus so many times, each after the observer has told of the one before.

    - `way`: `set`, `take`, `ask` or `name`; see focus-driver.c.
    - `gap`: microseconds from a line to the next change.
    - `command`: what runs in place of the observer's own command.
    - `channel`: where the observer's lines go; a pipe for None.
    """
    driver_command = [program("focus-driver"), str(changes), str(gap), way, *observer.words]
    with channel or channels.pipe() as lines, tempfile.TemporaryFile() as errors:
        pipes = {"stdin": lines.reading, "stdout": subprocess.PIPE, "stderr": errors, "text": True}
        with running(driver_command, core, env=on(display), **pipes) as driver:
            expect(driver, "ready")
            environment = on(display, **observer.environment)
            outputs = {"stdout": lines.writing, "stderr": errors}
            with running(command or observer.command, core, env=environment, **outputs):
                lines.give_away()
                told = [line.split() for line in driver.stdout]
                end(driver)
        if driver.returncode != 0 or len(told) != changes:
            what = f"{observer.name} told of {len(told)} of {changes} focus changes"
            raise Failure("; ".join([what, *last_lines(errors)]))
    return Following([float(time) for time, _ in told], sum(int(count) for _, count in told))


def last_lines(errors):
    errors.seek(0)
    return errors.read().decode("utf-8", "replace").splitlines()[-2:]
