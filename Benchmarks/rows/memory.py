"""Resident memory with 100 windows."""

import subprocess
import tempfile
from pathlib import Path

from measuring import observers
from measuring.figures import Figure
from measuring.processes import resident, running
from measuring.programs import PRODUCTS, program
from measuring.quiet import until_quiet
from measuring.server import on, server
from measuring.table import Row
from measuring.windows import windows

ABOUT = "resident memory with 100 windows, xphase with 20 hooks"
HOOK = """
[[hook]]
name = "hook {number}"
application = ["App{number}", "Player*"]
from = "active"
to = "background"
after = "5s"
run = ["true", "{number}"]
"""


def measure(bench):
    # Not in /tmp: xphase watches the folders above its configuration.
    with tempfile.TemporaryDirectory(dir=PRODUCTS) as folder:
        configuration = Path(folder) / "config.toml"
        configuration.write_text("".join(HOOK.format(number=number) for number in range(20)))
        commands = {
            "xphase": [bench.xphase, "run", "--config", str(configuration)],
            "devilspie2": observers.devilspie2().command,
            "libwnck": [program("wnck-list"), "stay"],
        }
        places = {"XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
        rounds = {name: [] for name in commands}
        for _ in range(bench.choose(1, 3)):
            for name, command in commands.items():
                rounds[name].append(settled(command, places))
    figures = {name: Figure(values, "MB") for name, values in rounds.items()}
    row = Row("resident memory, 100 windows, 20 hooks", figures.pop("xphase"), figures)
    row.no_more_than(10.0)
    row.at_most(0.7, "devilspie2")
    yield row


def settled(command, places):
    with server() as display, windows(display, 100):
        output = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with running(command, env=on(display, **places), **output) as process:
            until_quiet(process)
            return resident(process.pid)
