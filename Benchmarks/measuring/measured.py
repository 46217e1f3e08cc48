"""The program that is measured."""

import os
import subprocess
import sys
from pathlib import Path

from measuring.failure import Failure
from measuring.programs import PRODUCTS

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / ".build-release/release/xphase"


def program_to_measure():
    """A copy, which no build changes meanwhile; without debug information, which valgrind may not read."""
    built = os.environ.get("XPHASE")
    if not built:
        built = BUILT
        subprocess.run([ROOT / "packaging/build"], check=True, stdout=sys.stderr)
    elif not Path(built).is_file():
        raise Failure(f"there is no file {built}, which XPHASE names")
    copy = PRODUCTS / "xphase"
    subprocess.run(["strip", "--strip-debug", "-o", copy, built], check=True)
    return str(copy)
