"""raw_client.py NUMBER: a client of the display :NUMBER that makes seven round trips of known bytes."""

import socket
import sys

SET_UP = bytes([ord("l"), 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])
GET_INPUT_FOCUS = bytes([43, 0, 1, 0])
# Names window 0, which does not exist, so the answer is an error.
GET_GEOMETRY = bytes([14, 0, 2, 0, 0, 0, 0, 0])
NO_OPERATION = bytes([127, 0, 1, 0])
ANSWER = 32


def main():
    server = socket.socket(socket.AF_UNIX)
    server.connect(f"/tmp/.X11-unix/X{sys.argv[1]}")
    server.sendall(SET_UP)
    head = receive(server, 8)
    receive(server, 4 * int.from_bytes(head[6:8], "little"))

    ask(server, GET_INPUT_FOCUS * 3, answers=3)
    ask(server, GET_INPUT_FOCUS)
    ask(server, GET_GEOMETRY)
    # A request that is sent in two parts.
    server.sendall(GET_INPUT_FOCUS[:2])
    ask(server, GET_INPUT_FOCUS[2:])
    # Together more requests than a 16-bit sequence number counts.
    for _ in range(2):
        ask(server, NO_OPERATION * 40_000 + GET_INPUT_FOCUS)


def ask(server, requests, answers=1):
    server.sendall(requests)
    receive(server, answers * ANSWER)


def receive(server, count):
    received = server.recv(count, socket.MSG_WAITALL)
    if len(received) != count:
        sys.exit(f"raw_client.py: {len(received)} bytes received instead of {count}")
    return received


main()
