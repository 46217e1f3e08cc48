"""The programs to measure."""

import os
import subprocess
import sys
from pathlib import Path

from measuring.failure import Failure
from measuring.machine import swift
from measuring.programs import PRODUCTS

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / ".build-release/release/xphase"
OBSERVER = ROOT / "Benchmarks/observer"


def program_to_measure():
    return copied("xphase", "XPHASE", build_xphase)


def library_to_measure():
    """Returns the path of Benchmarks/observer, which follows an application with the library."""
    return copied("observer", "OBSERVER", build_observer)


def copied(name, variable, build):
    """Returns a copy that no build changes, without debug information, which valgrind may fail to read."""
    built = os.environ.get(variable)
    if not built:
        built = build()
    elif not Path(built).is_file():
        raise Failure(f"no such file: {built} (from {variable})")
    copy = PRODUCTS / name
    subprocess.run(["strip", "--strip-debug", "-o", copy, built], check=True)
    return str(copy)


def build_xphase():
    subprocess.run([ROOT / "packaging/build"], check=True, stdout=sys.stderr)
    return BUILT


def build_observer():
    scratch = PRODUCTS / "observer.build"
    command = [swift(), "build", "-c", "release", "--package-path", OBSERVER, "--scratch-path", scratch]
    # As in packaging/build.
    flags = ["--static-swift-stdlib", "-Xswiftc", "-enforce-exclusivity=unchecked"]
    subprocess.run([*command, *flags], check=True, stdout=sys.stderr)
    return scratch / "release/observer"
