"""raw_client.py NUMBER: a client of the display :NUMBER that makes seven round trips, known to the byte."""

import socket
import sys

SET_UP = bytes([ord("l"), 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])
GET_INPUT_FOCUS = bytes([43, 0, 1, 0])
# Of window 0, which does not exist: the answer is an error.
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
    # Cut in the middle of a request, which is sent as two parts.
    server.sendall(GET_INPUT_FOCUS[:2])
    ask(server, GET_INPUT_FOCUS[2:])
    # Together more than the 16 bits of a sequence number.
    for _ in range(2):
        ask(server, NO_OPERATION * 40_000 + GET_INPUT_FOCUS)


def ask(server, requests, answers=1):
    server.sendall(requests)
    receive(server, answers * ANSWER)


def receive(server, count):
    received = server.recv(count, socket.MSG_WAITALL)
    if len(received) != count:
        sys.exit(f"raw_client.py: {len(received)} bytes came instead of {count}")
    return received


main()
