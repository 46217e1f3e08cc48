"""A plain X server, and a client that shows windows. The client speaks the X protocol itself and needs no library.

usage: desktop.py DISPLAY CLASS: shows one window, and prints its id.
"""

import os
import select
import socket
import struct
import subprocess
import sys

WM_CLASS, STRING = 67, 31


class Server:
    """An Xvfb without a window manager."""

    def __init__(self):
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-nolisten", "tcp", "-noreset", "-s", "0", "-screen", "0", "640x480x24"]
        self.process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number:
            self.display = f":{number.readline().strip()}"

    def end(self):
        self.process.kill()
        self.process.wait()


class Client:
    """Shows windows of 100 by 100 pixels; every call waits until the server has processed it."""

    def __init__(self, display):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(f"/tmp/.X11-unix/X{display.removeprefix(':')}")
        self.socket.sendall(struct.pack("<cxHHHHxx", b"l", 11, 0, 0, 0))
        (words,) = struct.unpack_from("<H", self.read(8), 6)
        setup = self.read(4 * words)
        self.next_id, _, _, vendor = struct.unpack_from("<IIIH", setup, 4)
        formats = setup[21]
        (self.root,) = struct.unpack_from("<I", setup, 32 + (vendor + 3 & ~3) + 8 * formats)

    def read(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the X server closed the connection")
            data += part
        return data

    def request(self, opcode, detail, body):
        self.socket.sendall(struct.pack("<BBH", opcode, detail, 1 + len(body) // 4) + body)

    def sync(self):
        self.request(43, 0, b"")
        while self.read(32)[0] != 1:
            pass

    def window(self, name):
        """Maps a window of a class, and returns its id."""
        window, self.next_id = self.next_id, self.next_id + 1
        self.request(1, 0, struct.pack("<IIhhHHHHII", window, self.root, 0, 0, 100, 100, 0, 1, 0, 0))
        value = f"{name.lower()}\0{name}\0".encode()
        body = struct.pack("<IIIBxxxI", window, WM_CLASS, STRING, 8, len(value))
        self.request(18, 0, body + value + b"\0" * (-len(value) % 4))
        self.request(8, 0, struct.pack("<I", window))
        self.sync()
        return window

    def move(self, window, x):
        self.request(12, 0, struct.pack("<IHxxi", window, 1, x))
        self.sync()

    def close(self):
        self.socket.close()


def wait_for(is_true, seconds, interval=0.01):
    """Returns whether a condition becomes true in time."""
    for _ in range(max(1, int(seconds / interval))):
        if is_true():
            return True
        select.select([], [], [], interval)
    return is_true()


if __name__ == "__main__":
    client = Client(sys.argv[1])
    print(client.window(sys.argv[2]), flush=True)
    sys.stdin.read()
