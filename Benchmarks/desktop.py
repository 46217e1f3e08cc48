"""Windows as programs under a window manager have them. Python calls Xlib, and is the client that owns them."""

import ctypes
import os
import socket
import struct

XLIB = ctypes.CDLL("libX11.so.6")
XLIB.XOpenDisplay.restype = ctypes.c_void_p
for function in ("XCreateSimpleWindow", "XDefaultRootWindow", "XInternAtom"):
    XLIB[function].restype = ctypes.c_ulong
# Numbers of the X protocol.
CLIENT_MESSAGE, REPLACE, REVERT_TO_PARENT, NORMAL = 33, 0, 2, 1
TO_WINDOW_MANAGER = 1 << 19 | 1 << 20
# XEvent has 24 words.
EVENT_SIZE = 192


class Desktop:
    """A connection that plays the window manager for its own windows, if it has any."""

    def __init__(self, name, count):
        self.display = ctypes.c_void_p(XLIB.XOpenDisplay(name.encode()))
        self.root = self.call("XDefaultRootWindow")
        self.windows = [self.make(number) for number in range(count)]
        if count:
            for name in ("_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING"):
                self.set(self.root, name, "WINDOW", self.windows)
            # The server focuses only windows that it has mapped.
            self.call("XSync", 0)
            self.queue_focus(0)
        self.call("XSync", 0)

    def call(self, function, *arguments):
        """Calls a function of Xlib. Numbers are passed as words, which 64-bit systems do with shorter ones, too."""
        words = [ctypes.c_ulong(each) if isinstance(each, int) else each for each in arguments]
        return XLIB[function](self.display, *words)

    def atom(self, name):
        # Xlib caches atoms.
        return self.call("XInternAtom", name.encode(), 0)

    def set(self, window, name, kind, value):
        """Sets a property to a text or to a list of numbers."""
        is_text = isinstance(value, str)
        data = value.encode() if is_text else (ctypes.c_ulong * len(value))(*value)
        size = 8 if is_text else 32
        self.call("XChangeProperty", window, self.atom(name), self.atom(kind), size, REPLACE, data, len(data))

    def make(self, number):
        """Makes a window of the application App<number>, with the properties of toolkits and window managers."""
        name, x, y = f"App{number}", number % 700, number % 500
        window = self.call("XCreateSimpleWindow", self.root, x, y, 200, 150, 0, 0, 0)
        for property, kind, value in (
            ("WM_CLASS", "STRING", f"{name}\0{name}\0"),
            ("WM_NAME", "STRING", name),
            ("_NET_WM_NAME", "UTF8_STRING", name),
            ("WM_CLIENT_MACHINE", "STRING", socket.gethostname()),
            # The window takes input.
            ("WM_HINTS", "WM_HINTS", [1, 1, *[0] * 7]),
            # The user has placed it.
            ("WM_NORMAL_HINTS", "WM_SIZE_HINTS", [1, x, y, *[0] * 15]),
            ("_NET_WM_PID", "CARDINAL", [os.getpid()]),
            ("_NET_WM_WINDOW_TYPE", "ATOM", [self.atom("_NET_WM_WINDOW_TYPE_NORMAL")]),
            ("_NET_WM_DESKTOP", "CARDINAL", [0]),
            ("WM_STATE", "WM_STATE", [NORMAL, 0]),
        ):
            self.set(window, property, kind, value)
        self.call("XMapWindow", window)
        return window

    def queue_focus(self, number):
        self.set(self.root, "_NET_ACTIVE_WINDOW", "WINDOW", [self.windows[number]])
        self.call("XSetInputFocus", self.windows[number], REVERT_TO_PARENT, 0)

    def flush(self):
        self.call("XFlush")

    def ask(self, message, window, data):
        """Asks the window manager to do something to a window of another program."""
        words = [CLIENT_MESSAGE, 0, 0, 0, window, self.atom(message), 32, data, 0, 0, 0, 0]
        event = struct.pack("@iLiPLLi5l", *words).ljust(EVENT_SIZE, b"\0")
        self.call("XSendEvent", self.root, 0, TO_WINDOW_MANAGER, event)
        self.flush()

    def close(self):
        self.call("XCloseDisplay")
