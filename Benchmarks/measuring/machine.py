"""The head of the table: what was measured, with what, and when."""

import datetime
import os
import platform
import re
import subprocess
from pathlib import Path

from measuring.packages import PACKAGES, version


def describe(bench, command):
    yield f"{datetime.date.today()}, `{command}`:"
    yield f"xphase {output([bench.xphase, '--version'])}, {swift()}, static release build."
    yield f"{os.cpu_count()} cores, {processor()}, Linux {platform.release()}, {distribution()}."
    versions = [f"{package} {version(package) or 'missing'}" for package in PACKAGES]
    yield f"libx11-6 {version('libx11-6') or 'missing'}, {', '.join(versions)}."


def output(command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


def swift():
    for name in ("swift", "/opt/swift/usr/bin/swift"):
        try:
            found = re.search(r"Swift version \S+", output([name, "--version"]))
        except FileNotFoundError:
            continue
        if found:
            return found.group()
    return "Swift unknown"


def processor():
    found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found.group(1) if found else platform.machine()


def distribution():
    found = re.search(r'^PRETTY_NAME="?([^"\n]*)', Path("/etc/os-release").read_text(), re.MULTILINE)
    return found.group(1) if found else "unknown"
