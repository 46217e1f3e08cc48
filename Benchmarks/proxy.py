"""A proxy of an X server that counts how often a client waits for it."""

import contextlib
import os
import select
import socket

from harness import DEADLINE, Failure, fields, tasks

FOLDER = "/tmp/.X11-unix"


def round_trips(session, command):
    """Returns how often a program with one connection waits for the server until it ends.

    The proxy holds back what the server sends until client and server sleep: the client has then sent all that it can
    send without an answer, and the server has answered it. So the count does not depend on which of them is faster.
    """
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.settimeout(DEADLINE)
        # No other display has such a number.
        number = 10_000 + os.getpid()
        listener.bind(f"{FOLDER}/X{number}")
        stack.callback(os.unlink, f"{FOLDER}/X{number}")
        listener.listen()
        process = session.start(command, env=session.environment | {"DISPLAY": f":{number}"})
        client = stack.enter_context(listener.accept()[0])
        server = stack.enter_context(socket.socket(socket.AF_UNIX))
        server.connect(f"{FOLDER}/X{session.environment['DISPLAY'][1:]}")
        count = serve(client, server, [process.pid, session.server.pid])
    if process.wait(DEADLINE) != 0:
        raise Failure(f"{' '.join(command)} failed")
    return count


def serve(client, server, pids):
    """Passes on the data of both sides until the client ends, and returns how often it waited for an answer."""
    count, asks, held = 0, False, b""
    while True:
        # While an answer is held, it looks again soon, since nothing announces that the programs sleep.
        ready = select.select([client, server], [], [], 0.0002 if held else DEADLINE)[0]
        if client in ready:
            if not (data := client.recv(1 << 18)):
                return count
            server.sendall(data)
            asks = True
        elif server in ready:
            held += server.recv(1 << 18)
        elif not held:
            raise Failure("the client neither sends nor ends")
        elif are_asleep(pids) and not select.select([client, server], [], [], 0)[0]:
            # Events alone answer nothing.
            count += asks
            asks = False
            client.sendall(held)
            held = b""


def are_asleep(pids):
    return all(fields(task)[0] in "SZX" for pid in pids for task in tasks(pid))
