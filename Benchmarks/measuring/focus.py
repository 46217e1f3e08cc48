"""Focus changes, and an observer that reports each of them."""

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
    # For each change, the microseconds until the observer's line.
    times: list
    # The number of lines that the observer wrote in total.
    lines: int


def follow(display, observer, way, changes, core=None, gap=1000, command=None, channel=None):
    """Moves the focus `changes` times, each time after the observer has reported the previous change.

    - `way`: `set`, `take`, `ask` or `name`; see focus-driver.c.
    - `gap`: microseconds from a line to the next change.
    - `command`: runs in place of the observer's own command.
    - `channel`: receives the observer's lines; a pipe for None.
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
                reported = [line.split() for line in driver.stdout]
                end(driver)
        if driver.returncode != 0 or len(reported) != changes:
            what = f"{observer.name} reported {len(reported)} of {changes} focus changes"
            raise Failure("; ".join([what, *last_lines(errors)]))
    return Following([float(time) for time, _ in reported], sum(int(count) for _, count in reported))


def last_lines(errors):
    errors.seek(0)
    return errors.read().decode("utf-8", "replace").splitlines()[-2:]
