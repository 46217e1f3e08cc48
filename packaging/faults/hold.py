"""Holds system calls of a program that touch a path, as a file system that does not answer does.

usage: hold.py SOCKET PROGRAM...: runs a program whose calls a `Holder` receives at the socket. Needs no rights.
"""

import ctypes
import fcntl
import os
import re
import select
import socket
import struct
import sys
import threading
from pathlib import Path

# The arguments with the directory and the path; of a call without a directory, None.
BY_PATH = {
    **dict.fromkeys(("open", "stat", "lstat", "access", "readlink", "execve", "chdir", "statfs"), (None, 0)),
    **dict.fromkeys(("mkdir", "unlink", "rmdir", "rename", "link", "chmod", "truncate", "mknod"), (None, 0)),
    **dict.fromkeys(("openat", "openat2", "newfstatat", "statx", "faccessat", "faccessat2", "readlinkat"), (0, 1)),
    **dict.fromkeys(("execveat", "mkdirat", "unlinkat", "renameat", "renameat2", "linkat", "fchmodat"), (0, 1)),
    **dict.fromkeys(("fchmodat2", "utimensat", "mknodat", "name_to_handle_at"), (0, 1)),
    "inotify_add_watch": (None, 1),
    "connect": (None, 1),
    "symlink": (None, 1),
    "symlinkat": (1, 2),
}
# The first argument is an open file.
BY_FILE = ("read", "pread64", "write", "pwrite64", "getdents64", "fstat", "fsync", "fdatasync", "ftruncate", "fchdir")
# Calls that do not follow a symbolic link at the end of the path.
NO_FOLLOW = {"lstat", "readlink", "readlinkat", "unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2", "mkdir"}
AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW = 0x1000, 0x100

# From linux/seccomp.h, linux/filter.h and linux/prctl.h.
SET_MODE_FILTER, NEW_LISTENER, NO_NEW_PRIVILEGES = 1, 8, 38
ALLOW, NOTIFY = 0x7FFF0000, 0x7FC00000
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
RECEIVE, SEND, CONTINUE = 0xC0502100, 0xC0182101, 1


def call_numbers():
    """Returns the numbers of the system calls, from the headers of the kernel."""
    include = Path("/usr/include")
    (header,) = list(include.glob(f"{os.uname().machine}-linux-gnu/asm/unistd_64.h"))[:1] or [
        include / "asm-generic/unistd.h"
    ]
    return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", header.read_text())}


NUMBERS = call_numbers()
NAMES = {NUMBERS[name]: name for name in (*BY_PATH, *BY_FILE) if name in NUMBERS}


def listen():
    """Has the kernel report the calls of this process and of its children, and returns the descriptor of the reports."""
    rows = [(LOAD, 0, 0, 0)]
    rows += [(JUMP_IF_EQUAL, len(NAMES) - index, 0, number) for index, number in enumerate(NAMES)]
    rows += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, NOTIFY)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *row) for row in rows))
    program = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(rows), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    number = libc.syscall(NUMBERS["seccomp"], SET_MODE_FILTER, NEW_LISTENER, program)
    if number < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return number


class Call:
    """A reported call: its name, its thread, and the path that it touches, with symbolic links resolved."""

    def __init__(self, report):
        self.id, self.thread, _, number, _, _, *arguments = struct.unpack("<QIIiIQ6Q", report)
        self.name = NAMES[number]
        self.path = None
        folder, place = BY_PATH.get(self.name, (0, None))
        if self.name == "connect":
            # An address begins with its family; an abstract name, with a NUL.
            is_local = self.text(arguments[1]) == chr(socket.AF_UNIX)
            self.path = (self.text(arguments[1] + 2) or self.text(arguments[1] + 3)) if is_local else None
            return
        path = self.text(arguments[place]) if place is not None else ""
        if not path:
            # A file without a name, such as a pipe, has a link that is no path.
            link = self.link(f"fd/{arguments[folder or 0] & 0xFFFFFFFF}")
            self.path = link if link.startswith("/") else None
            return
        if not path.startswith("/"):
            number = 0 if folder is None else arguments[folder] & 0xFFFFFFFF
            is_cwd = folder is None or number == 0xFFFFFF9C
            path = f"{self.link('cwd' if is_cwd else f'fd/{number}')}/{path}"
        path = re.sub(r"^/proc/(self|thread-self)(?=/|$)", f"/proc/{self.thread}", path)
        is_end = self.name in NO_FOLLOW or any(
            self.name == name and arguments[3] & AT_SYMLINK_NOFOLLOW for name in ("newfstatat", "faccessat2")
        )
        head, tail = os.path.split(path)
        self.path = os.path.join(os.path.realpath(head), tail) if is_end else os.path.realpath(path)

    def text(self, address):
        if not address:
            return ""
        # A path may end at the end of a mapping.
        with open(f"/proc/{self.thread}/mem", "rb", 0) as memory:
            first = 4096 - address % 4096
            memory.seek(address)
            data = memory.read(first)
            if b"\0" not in data:
                data += memory.read(4096)
        return os.fsdecode(data.split(b"\0")[0])

    def link(self, name):
        return os.readlink(f"/proc/{self.thread}/{name}")


class Holder:
    """Receives the calls of a program, and holds those that are chosen."""

    def __init__(self, folder, program):
        self.program = os.stat(program)
        self.socket = socket.socket(socket.AF_UNIX)
        self.address = f"{folder}/holder"
        self.socket.bind(self.address)
        self.socket.listen()
        # Returns whether to hold a call.
        self.is_chosen = lambda call: False
        self.held = []
        self.is_over = False
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    @property
    def prefix(self):
        return [sys.executable, "-B", __file__, self.address]

    def serve(self):
        connection, _ = self.socket.accept()
        _, (reports,), _, _ = socket.recv_fds(connection, 1, 1)
        connection.close()
        poll = select.poll()
        poll.register(reports, select.POLLIN)
        while True:
            released = [] if not self.is_over else self.held[:]
            for number in released:
                self.held.remove(number)
                self.go_on(reports, number)
            for _, events in poll.poll(50):
                if not events & select.POLLIN:
                    return os.close(reports)
                report = bytearray(80)
                try:
                    fcntl.ioctl(reports, RECEIVE, report)
                except OSError:
                    continue  # The thread has been killed.
                number = struct.unpack_from("<Q", report)[0]
                if self.takes(report):
                    self.held.append(number)
                else:
                    self.go_on(reports, number)

    def takes(self, report):
        try:
            call = Call(report)
            # Not those of hooks, which inherit the reports, nor of Python.
            is_own = os.path.samestat(os.stat(f"/proc/{call.thread}/exe"), self.program)
        except OSError:
            return False  # The thread has been killed, or its argument is none.
        return is_own and not self.is_over and call.path is not None and self.is_chosen(call)

    @staticmethod
    def go_on(reports, number):
        try:
            fcntl.ioctl(reports, SEND, struct.pack("<QqiI", number, 0, 0, CONTINUE))
        except OSError:
            pass  # The thread has been killed.

    def end(self):
        """Releases all calls."""
        self.is_over = True
        self.socket.close()


if __name__ == "__main__":
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(sys.argv[1])
        number = listen()
        socket.send_fds(connection, [b"."], [number])
        os.close(number)
    os.execv(sys.argv[2], sys.argv[2:])
