"""The size of the program in the packages."""

import subprocess
import tempfile
from pathlib import Path

from measuring.figures import Figure
from measuring.table import Row

ABOUT = "size of the stripped program"


def measure(bench):
    with tempfile.TemporaryDirectory() as folder:
        stripped = Path(folder) / "xphase"
        subprocess.run(["strip", "--strip-unneeded", "-o", stripped, bench.xphase], check=True)
        row = Row("size, static and stripped", Figure([stripped.stat().st_size / 1e6], "MB"))
    row.no_more_than(17.0)
    yield row
