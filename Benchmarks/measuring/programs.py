"""The C programs that are peers of xphase or drive it. They are compiled when their sources are newer."""

import subprocess
from pathlib import Path

from measuring.failure import Failure

SOURCES = Path(__file__).resolve().parents[1] / "programs"
PRODUCTS = SOURCES.parents[1] / ".build-benchmarks"
FLAGS = ["-std=gnu17", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror"]
# The further source files of each program, and the libraries that it needs.
PARTS = {
    "allocations": ([], []),
    "covered": (["desktop.c"], ["x11"]),
    "focus-driver": (["desktop.c", "lines.c", "words.c"], ["x11"]),
    "focus-event": (["desktop.c"], ["x11"]),
    "focus-read": (["desktop.c"], ["x11"]),
    "hook": ([], []),
    "raises": (["desktop.c"], ["x11"]),
    "snapshot": (["desktop.c"], ["x11"]),
    "snapshot-pipelined": ([], ["xcb"]),
    "spawn": (["desktop.c"], ["x11"]),
    "storm": (["desktop.c"], ["x11"]),
    "storm-reader": (["desktop.c"], ["x11"]),
    "thaw": (["desktop.c"], ["x11"]),
    "thaw-driver": (["desktop.c", "lines.c"], ["x11"]),
    "timed": ([], []),
    "windows": (["desktop.c"], ["x11"]),
    "wnck-list": ([], ["libwnck-3.0"]),
}
# Libraries for LD_PRELOAD.
SHARED = ["allocations"]
# Skipped if their libraries are not installed: they are peers, which may be missing.
OPTIONAL = ["wnck-list"]


def program(name):
    """Returns the path of a program of Benchmarks/programs. `build` compiles it unless it is a script."""
    return str((PRODUCTS if name in PARTS else SOURCES) / name)


def build():
    """Compiles the programs whose sources have changed."""
    PRODUCTS.mkdir(exist_ok=True)
    for name, (parts, libraries) in PARTS.items():
        sources = [SOURCES / f"{name}.c"] + [SOURCES / part for part in parts]
        if is_old(PRODUCTS / name, sources) and not (
            name in OPTIONAL and not all(map(is_installed, libraries))
        ):
            compile(PRODUCTS / name, sources, libraries)


def is_old(product, sources):
    newest = max(path.stat().st_mtime for path in [*sources, *SOURCES.glob("*.h"), Path(__file__)])
    return not product.exists() or product.stat().st_mtime < newest


def is_installed(library):
    return subprocess.run(["pkg-config", "--exists", library], check=False).returncode == 0


def compile(product, sources, libraries):
    shared = ["-shared", "-fPIC"] if product.name in SHARED else []
    command = ["cc", *FLAGS, *shared, "-o", product, *sources, *flags(libraries)]
    if subprocess.run(command, check=False).returncode != 0:
        raise Failure(f"{sources[0].name} does not compile")


def flags(libraries):
    if not libraries:
        return []
    command = ["pkg-config", "--cflags", "--libs", *libraries]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"missing libraries, by their pkg-config names: {', '.join(libraries)}")
    return done.stdout.split()
