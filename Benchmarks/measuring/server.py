"""Private X servers."""

import contextlib
import os

from measuring.failure import Failure
from measuring.processes import running


@contextlib.contextmanager
def server(core=None):
    """Runs an Xvfb, and yields the name of its display."""
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
        # Disables the screen saver, which would blank the screen after ten minutes. Its events wake programs.
        "-s",
        "0",
    ]
    with open(os.devnull, "w") as null, running(command, core, pass_fds=[writing], stderr=null):
        os.close(writing)
        # The server writes the number and the newline separately.
        with os.fdopen(reading) as numbers:
            number = numbers.readline().strip()
            if not number:
                raise Failure("Xvfb did not start")
            yield f":{number}"


def on(display, **more):
    """Returns the environment for a program on a display."""
    # Without NO_AT_BRIDGE, GTK looks for the accessibility bus first.
    return os.environ | {"DISPLAY": display, "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1", **more}
