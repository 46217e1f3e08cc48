"""What Benchmarks/run and Benchmarks/check measure of xphase alone. Each function returns one value or more."""

import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

from harness import end, fields, processor, session, status, until_quiet, wait, wakeups
from proxy import round_trips

WATCH = ["watch", "--json"]
# Parts of its lines about the windows between which desktop.c moves the focus.
NAMES = ['"App0"', '"App1"']
TWENTY_HOOKS = "".join(
    f'[[hook]]\nname = "hook {number}"\napplication = ["App{number}", "Player*"]\nfrom = "active"\nto = "background"\n'
    'after = "5s"\nrun = ["true"]\n'
    for number in range(20)
)
SUBSCRIBE = b'{"method":"org.xphase.Phases.Watch","parameters":{"filter":{"initial":false}},"more":true}\0'
FREEZE = """
[[hook]]
name = "freeze"
application = "Frozen"
while = "background"
initial = true
do = ["freeze"]
"""


def read_display(xphase, windows):
    """Returns the round trips that `xphase list` waits for."""
    with session(windows) as desk:
        return round_trips(desk, [xphase, "list"])


def instructions(xphase, changes=100, windows=100):
    """Returns the instructions of a focus change with the default settle time."""
    # Both runs contain the same start.
    once, twice = (counted(xphase, times * changes, windows) for times in (1, 2))
    return round((twice - once) / changes)


def counted(xphase, changes, windows):
    """Returns the instructions of a run with so many focus changes."""
    with session(windows) as desk:
        profile = desk.home / "callgrind"
        # Otherwise Swift's dictionaries have another order in each process.
        desk.environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        command = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={profile}", xphase, *WATCH]
        # In the pause even a program that runs fifty times slower finishes its work.
        process, _ = desk.follow(command, NAMES, changes, pause=0.02)
        until_quiet(process)
        end(process)
        return int(re.search(r"^(?:totals|summary): (\d+)", profile.read_text(), re.MULTILINE)[1])


def processor_of_change(xphase, changes=300, windows=1000):
    """Returns the seconds of processor time of a focus change with the default settle time."""
    with session(windows) as desk:
        process = until_quiet(desk.start([xphase, *WATCH]))
        before = processor(process.pid)
        desk.move_focus(changes, pause=0.01)
        until_quiet(process)
        return (processor(process.pid) - before) / changes


def idle(xphase, seconds):
    """Returns the wake-ups while nothing happens, with 100 windows, 20 hooks, 100 subscribers and all options."""
    with session(100, TWENTY_HOOKS) as desk:
        process = until_quiet(desk.start([xphase, "run", "--occlusion", "2s", "--idle", "1h"]))
        for _ in range(100):
            subscriber = desk.stack.enter_context(socket.socket(socket.AF_UNIX))
            subscriber.connect(f"{desk.home}/xphase/{desk.environment['DISPLAY']}")
            subscriber.sendall(SUBSCRIBE)
        until_quiet(process)
        before = wakeups(process.pid)
        time.sleep(seconds)
        return wakeups(process.pid) - before


def memory(xphase, windows=1000):
    """Returns the anonymous memory in MB with 20 hooks, after 20 focus changes."""
    with session(windows, TWENTY_HOOKS) as desk:
        process = until_quiet(desk.start([xphase, "run"]))
        desk.move_focus(20, pause=0.1)
        until_quiet(process)
        return status(Path(f"/proc/{process.pid}"), "RssAnon") / 1024


def freeze(desk, command):
    """Starts an iconified xterm and then xphase, which freezes it. Returns xphase, and xterm's process and window."""
    bus = desk.start(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True)
    desk.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
    # Copies, since xphase wakes when anybody starts a program that it has frozen.
    xterm, cat = (shutil.copy(shutil.which(name), desk.home) for name in ("xterm", "cat"))
    xterm = desk.start([xterm, "-iconic", "-class", "Frozen", "-e", cat])
    pattern = re.compile(rb"^(0x\w+) .*\.Frozen ", re.MULTILINE)
    window = wait(lambda: pattern.search(desk.output(["wmctrl", "-lx"])), "xterm appears")
    process = desk.start(command)
    wait(lambda: is_frozen(xterm.pid), "xphase freezes xterm")
    return process, xterm.pid, int(window[1], 16)


def is_frozen(pid):
    # By a signal, since a program of a session without systemd has no cgroup of its own.
    return fields(Path(f"/proc/{pid}"))[0] == "T"


def programs_of_freeze(xphase, seconds):
    """Returns how many programs `xphase run` starts to freeze an xterm and while it is frozen."""
    with session(configuration=FREEZE, manager=True) as desk:
        trace = desk.home / "trace"
        # With -D the process that is started becomes xphase, and strace its grandchild.
        options = ["-D", "--follow-forks", "--quiet=all", "--signal=none", "--trace=execve", "--successful-only"]
        process, *_ = freeze(desk, ["strace", *options, f"--output={trace}", xphase, "run"])
        time.sleep(seconds)
        end(process)
        # The first is xphase itself.
        return len(trace.read_text().splitlines()) - 1


def frozen(xphase, seconds):
    """Returns the wake-ups per second while an xterm is frozen, and the seconds of processor time of each."""
    with session(configuration=FREEZE, manager=True) as desk:
        process, *_ = freeze(desk, [xphase, "run"])
        # By then the freeze itself is over.
        time.sleep(3)
        woken, used = wakeups(process.pid), processor(process.pid)
        time.sleep(seconds)
        woken, used = wakeups(process.pid) - woken, processor(process.pid) - used
        return woken / seconds, used / max(woken, 1)


def reactions(xphase, rounds):
    """Returns in seconds how long it takes until an iconified xterm is frozen, and until an activated one runs."""
    freezes, thaws = [], []
    with session(configuration=FREEZE, manager=True) as desk:
        _, pid, window = freeze(desk, [xphase, "run", "--settle", "0"])
        for _ in range(rounds):
            # As a pager does, and as a client that iconifies itself.
            for *request, wanted, times in (
                ("_NET_ACTIVE_WINDOW", window, 2, False, thaws),
                ("WM_CHANGE_STATE", window, 3, True, freezes),
            ):
                time.sleep(1)
                began = time.perf_counter()
                desk.desktop.ask(*request)
                wait(lambda wanted=wanted: is_frozen(pid) == wanted, "xterm is frozen or runs", pause=0)
                times.append(time.perf_counter() - began)
    return freezes, thaws
