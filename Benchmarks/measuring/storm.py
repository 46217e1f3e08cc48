"""Storms of events, and the observers that handle them."""

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

# The number of applications that storm.c makes, from App0 on.
APPLICATIONS = 64
# Seconds until the line that reports the end of a storm.
DEADLINE = 120


@dataclass(frozen=True)
class Watched:
    """A running observer, and its output."""

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
        """Continues a stopped observer, and returns the seconds until it has reported the end of a storm."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGCONT)
        self.wait(mark)
        return time.monotonic() - start


@dataclass(frozen=True)
class Mark:
    """The window that got the focus at the end of a storm."""

    name: str
    id: str


class Storm:
    """A storm maker and observers on one display; see storm.c."""

    def __init__(self, display, maker, watched):
        self.display = display
        self.maker = maker
        self.watched = watched

    def make_while_running(self, events):
        """Makes this many events, and waits until the running observers have handled them."""
        mark = self.make(events)
        for each in self.watched.values():
            each.wait(mark)

    def make_while_stopped(self, events):
        """Makes this many events while all observers are stopped. Returns the seconds that each observer then takes."""
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
    """Yields a storm of a `kind` that storm.c names. Observers run on the first core, everything else on the second."""
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
            # A stopped observer would not end.
            for each in watched.values():
                each.process.send_signal(signal.SIGCONT)
