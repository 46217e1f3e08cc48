#!/usr/bin/env python3
"""Prints the page of keys for the application in use, as a deck of keys needs it: deck.py Firefox=web Emacs=code"""

import json
import os
import socket
import sys

pages = dict(argument.split("=", 1) for argument in sys.argv[1:])
# `xphase doctor` prints this address.
runtime = os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")
address = os.path.join(runtime, "xphase", os.environ["DISPLAY"].split(".")[0])
service = socket.socket(socket.AF_UNIX)
service.connect(address)
service.sendall(b'{"method":"org.xphase.Phases.Active","more":true}\0')
rest = b""
while data := service.recv(1 << 16):
    *messages, rest = (rest + data).split(b"\0")
    for message in messages:
        scene = json.loads(message)["parameters"].get("active")
        print(pages.get(scene["application"] if scene else None, "home"), flush=True)
