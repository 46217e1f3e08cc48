"""The programs that tell of each focus change."""

from dataclasses import dataclass, field
from pathlib import Path

from measuring.programs import SOURCES, program


@dataclass(frozen=True)
class Observer:
    name: str
    command: list
    # Words of the line that tells of a change; see focus-driver.c.
    words: list
    package: str = ""
    environment: dict = field(default_factory=dict)


def xphase(bench):
    return Observer(
        "xphase",
        [bench.xphase, "watch", "--settle", "0", "--json"],
        ['"application":"%n"', '"to":"active"'],
    )


def c_read():
    return Observer("C, one read", [program("focus-read")], ["%w"])


def c_event():
    return Observer("C, FocusIn, no read", [program("focus-event")], ["%w"])


def xprop():
    return Observer("xprop -spy", ["xprop", "-spy", "-root", "_NET_ACTIVE_WINDOW"], ["%w"], "x11-utils")


def xtitle():
    return Observer("xtitle -s", ["xtitle", "-s"], ["%n"], "xtitle")


def devilspie2():
    folder = Path(SOURCES / "devilspie2")
    return Observer("devilspie2", ["devilspie2", "--folder", str(folder)], ["%n"], "devilspie2")


def python_xlib():
    return Observer("python-xlib", [program("focus-python-xlib")], ["%w"], "python3-xlib")


def peers():
    return [xprop(), devilspie2(), python_xlib()]
