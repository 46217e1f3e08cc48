"""The programs that report each focus change."""

from dataclasses import dataclass, field

from measuring.peers import Peer
from measuring.programs import SOURCES, program


@dataclass(frozen=True)
class Observer(Peer):
    # The words of the line that reports a change; see words.h.
    words: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)


# Words of the JSON line that reports the application with the focus.
PHASE_WORDS = ['"application":"%n"', '"to":"active"']


def xphase(bench):
    return Observer("xphase", [bench.xphase, "watch", "--settle", "0", "--json"], words=PHASE_WORDS)


def xphase_settled(bench):
    """xphase with the default settle time."""
    return Observer("xphase", [bench.xphase, "watch", "--json"], words=PHASE_WORDS)


def xphase_of_one(bench):
    """xphase that follows one of the two applications, and so writes one line per change."""
    command = [*xphase(bench).command, "--application", "Alpha"]
    return Observer("xphase", command, words=['"application":"Alpha"', '"to":"%p"'])


def c_read():
    return Observer("C, one read", [program("focus-read")], words=["%w"])


def c_event():
    return Observer("C, FocusIn, no read", [program("focus-event")], words=["%w"])


def xprop():
    return Observer("xprop -spy", ["xprop", "-spy", "-root", "_NET_ACTIVE_WINDOW"], "x11-utils", ["%w"])


def devilspie2():
    folder = str(SOURCES / "devilspie2")
    return Observer("devilspie2", ["devilspie2", "--folder", folder], "devilspie2", ["%n"])


def python_xlib():
    return Observer("python-xlib", [program("focus-python-xlib")], "python3-xlib", ["%w"])


# Debian's package xtitle contains another program, which sets the titles of terminals.
NOT_IN_DEBIAN = {"xtitle": "missing, not in Debian"}


def peers():
    return [xprop(), devilspie2(), python_xlib()]
