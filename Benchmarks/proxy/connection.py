"""A client's connection through the proxy."""

import collections
import contextlib
import time

from proxy.rounds import Rounds
from proxy.waiting import is_asleep, process_of
from proxy.wire import Answers, Requests

CHUNK = 1 << 18


class Connection:
    """Passes on the data of both sides after a delay.

    Without a delay, replies are held back until the client has sent all its requests and sleeps, so that the
    count does not depend on whether the client or the server is faster.
    """

    def __init__(self, client, server, delay):
        self.client = client
        self.server = server
        self.delay = delay
        self.process = process_of(client)
        self.requests = Requests()
        self.answers = Answers(self.requests)
        self.rounds = Rounds()
        self.to_server = collections.deque()
        self.to_client = collections.deque()
        self.is_open = True

    def read_client(self):
        """Returns whether there was any data."""
        data = self.read(self.client)
        if data:
            self.to_server.append((time.monotonic() + self.delay, data))
            for number, name in self.requests.take(data):
                self.rounds.sent(number, name)
        return bool(data)

    def read_server(self):
        if data := self.read(self.server):
            due = time.monotonic() + self.delay
            self.to_client.extend((due, number, message) for number, message in self.answers.take(data))

    def read(self, socket):
        try:
            data = socket.recv(CHUNK)
        except BlockingIOError:
            return b""
        except ConnectionError:
            data = b""
        self.is_open = self.is_open and bool(data)
        return data

    def pass_on(self):
        now = time.monotonic()
        while self.to_server and self.to_server[0][0] <= now:
            self.write(self.server, self.to_server.popleft()[1])
        if self.delay or self.client_waits():
            self.deliver(now)

    def client_waits(self):
        if not self.to_client or not is_asleep(self.process):
            return False
        # The client may have sent something between the last read and its sleep.
        return not self.read_client()

    def deliver(self, now):
        messages = bytearray()
        while self.to_client and self.to_client[0][0] <= now:
            _, number, message = self.to_client.popleft()
            if number is not None:
                self.rounds.delivered(number)
            messages += message
        # In one write, as the server wrote them: a client wakes for each part.
        if messages:
            self.write(self.client, messages)

    def write(self, socket, data):
        socket.setblocking(True)
        with contextlib.suppress(ConnectionError):
            socket.sendall(data)
        socket.setblocking(False)

    def next_due(self):
        """Returns the seconds until queued data is due; None if no data is queued."""
        if not self.delay:
            return 0 if self.to_client or self.to_server else None
        waiting = [queue[0][0] for queue in (self.to_server, self.to_client) if queue]
        return max(0.0, min(waiting) - time.monotonic()) if waiting else None

    def close(self):
        self.client.close()
        self.server.close()
