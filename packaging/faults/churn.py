"""Windows, hooks, reloads and window managers come and go at random, as fast as possible."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

from session import Fault, Session, wait_for

APPLICATIONS = [f"App{number}" for number in range(20)]
HOOKS = """
settle = "20ms"

[[hook]]
name = "run"
application = "App1*"
to = "inactive"
run = ["true"]

[[hook]]
name = "pair"
application = "App*"
while = "background"
enter = ["true"]
leave = ["true"]
"""
MOST_WINDOWS = 100
# Memory that a burst needed stays allocated for the next one.
SPARE_KILOBYTES = 6 * 1024
# The number of times that memory and descriptors are sampled.
SAMPLES = 12


class Churn:
    def __init__(self, session, seed):
        self.session, self.random = session, random.Random(seed)
        self.windows, self.manager, self.reloads = [], None, 0
        self.acts = {
            self.open: 30,
            self.close: 25,
            self.move: 40,
            self.focus: 40,
            self.rename: 10,
            self.reload: 1,
            self.replace_manager: 0.2,
        }

    def act(self):
        (act,) = self.random.choices(list(self.acts), self.acts.values())
        act()

    def open(self):
        if len(self.windows) < MOST_WINDOWS:
            self.windows.append(self.session.client.window(self.random.choice(APPLICATIONS)))

    def close(self):
        if self.windows:
            self.session.client.destroy(self.windows.pop(self.random.randrange(len(self.windows))))

    def move(self):
        if self.windows:
            self.session.client.move(self.random.choice(self.windows), self.random.choice((-5000, 0, 50)))

    def focus(self):
        if self.windows:
            self.session.client.focus(self.random.choice(self.windows))

    def rename(self):
        if self.windows:
            self.session.client.set_class(self.random.choice(self.windows), self.random.choice(APPLICATIONS))

    def reload(self):
        self.reloads += 1
        draft = self.session.home / "draft"
        draft.write_text(HOOKS.replace("App1", f"App{self.reloads % 3}"))
        draft.rename(self.session.home / "config/xphase/config.toml")
        self.session.process.send_signal(signal.SIGHUP)

    def replace_manager(self):
        self.end_manager()
        self.manager = subprocess.Popen(
            ["openbox", "--sm-disable"],
            env=self.session.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def end_manager(self):
        if self.manager:
            self.manager.kill()
            self.manager.wait()
            self.manager = None


def figures(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    kilobytes = int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])
    return kilobytes, len(os.listdir(f"/proc/{process.pid}/fd"))


class Watched:
    """The output of the session, read line by line, since the output of an hour does not fit into memory."""

    def __init__(self, session):
        self.file, self.rest, self.phases = open(session.home / "out", "rb"), b"", {}

    def read(self):
        while data := self.file.read(1 << 20):
            *lines, self.rest = (self.rest + data).split(b"\n")
            note(lines, self.phases)
        return {name: phase for name, phase in self.phases.items() if phase}


def note(lines, phases):
    """Stores the phase of each application that lines of JSON report."""
    for line in map(json.loads, lines):
        if line["kind"] == "application":
            phases[line["application"]] = line["to"]


def churn(program, server, seconds, seed):
    with Session(program, server.display, configuration=HOOKS) as session:
        session.start()
        session.wait_until(lambda: session.has_begun, 20)
        churn, watched = Churn(session, seed), Watched(session)
        start, acts, taken = time.monotonic(), 0, []
        try:
            while (passed := time.monotonic() - start) < seconds:
                churn.act()
                acts += 1
                if session.has_ended:
                    raise Fault(f"seed {seed}: ended with {session.process.returncode}: {session.said[-500:]}")
                if passed >= seconds * (len(taken) + 1) / SAMPLES:
                    taken.append(figures(session.process))
                    watched.read()

            def listed():
                phases = {}
                command = [program, "list", "--json"]
                done = subprocess.run(command, env=session.environment, capture_output=True, check=True, timeout=30)
                note(done.stdout.splitlines(), phases)
                return phases

            if not wait_for(lambda: listed() == watched.read(), 20, 0.5):
                raise Fault(f"seed {seed}: listed {listed()}, watched {watched.read()}")
            early = taken[len(taken) // 4]
            # Programs of hooks also hold descriptors until they have ended.
            if not wait_for(lambda: figures(session.process)[1] <= early[1] + 4, 20):
                raise Fault(f"seed {seed}: kB and descriptors {taken} first, {figures(session.process)} last")
            late = figures(session.process)
            if late[0] > early[0] + SPARE_KILOBYTES:
                raise Fault(f"seed {seed}: kB and descriptors {taken} first, {late} last")
            if code := session.end():
                raise Fault(f"seed {seed}: ends with {code}: {session.said[-500:]}")
            watched.read()
            if watched.rest:
                raise Fault(f"seed {seed}: a torn line: {watched.rest[-80:]!r}")
            steps = " ".join(f"{kilobytes}/{descriptors}" for kilobytes, descriptors in [*taken, late])
            print(f"churn: {acts} acts, {churn.reloads} reloads; kB/descriptors {steps}", flush=True)
        finally:
            churn.end_manager()
