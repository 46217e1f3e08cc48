"""The Debian packages that the measurements use."""

import os
import shutil
import subprocess

PACKAGES = [
    "devilspie2", "gcc", "jq", "libwnck-3-dev", "libx11-dev", "openbox", "pkg-config", "python3-xlib", "valgrind",
    "wmctrl", "x11-utils", "xdotool", "xvfb",
]  # fmt: skip


def version(package):
    """Returns the installed version, or None."""
    done = ask("dpkg-query", "-Wf", "${db:Status-Status} ${Version}", package)
    state, _, number = done.stdout.partition(" ")
    return number if state == "installed" else None


def install():
    """Installs the missing packages that are available."""
    missing = [package for package in PACKAGES if not version(package)]
    if not missing:
        return
    if not all(map(is_known, missing)):
        apt_get("update")
    for package in filter(is_known, missing):
        apt_get("install", "--yes", "--no-install-recommends", package)


def is_known(package):
    return ask("apt-cache", "show", package).returncode == 0


def ask(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return subprocess.CompletedProcess(command, 127, "", "")


def apt_get(*arguments):
    """Runs apt-get. If it fails, the package stays missing, and the table shows that."""
    rights = [] if os.geteuid() == 0 else ["sudo"]
    if not all(shutil.which(program) for program in [*rights, "apt-get"]):
        return
    subprocess.run(
        [*rights, "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120", *arguments],
        stdout=subprocess.DEVNULL,
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        check=False,
    )
