"""The programs that are measured."""

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
    """Benchmarks/observer, a program that follows an application by the library."""
    return copied("observer", "OBSERVER", build_observer)


def copied(name, variable, build):
    """A copy, which no build changes meanwhile; without debug information, which valgrind may not read."""
    built = os.environ.get(variable)
    if not built:
        built = build()
    elif not Path(built).is_file():
        raise Failure(f"there is no file {built}, which {variable} names")
    copy = PRODUCTS / name
    subprocess.run(["strip", "--strip-debug", "-o", copy, built], check=True)
    return str(copy)


def build_xphase():
    subprocess.run([ROOT / "packaging/build"], check=True, stdout=sys.stderr)
    return BUILT


def build_observer():
    scratch = PRODUCTS / "observer.build"
    command = [swift(), "build", "-c", "release", "--package-path", OBSERVER, "--scratch-path", scratch]
    # As packaging/build does it.
    flags = ["--static-swift-stdlib", "-Xswiftc", "-enforce-exclusivity=unchecked"]
    subprocess.run([*command, *flags], check=True, stdout=sys.stderr)
    return scratch / "release/observer"
