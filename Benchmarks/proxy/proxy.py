"""A proxy of a display that counts round trips."""

import contextlib
import os
import selectors
import socket
import threading

from proxy.connection import Connection

FOLDER = "/tmp/.X11-unix"
FIRST_NUMBER = 600


class Proxy:
    """Serves clients on a separate thread until it is closed."""

    def __init__(self, display, delay=0.0):
        """Starts a proxy for a display of this machine. `delay` is in seconds, each way."""
        self.behind = f"{FOLDER}/X{display.removeprefix(':')}"
        self.delay = delay
        self.listener, self.number = listen()
        self.listener.setblocking(False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ)
        self.stopping, self.stop = os.pipe()
        self.selector.register(self.stopping, selectors.EVENT_READ)
        self.connections = []
        self.ended = []
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    @property
    def display(self):
        return f":{self.number}"

    @property
    def rounds(self):
        """The counts of each connection."""
        return [connection.rounds for connection in [*self.ended, *self.connections]]

    @property
    def count(self):
        return sum(rounds.count for rounds in self.rounds)

    def serve(self):
        while True:
            due = [wait for connection in self.connections if (wait := connection.next_due()) is not None]
            ready = {key.fileobj for key, _ in self.selector.select(min(due, default=None))}
            if self.stopping in ready:
                return
            if self.listener in ready:
                self.accept()
            for connection in list(self.connections):
                if connection.client in ready:
                    connection.read_client()
                if connection.server in ready:
                    connection.read_server()
                connection.pass_on()
                if not connection.is_open:
                    self.drop(connection)

    def accept(self):
        client, _ = self.listener.accept()
        server = socket.socket(socket.AF_UNIX)
        server.connect(self.behind)
        for end in (client, server):
            end.setblocking(False)
            self.selector.register(end, selectors.EVENT_READ)
        self.connections.append(Connection(client, server, self.delay))

    def drop(self, connection):
        for end in (connection.client, connection.server):
            self.selector.unregister(end)
        connection.close()
        self.connections.remove(connection)
        self.ended.append(connection)

    def close(self):
        os.write(self.stop, b"\0")
        self.thread.join()
        for connection in list(self.connections):
            self.drop(connection)
        self.selector.close()
        self.listener.close()
        os.close(self.stop)
        os.close(self.stopping)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{FOLDER}/X{self.number}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def listen():
    """Returns a socket for a free display number, and the number."""
    os.makedirs(FOLDER, mode=0o1777, exist_ok=True)
    for number in range(FIRST_NUMBER, FIRST_NUMBER + 100):
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(f"{FOLDER}/X{number}")
        except OSError:
            listener.close()
            continue
        listener.listen()
        return listener, number
    raise OSError(f"no display number is free from {FIRST_NUMBER} on")
