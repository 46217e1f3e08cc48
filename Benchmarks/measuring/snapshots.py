"""The programs that tell of all windows, once."""

from measuring.programs import program


def snapshots(bench):
    """Commands by name."""
    return {
        "xphase": [bench.xphase, "list"],
        "C, one by one": [program("snapshot")],
        "xdotool search": ["xdotool", "search", "--class", ""],
        "wmctrl -lx": ["wmctrl", "-lx"],
        "libwnck": [program("wnck-list")],
    }
