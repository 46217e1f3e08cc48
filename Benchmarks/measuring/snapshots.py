"""The programs that list all windows once."""

from measuring.peers import Peer
from measuring.programs import program


def xphase(bench):
    return Peer("xphase", [bench.xphase, "list"])


def wmctrl():
    return Peer("wmctrl -lx", ["wmctrl", "-lx"], "wmctrl")


def libwnck():
    return Peer("libwnck", [program("wnck-list")], "libwnck-3-dev")


def c_pipelined():
    return Peer("C, the same reads", [program("snapshot-pipelined")])


def everyone(bench):
    one_by_one = Peer("C, one by one", [program("snapshot")])
    xdotool = Peer("xdotool search", ["xdotool", "search", "--class", ""], "xdotool")
    return [xphase(bench), c_pipelined(), one_by_one, xdotool, wmctrl(), libwnck()]


def under_a_manager(bench):
    return [xphase(bench), c_pipelined(), wmctrl()]
