"""Private X servers with windows, the programs that run on them, and what /proc reports about these."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from desktop import Desktop

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PRODUCTS = ROOT / ".build-benchmarks"
FOLLOW = str(PRODUCTS / "follow")
# Seconds: until something must have happened, and how long an idle program does nothing.
DEADLINE, QUIET = 60, 0.5
# Without animations, during which windows are neither shown nor iconified.
OPENBOX = """<openbox_config xmlns="http://openbox.org/3.4/rc"><theme><animateIconify>no</animateIconify></theme>
</openbox_config>"""


class Failure(Exception):
    """A measurement failed; the text is the reason."""


def prepare():
    """Compiles the C program, and returns the path of xphase: the one that XPHASE names, or the release build."""
    # SIGTERM, too, must end everything that is started.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    PRODUCTS.mkdir(exist_ok=True)
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", FOLLOW, HERE / "follow.c", "-lX11"], check=True)
    if named := os.environ.get("XPHASE"):
        return os.path.abspath(named)
    subprocess.run([ROOT / "packaging/build"], check=True, stdout=sys.stderr)
    return str(ROOT / ".build-release/release/xphase")


@contextlib.contextmanager
def session(windows=0, configuration="", manager=False):
    """Yields a Session, and ends all that it has started."""
    with contextlib.ExitStack() as stack:
        yield Session(stack, windows, configuration, manager)


class Session:
    """An X server with windows, or with openbox if it has a `manager`, and directories without a user's files."""

    def __init__(self, stack, windows, configuration, manager):
        self.stack = stack
        # Not in /tmp: xphase watches the folders above its configuration, and /tmp changes often.
        self.home = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=PRODUCTS, prefix="home.")))
        (self.home / "config/xphase").mkdir(parents=True)
        self.configure(configuration)
        # GTK looks for the accessibility bus first without NO_AT_BRIDGE. XDG_RUNTIME_DIR contains sockets, whose paths
        # must be short.
        self.environment = os.environ | {"LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1", "HOME": str(self.home)}
        for name, folder in (("CONFIG_HOME", "config"), ("STATE_HOME", "state"), ("RUNTIME_DIR", "")):
            self.environment[f"XDG_{name}"] = str(self.home / folder)
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self.start_server()
        if manager:
            (self.home / "rc.xml").write_text(OPENBOX)
            # It forgets windows that are mapped before it has started.
            options = ["--config-file", f"{self.home}/rc.xml", "--startup", f"touch '{self.home}/started'"]
            self.start(["openbox", *options])
            wait((self.home / "started").exists, "openbox starts")
        self.desktop = Desktop(self.environment["DISPLAY"], windows)
        stack.callback(self.desktop.close)

    def configure(self, text):
        (self.home / "config/xphase/config.toml").write_text(text)

    def start_server(self):
        reading, writing = os.pipe()
        # The screen saver's events would wake programs.
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-noreset", "-s", "0"]
        self.server = self.start([*command, "-nolisten", "tcp"], pass_fds=[writing])
        os.close(writing)
        # The server writes the number and the newline separately.
        with os.fdopen(reading) as numbers:
            self.environment["DISPLAY"] = ":" + numbers.readline().strip()

    def start(self, command, **options):
        """Starts a program that is ended with the session."""
        options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": self.environment} | options
        process = subprocess.Popen(command, **options)
        self.stack.callback(end, process)
        return process

    def output(self, command):
        """Returns what a program writes until it ends, even if it fails."""
        return subprocess.run(command, env=self.environment, capture_output=True, check=False).stdout

    def follow(self, command, texts, changes, pause=0.002, fifo=None):
        """Moves the focus between the first two windows, each time when the program has written the text of the window.

        Returns the program, and the seconds of each change until the line was read. The program writes to its
        output, or else to `fifo`. After each line it has a pause of so many seconds.
        """
        path = fifo or self.home / "output"
        if not path.exists():
            os.mkfifo(path)
        # Opened for writing, too, so that it does not end between two hooks.
        file = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.stack.callback(os.close, file)
        process = until_quiet(self.start(command, stdout=subprocess.DEVNULL if fifo else file))
        # The lines about the windows at the start.
        while select.select([file], [], [], 0)[0]:
            os.read(file, 1 << 16)
        times = []
        for change in range(1, changes + 1):
            self.desktop.queue_focus(change % 2)
            began = time.perf_counter()
            self.desktop.flush()
            times.append(await_line(file, texts[change % 2].encode()) - began)
            time.sleep(pause)
        return process, times

    def move_focus(self, changes, pause):
        for change in range(1, changes + 1):
            self.desktop.queue_focus(change % 2)
            self.desktop.flush()
            time.sleep(pause)


def await_line(file, text):
    """Reads until a line contains the text, and returns the time."""
    got = b""
    while select.select([file], [], [], DEADLINE)[0]:
        got += os.read(file, 1 << 16)
        now = time.perf_counter()
        if any(text in line for line in got.split(b"\n")[:-1]):
            return now
    raise Failure(f"no line came that has {text.decode()}")


def end(process):
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait(condition, what, pause=0.005):
    """Waits until a condition holds, and returns what it returned."""
    deadline = time.monotonic() + DEADLINE
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise Failure(f"timed out: {what}")
        time.sleep(pause)
    return found


def until_quiet(process):
    """Waits until a program has not been woken for a while, and returns it."""
    activity = [None]

    def is_quiet():
        activity.append((wakeups(process.pid), processor(process.pid)))
        return activity[-1] == activity[-2]

    wait(is_quiet, f"{process.args[0]} becomes idle", QUIET)
    return process


def tasks(pid):
    return list(Path(f"/proc/{pid}/task").iterdir())


def status(folder, key):
    """Returns a number from a file `status` of /proc."""
    lines = (folder / "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))


def wakeups(pid):
    return sum(status(task, "voluntary_ctxt_switches") for task in tasks(pid))


def processor(pid):
    """Returns the processor time in seconds, exactly."""
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks(pid)) / 1e9


def fields(folder):
    """Returns the fields of a file `stat` of /proc after the name, which may contain any character: the state first."""
    return (folder / "stat").read_text().rpartition(")")[2].split()
