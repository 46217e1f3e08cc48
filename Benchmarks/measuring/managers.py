"""Window managers."""

import contextlib
import subprocess
import tempfile
import time
from pathlib import Path

from measuring.failure import Failure
from measuring.processes import running
from measuring.server import on

# Seconds.
DEADLINE = 20
# Iconified windows reappear without animation.
OPENBOX = """<openbox_config xmlns="http://openbox.org/3.4/rc">
<theme><animateIconify>no</animateIconify></theme>
</openbox_config>
"""


@contextlib.contextmanager
def openbox(display, core=None):
    """Runs openbox, and yields once it has started: it forgets windows that are mapped earlier."""
    with tempfile.TemporaryDirectory() as folder:
        started = Path(folder) / "started"
        configuration = Path(folder) / "rc.xml"
        configuration.write_text(OPENBOX)
        command = ["openbox", "--config-file", str(configuration), "--startup", f"touch '{started}'"]
        with running(command, core, env=on(display), stderr=subprocess.DEVNULL) as manager:
            deadline = time.monotonic() + DEADLINE
            while not started.exists():
                if time.monotonic() > deadline or manager.poll() is not None:
                    raise Failure("openbox did not start")
                time.sleep(0.02)
            yield
