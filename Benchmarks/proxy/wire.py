"""The X protocol as far as a proxy must know it: where messages end, and their sequence numbers."""

import struct

from proxy.names import REQUESTS


def padded(length):
    return (length + 3) & ~3


class Requests:
    """Splits a client's data into requests. The set-up is number 0, and the requests count from 1."""

    def __init__(self):
        self.bytes = bytearray()
        self.order = None
        self.count = 0
        self.extensions = {}
        self.asked_extensions = {}

    def take(self, data):
        """Returns the numbers and names of the requests that this data completes."""
        self.bytes += data
        taken = []
        while (length := self.next_length()) is not None and len(self.bytes) >= length:
            message = bytes(self.bytes[:length])
            del self.bytes[:length]
            if self.order is None:
                self.order = "<" if message[:1] == b"l" else ">"
                taken.append((0, "connection set-up"))
            else:
                self.count += 1
                taken.append((self.count, self.name(message)))
        return taken

    def next_length(self):
        if self.order is None:
            if len(self.bytes) < 12:
                return None
            name, data = struct.unpack_from("<HH" if self.bytes[:1] == b"l" else ">HH", self.bytes, 6)
            return 12 + padded(name) + padded(data)
        if len(self.bytes) < 4:
            return None
        (words,) = struct.unpack_from(self.order + "H", self.bytes, 2)
        if words:
            return 4 * words
        # BIG-REQUESTS: the length follows.
        return 4 * struct.unpack_from(self.order + "I", self.bytes, 4)[0] if len(self.bytes) >= 8 else None

    def name(self, message):
        opcode = message[0]
        if opcode == 98:
            (length,) = struct.unpack_from(self.order + "H", message, 4)
            self.asked_extensions[self.count] = message[8 : 8 + length].decode("latin-1")
            return f"QueryExtension {self.asked_extensions[self.count]}"
        if opcode >= 128:
            return f"{self.extensions.get(opcode, f'extension {opcode}')} {message[1]}"
        return REQUESTS.get(opcode, f"request {opcode}")

    def learn(self, number, reply):
        """Stores the opcode of an extension from the reply to QueryExtension."""
        if number in self.asked_extensions and reply[8]:
            self.extensions[reply[9]] = self.asked_extensions[number]


class Answers:
    """Splits the server's data into messages, with the number of the request that each answers."""

    def __init__(self, requests):
        self.bytes = bytearray()
        self.requests = requests
        self.is_set_up = False
        self.last = 0

    def take(self, data):
        """Returns the complete messages as pairs of the request's number (None for an event) and the bytes."""
        self.bytes += data
        taken = []
        while (length := self.next_length()) is not None and len(self.bytes) >= length:
            message = bytes(self.bytes[:length])
            del self.bytes[:length]
            taken.append((self.number(message), message))
        return taken

    def next_length(self):
        order = self.requests.order
        if not self.is_set_up:
            if len(self.bytes) < 8:
                return None
            return 8 + 4 * struct.unpack_from(order + "H", self.bytes, 6)[0]
        if len(self.bytes) < 32:
            return None
        has_more = self.bytes[0] in (1, 35)
        return 32 + (4 * struct.unpack_from(order + "I", self.bytes, 4)[0] if has_more else 0)

    def number(self, message):
        if not self.is_set_up:
            self.is_set_up = True
            return 0
        if message[0] not in (0, 1):
            return None
        (low,) = struct.unpack_from(self.requests.order + "H", message, 2)
        # The message contains only the lower half of the number.
        self.last += (low - self.last) & 0xFFFF
        if message[0] == 1:
            self.requests.learn(self.last, message)
        return self.last
