"""Determines whether a client waits."""

import socket
import struct
from pathlib import Path

SO_PEERCRED_FORMAT = "3i"


def process_of(client):
    """Returns the id of the process at the other end of a Unix socket."""
    size = struct.calcsize(SO_PEERCRED_FORMAT)
    return struct.unpack(SO_PEERCRED_FORMAT, client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))[
        0
    ]


def is_asleep(pid):
    """Returns whether no thread of a process runs. Also true if there is no such process."""
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            # The name of the process may contain any character.
            if (task / "stat").read_text().rpartition(")")[2].split()[0] not in "SZX":
                return False
    except OSError:
        pass
    return True
