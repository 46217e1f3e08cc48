"""Holds each system call of a session that touches a path, as a disk that does not answer does. What is frozen must run as
soon as it is shown, and SIGTERM must end xphase, while the call is still held.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import desktop
from desktop import wait_for
from hold import Holder
from session import HOOKS, Fault, Session, is_stopped

# Besides the pair and the freeze of every session.
MORE_HOOKS = """
[[hook]]
name = "asked"
application = "Other"
while = "background"
do = ["freeze", "mute"]

[[hook]]
name = "checked"
application = "Alpha"
to = "background"
unless = ["false"]
run = ["{home}/bin/ran"]
timeout = "2s"
"""

# What no disk holds up: the kernel's own files, such as those of devices, control groups and memfd_create(2), and /run
# and the runtime directory, which are a tmpfs; without one, the socket is in the home directory. Of /dev, other file systems may be
# mounted in directories, such as /dev/shm. The memory of a process that waits for a disk cannot be read.
EXEMPT = re.compile(r"/(proc(?!/\d+/(cmdline|environ)$)|sys)(/|$)|/dev(/pts)?(/[^/]+)?$|/memfd:|HOME/runtime(?!/xphase/)(/|$)|/run(/|$)")
# A disk that does not answer is waited for this long.
HOLD = 8
# At its end, xphase waits 1 s for a program that cannot start, and 10 s for the disk of the record.
END, LAST_END = 5, 20


class Hang(Session):
    """A session of all that touches a path, in which calls can be held."""

    def __init__(self, program, display):
        super().__init__(program, display)
        binaries = self.home / "bin"
        binaries.mkdir()
        streams = self.home / "streams"
        for name, text in (("ran", "echo ran >> log"), ("pactl", f"cat {streams}")):
            (binaries / name).write_text(f"#!/bin/sh\n{text}\n")
            (binaries / name).chmod(0o755)
        # The socket of an audio server that was started without a runtime directory.
        sound = self.home / "config/pulse"
        sound.mkdir()
        (sound / "native").write_text("")
        (sound / "host-runtime").symlink_to(sound)
        (self.home / "config/xphase/hooks.d").mkdir()
        hook = self.home / "config/xphase/hooks.d/any"
        hook.write_text("#!/bin/sh\n")
        hook.chmod(0o755)
        self.config.write_text(HOOKS + MORE_HOOKS.replace("{home}", str(self.home)))
        self.shared = Path(f"/dev/shm/{self.home.name}")
        self.environment["PATH"] = f"{binaries}:/usr/bin:/bin"
        self.environment["XAUTHORITY"] = str(self.home / "authority")
        (self.home / "authority").write_bytes(b"")
        with open(self.shared, "wb") as shared:
            command = [sys.executable, "-B", desktop.__file__, display, "Other"]
            self.other = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[shared.fileno()]
            )
        self.asked = int(self.other.stdout.readline())
        properties = {"application.process.id": str(self.other.pid)}
        stream = {"index": 7, "corked": True, "mute": False, "properties": properties}
        streams.write_text(json.dumps([stream]))
        self.holder = Holder(self.home, program)

    def __exit__(self, *arguments):
        self.holder.end()
        self.other.kill()
        self.other.communicate()
        self.shared.unlink(missing_ok=True)
        super().__exit__(*arguments)

    @property
    def config(self):
        return self.home / "config/xphase/config.toml"

    @property
    def is_other_frozen(self):
        return is_stopped(self.other)

    def key(self, call):
        """Returns what a call has in common with those of other sessions; nil for one that never waits."""
        path = call.path.replace(str(self.home), "HOME").replace(self.home.name, "FILE")
        if EXEMPT.match(path):
            return None
        path = re.sub(r"\.\d+|:\d+|(?<=/proc/)\d+|(?<=X)\d+$|\d{4}-\d\d-\d\d|run-[^/]+", "N", path)
        # A thread may make the same call earlier.
        return f"{call.name} {path}{' in the loop' if call.thread == self.process.pid else ''}"

    def begin(self):
        """Starts xphase, and waits until it has frozen a program."""
        self.start(self.holder.prefix)
        self.until(lambda: self.has_begun)
        self.client.move(self.sleeping, -5000)
        self.until(lambda: self.is_frozen)

    def until(self, is_true):
        if not self.wait_until(is_true, 20):
            raise Fault(f"a session without a fault stops: {self.log} {self.said}")

    def steps(self):
        """The events of a session, each with what follows."""
        said = len(self.said)
        away, back = -5000, 0
        yield self.client.move, (self.window, away), lambda: {"enter", "ran"} <= set(self.log)
        yield self.client.move, (self.asked, away), lambda: self.is_other_frozen
        yield self.signal, (signal.SIGHUP,), lambda: "reloaded" in self.said[said:]
        yield self.change, (), lambda: self.said[said:].count("reloaded") > 1
        yield self.ask, (), lambda: True
        yield self.remove, (), lambda: "made it again" in self.said[said:]
        yield self.start_again, (), lambda: not self.is_frozen
        yield self.client.move, (self.window, back), lambda: "leave" in self.log
        yield self.client.move, (self.sleeping, back), lambda: True
        yield self.client.move, (self.sleeping, away), lambda: self.is_frozen
        yield self.client.move, (self.asked, back), lambda: not self.is_other_frozen

    def signal(self, number):
        os.kill(self.process.pid, number)

    def change(self):
        """Adds a hook, and has the journal written."""
        self.config.write_text(f'journal = true\n{self.config.read_text()}[[hook]]\nname = "new"\nrun = ["true"]\n')

    def ask(self):
        for words in (["hooks", "status"], ["hooks", "why", "Other"]):
            command = [self.program, *words]
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(command, env=self.environment, capture_output=True, timeout=20)

    def remove(self):
        """Removes the socket and the lock of the service, as a program that cleans up does."""
        for file in (self.home / "runtime/xphase").iterdir():
            file.unlink()

    def start_again(self):
        """Starts the frozen program again, which thaws it."""
        # Not a child of the same program, which would be none.
        command = ["sh", "-c", '"$@"; exit', "sh", sys.executable, "-B", desktop.__file__]
        command += [self.environment["DISPLAY"], "Second"]
        second = subprocess.Popen(command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        second.stdout.readline()
        wait_for(lambda: not self.is_frozen or self.holder.held, 20)
        second.communicate()


class Hangs:
    """The calls of a session that touch a path, from its first freeze to its end."""

    def __init__(self, program, server):
        self.program = program
        # In the order of the calls.
        self.keys = {}
        with Hang(program, server.display) as session:
            session.begin()
            session.holder.is_chosen = lambda call: self.note(session, call)
            for act, arguments, follows in session.steps():
                act(*arguments)
                session.until(follows)
            if session.end():
                raise Fault(f"a session without a fault fails: {session.said}")

    def note(self, session, call):
        if key := session.key(call):
            self.keys.setdefault(key, None)
        return False

    def checks(self):
        for key in self.keys:
            yield f"{key} does not return", lambda server, key=key: self.hold(server, key)

    def hold(self, server, key):
        """Holds the calls of a key, and returns for how many seconds what was shown stayed frozen."""
        seconds = 0
        with Hang(self.program, server.display) as session:
            session.begin()
            session.holder.is_chosen = lambda call: session.key(call) == key
            held = session.holder.held
            for act, arguments, follows in session.steps():
                act(*arguments)
                if not session.wait_until(lambda follows=follows: held or follows(), 20):
                    raise Fault(f"the session stops without a fault: {session.said}")
                if held:
                    break
            if held and session.is_frozen:
                seconds = self.check_thaw(session, lambda: session.is_frozen, session.sleeping)
            elif held and session.is_other_frozen:
                seconds = self.check_thaw(session, lambda: session.is_other_frozen, session.asked)
            self.check_end(session, key)
            if not held:
                raise Fault(f"not called: {session.said}")
            return seconds

    def check_thaw(self, session, is_frozen, window):
        start = time.monotonic()
        session.client.move(window, 0)
        if not wait_for(lambda: not is_frozen(), HOLD, 0.002):
            raise Fault(f"what is shown is still frozen after {HOLD} s: {session.said}")
        return time.monotonic() - start

    def check_end(self, session, key):
        session.signal(signal.SIGTERM)
        if not wait_for(lambda: not session.is_frozen and not session.is_other_frozen, HOLD):
            raise Fault(f"frozen {HOLD} s after SIGTERM: {session.said}")
        patience = END if key.startswith(("execve", "chdir")) else LAST_END
        if not wait_for(lambda: session.has_ended, patience):
            raise Fault(f"still running {patience} s after SIGTERM: {session.said}")
