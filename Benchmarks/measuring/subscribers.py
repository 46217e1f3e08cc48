"""Programs that subscribe to a running `xphase run`."""

import contextlib
import selectors
import socket
import threading
import time
from pathlib import Path

from measuring.failure import Failure

CALL = b'{"method":"org.xphase.Phases.Watch","parameters":{"filter":{"initial":false}},"more":true}\0'
# Seconds.
DEADLINE = 60


@contextlib.contextmanager
def subscribers(count, display, places):
    """Connects this many subscribers, which read and discard everything they receive."""
    path = Path(places["XDG_RUNTIME_DIR"]) / "xphase" / display
    selector = selectors.DefaultSelector()
    for _ in range(count):
        peer = connect(path)
        peer.sendall(CALL)
        selector.register(peer, selectors.EVENT_READ)
    reader = threading.Thread(target=drain, args=[selector], daemon=True)
    reader.start()
    yield
    for key in list(selector.get_map().values()):
        key.fileobj.shutdown(socket.SHUT_RDWR)
    reader.join()


def connect(path):
    deadline = time.monotonic() + DEADLINE
    while True:
        peer = socket.socket(socket.AF_UNIX)
        try:
            peer.connect(str(path))
        except OSError as error:
            peer.close()
            if time.monotonic() > deadline:
                raise Failure(f"cannot connect to {path}: {error}") from error
            time.sleep(0.05)
        else:
            return peer


def drain(selector):
    while selector.get_map():
        for key, _ in selector.select():
            if not key.fileobj.recv(1 << 16):
                selector.unregister(key.fileobj)
                key.fileobj.close()
