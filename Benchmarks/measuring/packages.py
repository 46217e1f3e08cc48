"""The programs that xphase is measured beside, from Debian."""

import os
import shutil
import subprocess

PACKAGES = [
    "devilspie2", "gcc", "libwnck-3-dev", "libx11-dev", "openbox", "pkg-config", "python3-xlib", "valgrind",
    "wmctrl", "x11-apps", "x11-utils", "xdotool", "xvfb",
]  # fmt: skip


def version(package):
    """The version that is installed, or None."""
    done = subprocess.run(
        ["dpkg-query", "-Wf", "${db:Status-Status} ${Version}", package], capture_output=True, text=True, check=False
    )
    state, _, number = done.stdout.partition(" ")
    return number if state == "installed" else None


def install():
    """Installs what is missing, as far as it can be had."""
    missing = [package for package in PACKAGES if shutil.which("dpkg-query") and not version(package)]
    if not missing or not shutil.which("apt-get"):
        return
    rights = [] if os.geteuid() == 0 else ["sudo"]
    options = ["-qq", "-o", "DPkg::Lock::Timeout=120"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"stdout": subprocess.DEVNULL, "env": environment, "check": False}
    subprocess.run([*rights, "apt-get", *options, "update"], **quiet)
    for package in missing:
        subprocess.run(
            [*rights, "apt-get", *options, "install", "--yes", "--no-install-recommends", package], **quiet
        )
