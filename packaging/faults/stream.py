"""Cuts, stalls or delays the stream from the X server at each of its messages."""

import select
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from desktop import FOLDER
from session import Fault, Session, wait_for

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Benchmarks"))
from proxy.wire import Answers, Requests  # noqa: E402

# Opening a display may take 5 s, and work that has begun then 10 s more. The rest is for a slow machine.
LIMIT = 20
DELAY = 0.3
# Commands that read once, each with a part of its output.
ONCE = ((["list"], "Alpha"), (["explain", "Alpha"], "Alpha"), (["doctor"], "X.Org"))


class Proxy:
    """A proxy of a display, for one client; the fault happens before the message with the given number."""

    def __init__(self, display, number=None, what=None):
        self.number, self.what, self.count = number, what, 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.display = self.listen()
        self.behind = f"{FOLDER}/X{display.removeprefix(':')}"
        self.stopped, self.stop = socket.socketpair()
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def listen(self):
        for number in range(5000, 9000):
            try:
                self.listener.bind(f"{FOLDER}/X{number}")
            except OSError:
                continue
            self.listener.listen()
            return f":{number}"
        raise OSError("no display number is free")

    def serve(self):
        if self.listener not in select.select([self.listener, self.stopped], [], [])[0]:
            return
        client, server = self.listener.accept()[0], socket.socket(socket.AF_UNIX)
        server.connect(self.behind)
        requests = Requests()
        answers = Answers(requests)
        with client, server:
            while True:
                ready = select.select([client, server, self.stopped], [], [])[0]
                if self.stopped in ready:
                    return
                try:
                    if client in ready:
                        if not (data := client.recv(1 << 16)):
                            return
                        requests.take(data)
                        server.sendall(data)
                    if server in ready:
                        if not (data := server.recv(1 << 16)):
                            return
                        for _, message in answers.take(data):
                            if not self.pass_on(message, client):
                                return
                except ConnectionError:
                    return

    def pass_on(self, message, client):
        self.count += 1
        if self.count == self.number:
            if self.what == "cut":
                return False
            if self.what == "torn":
                client.sendall(message[: len(message) // 2])
                return False
            if self.what == "stalled":
                # The client's messages are not read either.
                self.stopped.recv(1)
                return False
            time.sleep(DELAY)
        client.sendall(message)
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop.send(b"\0")
        self.thread.join()
        for end in (self.listener, self.stop, self.stopped):
            end.close()
        Path(f"{FOLDER}/X{self.display.removeprefix(':')}").unlink()


def checks(program, server):
    """Yields the checks by name: of `run` with a pair, and in turn of the commands that read once."""
    with Proxy(server.display) as proxy:
        play(program, server, proxy)
        count = proxy.count
    with Proxy(server.display) as proxy:
        read(program, server, proxy, 0)
        once = proxy.count
    for what in ("cut", "torn", "stalled", "delayed"):
        for number in range(1, count + 1):
            yield f"run, message {number} {what}", lambda server, number=number, what=what: run_with_fault(
                play, program, server, number, what
            )
        for number in range(1, once + 1):
            yield f"{ONCE[number % 3][0][0]}, message {number} {what}", lambda server, number=number, what=what: (
                run_with_fault(read, program, server, number, what, number % 3)
            )


def run_with_fault(body, program, server, number, what, *further):
    with Proxy(server.display, number, what) as proxy:
        body(program, server, proxy, *further)


def play(program, server, proxy):
    with Session(program, proxy.display, server.display) as session:
        session.start()
        session.play(patience=1.5 if proxy.what == "stalled" else 10)
        if proxy.what == "stalled" and session.has_ended:
            is_good = session.process.returncode == 69
        elif proxy.what in ("cut", "torn") and proxy.count >= proxy.number:
            is_good = wait_for(lambda: session.has_ended, LIMIT) and session.process.returncode == 69
        else:
            # xphase may not handle signals yet.
            is_good = session.end() == 0 or not session.reported
            if proxy.what != "stalled" and session.log != ["enter", "leave"] * 2:
                raise Fault(f"{session.log} {session.said}")
        if not is_good:
            raise Fault(f"ends with {session.process.poll()}: {session.said}")
        session.check_output()
        session.check_log()
        if session.owed():
            raise Fault(f"still owed: {session.record()} {session.said}")


def read(program, server, proxy, which):
    command, printed = ONCE[which]
    with Session(program, proxy.display, server.display) as session:
        try:
            done = subprocess.run(
                [program, *command], env=session.environment, capture_output=True, text=True, timeout=LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            raise Fault(f"still running after {LIMIT} s") from None
        is_lost = proxy.what not in (None, "delayed") and proxy.count >= proxy.number
        if done.returncode != (69 if is_lost else 0) or is_lost != bool(done.stderr):
            raise Fault(f"ends with {done.returncode}: {done.stderr}")
        if not is_lost and printed not in done.stdout:
            raise Fault(f"printed {done.stdout}")
