"""A session of `xphase run` with a pair and a freeze: windows enter and leave the background; checks of the outcome."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import desktop
from desktop import Client, wait_for

HOOKS = """
settle = "0"

[[hook]]
name = "pair"
application = "Alpha"
while = "background"
enter = ["sh", "-c", "echo enter >> log"]
leave = ["sh", "-c", "echo leave >> log"]

[[hook]]
name = "sleep"
application = "Sleeper"
while = "background"
do = ["freeze"]
except = "none"
"""

PASSED_ON = ("PATH", "LANG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE")
# The log of an earlier session after `Session.owe_a_leave`.
OWED = ["enter"]
# Seconds for the opening of a display, the time limit of a hook, or the end; each takes at most 10 s.
PATIENCE = 25


class Fault(Exception):
    """xphase violated one of its guarantees."""


def is_stopped(process):
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


class Session:
    def __init__(self, program, display):
        self.program = program
        self.home = Path(tempfile.mkdtemp(prefix="xphase-faults-"))
        (self.home / "config/xphase").mkdir(mode=0o700, parents=True)
        for name in ("state", "runtime"):
            (self.home / name).mkdir(mode=0o700)
        (self.home / "config/xphase/config.toml").write_text(HOOKS)
        names = {"CONFIG_HOME": "config", "STATE_HOME": "state", "RUNTIME_DIR": "runtime"}
        self.environment = {name: value for name, value in os.environ.items() if name in PASSED_ON}
        self.environment |= {f"XDG_{name}": str(self.home / folder) for name, folder in names.items()}
        self.environment |= {"HOME": str(self.home), "DISPLAY": display}
        self.client = Client(display)
        self.window = self.client.window("Alpha")
        # A program of its own, since xphase freezes no parent of its own.
        command = [sys.executable, "-B", desktop.__file__, display, "Sleeper"]
        self.sleeper = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sleeping = int(self.sleeper.stdout.readline())
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            # Kills strace and the program that it traces.
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.sleeper.kill()
        self.sleeper.communicate()
        self.client.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def owe_a_leave(self):
        """Runs xphase until it has entered the pair, kills it, and returns the state that it leaves behind."""
        self.start()
        self.wait_until(lambda: self.has_begun, 20)
        self.move(-5000)
        if not self.wait_until(lambda: "started" in self.record() and self.log == OWED and self.is_frozen, 20):
            raise Fault(f"the pair is not entered, or nothing frozen: {self.said}")
        self.process.kill()
        self.process.wait()
        return self.home / "state"

    def take_over(self, state):
        """Starts from the state that an earlier xphase left behind."""
        shutil.rmtree(self.home / "state")
        shutil.copytree(state, self.home / "state")
        # The name of the record contains the display.
        (record,) = (self.home / "state/xphase").glob("undo-record-*.json")
        record.rename(record.with_name(f"undo-record-{self.environment['DISPLAY']}.json"))
        (self.home / "log").write_text("".join(f"{word}\n" for word in OWED))

    def start(self, prefix=()):
        """Starts `xphase run` under the command `prefix`."""
        self.before = len(self.reported) if (self.home / "out").exists() else 0
        # Read before the start, since an owed leave may run immediately.
        self.logged = len(self.log)
        with open(self.home / "out", "ab") as out, open(self.home / "err", "ab") as err:
            command = [*prefix, self.program, "run", "--json"]
            self.process = subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
            )

    @property
    def log(self):
        path = self.home / "log"
        return path.read_text().split() if path.exists() else []

    @property
    def reported(self):
        return (self.home / "out").read_text()

    @property
    def has_begun(self):
        return '"Alpha"' in self.reported[self.before :]

    @property
    def said(self):
        return (self.home / "err").read_text()

    @property
    def is_frozen(self):
        return is_stopped(self.sleeper)

    @property
    def has_ended(self):
        return self.process.poll() is not None

    def wait_until(self, is_true, seconds=1.5):
        """Waits until a condition holds, the process has ended, or the time has expired."""
        return wait_for(lambda: self.has_ended or is_true(), seconds) and is_true()

    def move(self, x):
        for window in (self.window, self.sleeping):
            self.client.move(window, x)

    def play(self, patience=10):
        """Moves the windows out of the foreground twice. A fault may prevent the effect of any step."""
        before = self.logged
        self.wait_until(lambda: self.has_begun, max(patience, 6))
        steps = [(-5000, 1), (0, 2), (-5000, 3)]
        for x, count in [(None, 1), *((x, count + 1) for x, count in steps)] if before else steps:
            if self.has_ended:
                return
            if x is not None:
                self.move(x)
            if not self.wait_until(
                lambda x=x, count=count: len(self.log) >= before + count and self.is_frozen == bool(x), patience
            ):
                patience = 0.1

    def pid(self):
        """Returns the process of xphase, which may be a child of strace or of another wrapper."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        try:
            if Path(f"/proc/{self.process.pid}/exe").resolve() == Path(self.program).resolve():
                return self.process.pid
            return int(children.read_text().split()[0])
        except (OSError, IndexError):
            return None

    def end(self):
        """Ends xphase as a service manager does, and returns its exit code."""
        if not self.has_ended and (pid := self.pid()):
            os.kill(pid, signal.SIGTERM)
        if not wait_for(lambda: self.has_ended, PATIENCE):
            raise Fault(f"still running {PATIENCE} s after SIGTERM: {self.said}")
        return self.process.returncode

    def record(self):
        try:
            return "".join(path.read_text(errors="replace") for path in (self.home / "state/xphase").glob("undo-record-*.json"))
        except FileNotFoundError:
            return ""  # xphase has removed it since.

    def settle(self):
        """Starts and ends xphase once more without a fault. It must leave every pair that an earlier run owes."""
        self.start()
        # xphase waits for a part that the first run started.
        if not wait_for(
            lambda: self.has_ended or (self.has_begun and not self.owed() and not self.is_frozen), PATIENCE
        ):
            raise Fault(f"the next start printed {self.reported[self.before:]!r} and owes {self.owed()}: {self.said}")
        if code := self.end():
            raise Fault(f"the next start ends with {code}: {self.said}")
        if self.is_frozen:
            raise Fault(f"the next start leaves the program frozen: {self.said}")

    def owed(self):
        """Returns for each pair of programs in the record the part that it says has started; None if none has."""
        record = self.record()
        pairs = [json.loads(line) for line in record.splitlines()[1:]]
        return [pair.get("started", {}).get("part") for pair in pairs if pair["hook"] == "pair"]

    def check_output(self):
        """Checks that every line is complete."""
        if not self.reported:
            return
        if not self.reported.endswith("\n"):
            raise Fault(f"a torn line: {self.reported[-80:]!r}")
        for line in self.reported.splitlines():
            try:
                json.loads(line)
            except ValueError:
                raise Fault(f"a torn line: {line!r}") from None

    def check_log(self, repeated=0):
        """Checks that each `enter` was left, and each `leave` ran once; up to `repeated` of them may have run again."""
        log = self.log
        if log and log[-1] == "enter":
            raise Fault(f"never left: {log} {self.said}")
        extra = sum(1 for last, now in zip(["leave", *log], log) if last == now == "leave")
        missing = sum(1 for last, now in zip(log, log[1:]) if last == now == "enter")
        if missing:
            raise Fault(f"entered twice: {log} {self.said}")
        if extra > repeated:
            raise Fault(f"left too often: {log} {self.said}")
        return extra
