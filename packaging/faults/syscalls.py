"""Fails each system call of a session once, and kills the program once at each of them."""

import collections
import re
import tempfile
from pathlib import Path

from session import Fault, Session

ERRORS = {
    "clone": "EMFILE",
    "clone3": "EAGAIN",
    "fcntl": "EMFILE",
    "fsync": "EIO",
    "ftruncate": "EIO",
    "inotify_add_watch": "ENOSPC",
    "inotify_init1": "EMFILE",
    "memfd_create": "EMFILE",
    "mkdir": "ENOSPC",
    "openat": "EMFILE",
    "pidfd_open": "EMFILE",
    "pipe2": "EMFILE",
    "poll": "ENOMEM",
    "read": "EIO",
    "recvmsg": "ECONNRESET",
    "renameat": "EIO",
    "signalfd4": "EMFILE",
    "timerfd_create": "EMFILE",
    "timerfd_settime": "EINVAL",
    "unlinkat": "EIO",
    "write": "ENOSPC",
    "writev": "EPIPE",
}
# Exit codes that report what went wrong; see the manual. The dynamic linker exits with 127 if it cannot load
# a library.
GOOD_ENDS = {0, 64, 69, 71, 74, 75, 78, 127}
# SIGTERM before xphase handles it.
EARLY_END = -15


def strace(*arguments):
    # Hooks are not traced, since their system calls are not under test.
    return ["strace", "-f", "-b", "execve", "-qq", *arguments]


def trace_only(call, then, output="/dev/null"):
    return strace("-y", "-o", output, "-e", f"trace={call}", "-e", f"inject={call}:{then}")


def is_possible(trace):
    """Returns whether all calls that failed in a trace can fail so: a pipe with room takes each byte, and fcntl(2) needs a
    descriptor for a copy alone. strace counts the calls of each thread by themselves, so several may have failed."""
    failed = [line for line in trace.splitlines() if line.endswith("(INJECTED)")]
    return not any(re.search(r"write\(\d+<pipe:|fcntl\((?!.*F_DUPFD)", line) for line in failed)


class Calls:
    """A session that runs once for each of its system calls."""

    def __init__(self, program, server):
        self.program = program
        with Session(program, server.display) as session:
            self.folder = tempfile.TemporaryDirectory(prefix="xphase-state-")
            self.state = Path(self.folder.name) / "state"
            session.owe_a_leave().rename(self.state)
        with self.session(server) as session, tempfile.NamedTemporaryFile("r") as trace:
            session.start(strace("-o", trace.name, "-e", f"trace={','.join(ERRORS)}"))
            session.play()
            if session.end() or session.log != ["enter", "leave"] * 3:
                raise Fault(f"the session without a fault: {session.log} {session.said}")
            self.said = set(session.said.splitlines())
            counts = collections.Counter(re.findall(r"^(\d+) +(\w+)\(", trace.read(), re.MULTILINE))
        self.counts = {}
        for (_, call), count in counts.items():
            self.counts[call] = max(count, self.counts.get(call, 0))

    def session(self, server):
        session = Session(self.program, server.display)
        session.take_over(self.state)
        return session

    def errors(self):
        """Yields the checks in which a call fails, by name."""
        for call, number in self.each():
            yield f"{call} {number}: {ERRORS[call]}", lambda server, call=call, number=number: self.fail(
                server, call, number
            )

    def kills(self):
        for call, number in self.each():
            yield f"{call} {number}: SIGKILL", lambda server, call=call, number=number: self.kill(server, call, number)

    def each(self):
        """Yields each call; of those that read /proc again and again, 100 from the first to the last."""
        for call in sorted(self.counts):
            count = self.counts[call]
            for index in range(min(count, 100)):
                yield call, 1 + index * count // min(count, 100)

    def fail(self, server, call, number):
        with self.session(server) as session, tempfile.NamedTemporaryFile("r") as trace:
            session.start(trace_only(call, f"error={ERRORS[call]}:when={number}", trace.name))
            session.play()
            code = session.end()
            if not is_possible(trace.read()):
                return
            if code not in GOOD_ENDS and not (code == EARLY_END and not session.reported):
                raise Fault(f"ends with {code}: {session.said}")
            session.check_output()
            is_whole = session.log == ["enter", "leave"] * 3
            said = [line for line in session.said.splitlines() if line.split("/tmp")[0] not in self.starts()]
            if not is_whole and code == 0 and not said:
                raise Fault(f"{session.log}, and nothing is reported: {session.said}")
            session.settle()
            session.check_log()

    def starts(self):
        return {line.split("/tmp")[0] for line in self.said}

    def kill(self, server, call, number):
        with self.session(server) as session:
            session.start(trace_only(call, f"signal=KILL:when={number}"))
            session.play()
            session.end()
            session.check_output()
            owed = session.owed()
            session.settle()
            # A part that has started but is not in the record yet runs again.
            session.check_log(repeated=0 if "leave" in owed else len(owed))
