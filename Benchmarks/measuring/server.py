"""X servers of our own, each with a display that nobody else has."""

import contextlib
import os

from measuring.failure import Failure
from measuring.processes import running


@contextlib.contextmanager
def server(core=None):
    """An Xvfb; gives its display's name."""
    reading, writing = os.pipe()
    command = [
        "Xvfb",
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "1280x1024x24",
        "-nolisten",
        "tcp",
        "-noreset",
        # No screen saver, which would blank it after ten minutes: that is told, and wakes up.
        "-s",
        "0",
    ]
    with open(os.devnull, "w") as null, running(command, core, pass_fds=[writing], stderr=null):
        os.close(writing)
        # The number and the newline come in two writes.
        with os.fdopen(reading) as numbers:
            number = numbers.readline().strip()
            if not number:
                raise Failure("Xvfb did not start")
            yield f":{number}"


def on(display, **more):
    """The environment of a program on a display, in plain surroundings."""
    # Without NO_AT_BRIDGE, GTK looks for the accessibility bus first.
    return os.environ | {"DISPLAY": display, "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1", **more}
