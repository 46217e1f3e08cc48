"""A separate home for xphase, without the configuration and the files of a user."""

import contextlib
import tempfile
from pathlib import Path

from measuring.programs import PRODUCTS

TWENTY_HOOKS = "".join(
    f"""
[[hook]]
name = "hook {number}"
application = ["App{number}", "Player*"]
from = "active"
to = "background"
after = "5s"
run = ["true", "{number}"]
"""
    for number in range(20)
)


@contextlib.contextmanager
def home(configuration):
    """Yields the environment in which xphase finds this configuration."""
    # Not in /tmp: xphase watches the folders above its configuration, and /tmp changes often.
    with tempfile.TemporaryDirectory(dir=PRODUCTS, prefix="home.") as folder:
        places = {name: Path(folder) / name.lower() for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME"]}
        # Contains sockets, whose paths must be short.
        places["XDG_RUNTIME_DIR"] = Path(folder)
        (places["XDG_CONFIG_HOME"] / "xphase").mkdir(parents=True)
        (places["XDG_CONFIG_HOME"] / "xphase/config.toml").write_text(configuration)
        yield {"HOME": folder} | {name: str(path) for name, path in places.items()}
