"""Storms of events, and observers that take them in."""

import contextlib
import signal
import subprocess
import time
from dataclasses import dataclass

from measuring import channels
from measuring.failure import Failure
from measuring.processes import resident, running
from measuring.programs import program
from measuring.quiet import until_quiet
from measuring.server import on, server

# As storm.c names them, from App0 on.
APPLICATIONS = 64
# Seconds to a line that tells of the end of a storm.
DEADLINE = 120


@dataclass(frozen=True)
class Watched:
    """An observer at work, and what it writes."""

    observer: object
    process: subprocess.Popen
    lines: channels.File

    def resident(self, kind="VmRSS"):
        return resident(self.process.pid, kind)

    def wait(self, mark):
        self.lines.wait(
            [word.replace("%n", mark.name).replace("%w", mark.id) for word in self.observer.words], DEADLINE
        )

    def catch_up(self, mark):
        """Seconds until an observer that was stopped has told of the end of a storm."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGCONT)
        self.wait(mark)
        return time.monotonic() - start


@dataclass(frozen=True)
class Mark:
    """The window that got the focus when a storm was over."""

    name: str
    id: str


class Storm:
    """A storm maker and observers on one display; see storm.c."""

    def __init__(self, display, maker, watched):
        self.display = display
        self.maker = maker
        self.watched = watched

    def make_while_running(self, events):
        """Makes so many events, while the observers run and handle them."""
        mark = self.make(events)
        for each in self.watched.values():
            each.wait(mark)

    def make_while_stopped(self, events):
        """Makes so many events while all observers are stopped; returns the seconds that each needs for them."""
        for each in self.watched.values():
            each.process.send_signal(signal.SIGSTOP)
        mark = self.make(events)
        return {name: each.catch_up(mark) for name, each in self.watched.items()}

    def make(self, events):
        self.maker.stdin.write(f"{events}\n")
        self.maker.stdin.flush()
        match self.maker.stdout.readline().split():
            case ["made", name, window]:
                return Mark(name, window)
        raise Failure("the storm maker ended")


@contextlib.contextmanager
def storm(observers, kind, cores=(None, None)):
    """A storm of a `kind` that storm.c names; observers run on one of the cores, all else on the other."""
    with contextlib.ExitStack() as stack:
        display = stack.enter_context(server(cores[1]))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        maker = stack.enter_context(running([program("storm"), kind], cores[1], env=on(display), **pipes))
        if maker.stdout.readline() != "ready\n":
            raise Failure("the storm maker did not become ready")
        watched = {}
        for observer in observers:
            lines = stack.enter_context(channels.File())
            outputs = {"stdout": lines.writing, "stderr": subprocess.DEVNULL}
            environment = on(display, **observer.environment)
            process = stack.enter_context(running(observer.command, cores[0], env=environment, **outputs))
            watched[observer.name] = Watched(observer, process, lines)
        for each in watched.values():
            until_quiet(each.process)
        try:
            yield Storm(display, maker, watched)
        finally:
            # One that is stopped would not be ended.
            for each in watched.values():
                each.process.send_signal(signal.SIGCONT)
