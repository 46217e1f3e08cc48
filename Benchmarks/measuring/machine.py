"""The lines above the table: the date, the command, the version of xphase, the machine and the packages."""

import datetime
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from measuring.failure import Failure
from measuring.packages import PACKAGES, version


def describe(bench, command):
    yield f"{datetime.date.today()}, `{command}`:"
    yield f"xphase {output([bench.xphase, '--version'])}, {swift_version()}, static release build."
    yield f"{os.cpu_count()} cores, {processor()}, Linux {platform.release()}, {distribution()}."
    versions = [f"{package} {version(package) or 'missing'}" for package in PACKAGES]
    yield f"libx11-6 {version('libx11-6') or 'missing'}, {', '.join(versions)}."


def output(command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


def swift():
    """Returns the path of Swift's compiler driver."""
    for path in ("swift", "/opt/swift/usr/bin/swift"):
        if found := shutil.which(path):
            return found
    raise Failure("there is no swift in PATH")


def swift_version():
    found = re.search(r"Swift version \S+", output([swift(), "--version"]))
    return found.group() if found else "Swift unknown"


def processor():
    found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found.group(1) if found else platform.machine()


def distribution():
    found = re.search(r'^PRETTY_NAME="?([^"\n]*)', Path("/etc/os-release").read_text(), re.MULTILINE)
    return found.group(1) if found else "unknown"
