"""The C programs that stand beside xphase, compiled when their sources are newer."""

import subprocess
from pathlib import Path

from measuring.failure import Failure

SOURCES = Path(__file__).resolve().parents[1] / "programs"
PRODUCTS = SOURCES.parents[1] / ".build-benchmarks"
FLAGS = ["-std=gnu17", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror"]
# What a program is made of beside its own file, and the libraries it needs.
PARTS = {
    "focus-driver": (["desktop.c", "lines.c"], ["x11"]),
    "focus-event": (["desktop.c"], ["x11"]),
    "focus-read": (["desktop.c"], ["x11"]),
    "snapshot": (["desktop.c"], ["x11"]),
    "spawn": ([], []),
    "storm": (["desktop.c", "lines.c"], ["x11"]),
    "storm-reader": (["desktop.c"], ["x11"]),
    "timed": ([], []),
    "windows": (["desktop.c"], ["x11"]),
    "wnck-list": ([], ["libwnck-3.0"]),
}


def program(name):
    """The path of a program of Benchmarks/programs."""
    if name not in PARTS:
        return str(SOURCES / name)
    parts, libraries = PARTS[name]
    sources = [SOURCES / f"{name}.c"] + [SOURCES / part for part in parts]
    product = PRODUCTS / name
    newest = max(path.stat().st_mtime for path in [*sources, *SOURCES.glob("*.h"), Path(__file__)])
    if not product.exists() or product.stat().st_mtime < newest:
        compile(product, sources, libraries)
    return str(product)


def compile(product, sources, libraries):
    PRODUCTS.mkdir(exist_ok=True)
    wanted = []
    if libraries:
        wanted = subprocess.run(
            ["pkg-config", "--cflags", "--libs", *libraries], check=True, stdout=subprocess.PIPE, text=True
        ).stdout.split()
    done = subprocess.run(["cc", *FLAGS, "-o", product, *sources, *wanted])
    if done.returncode != 0:
        raise Failure(f"{sources[0].name} does not compile")
