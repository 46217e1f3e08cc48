"""Mutates external input at random. The program may exit only with its own exit codes."""

import random
import signal
import struct
import subprocess
import time
import zlib

from session import PAIR, Fault, Session, wait_for
from stream import Proxy

WORDS = """
[[hook]] [hook] name = "" 'x' \"\"\" ''' [ ] { } \\ \\u0000 \\UFFFFFFFF 1e999 -1 9223372036854775807 99999999999999999999 nan
inf true 1979-05-27T07:32:00Z run shell enter leave while to from after every timeout settle policy application group title role
level exclude cause initial unless process instance desktop session occlusion idle focus visible active inactive background
0ms 1h 999999999999h 0.5s 1e3s /( /[/ /(a|b)*{1,99}/ /a{255}{255}/ [!a-] ** \\* {time} {title} {} { }} \\x00 \\n \\t
""".split()
RICH = (
    PAIR
    + """
policy = "visible"
session = ["lock", "away"]
idle = "5m"

[[hook]]
name = "note"
application = ["App*", "/^(mozilla )?firefox$/"]
exclude = ["[!a-z]*"]
level = "scene"
title = "*\\\\**"
from = ["active", "inactive"]
to = "background"
cause = ["iconify", "desktop"]
after = "1m30s"
timeout = "10s"
shell = '''echo "$XPHASE_TITLE"'''
"""
)
SAMPLES = {
    "argument": ["App*", "/^(a|b)+$/", "[a-z]?x", "1h30m", "250ms", "{time} {application:>10} {from}\\n", "0x2c00007"],
}
# Each command has None in place of the mutated argument. None of them needs a display for long.
COMMANDS = [
    ["list", None],
    ["explain", None],
    ["phase", None, "--policy", "focus"],
    ["watch", "--format", None, "--display", ":none"],
    ["wait", "App", "active", "--timeout", None, "--display", ":none"],
    ["watch", "--settle", None, "--display", ":none"],
    ["on", "App", "background", "--after", None, "--display", ":none", "--", "true"],
]
SIGNS_OF_HARM = ("Sanitizer", "runtime error:", "Fatal error", "SIGILL", "💣")
# Names of properties that xphase decodes, and of types.
PROPERTIES = """
WM_CLASS WM_NAME _NET_WM_NAME WM_STATE _NET_WM_STATE _NET_WM_WINDOW_TYPE WM_TRANSIENT_FOR _NET_WM_PID WM_CLIENT_MACHINE
_NET_WM_DESKTOP _NET_CURRENT_DESKTOP _NET_CLIENT_LIST _NET_CLIENT_LIST_STACKING _NET_ACTIVE_WINDOW
_NET_SUPPORTING_WM_CHECK _NET_SHOWING_DESKTOP _NET_FRAME_EXTENTS _NET_WM_OPAQUE_REGION _NET_WM_WINDOW_OPACITY WM_HINTS
_NET_SUPPORTED _NET_DESKTOP_GEOMETRY _NET_DESKTOP_VIEWPORT _NET_NUMBER_OF_DESKTOPS _SCREENSAVER_STATUS _NET_WM_USER_TIME
XFree86_VT _GTK_FRAME_EXTENTS WM_PROTOCOLS WM_WINDOW_ROLE
""".split()
TYPES = ["STRING", "UTF8_STRING", "ATOM", "WINDOW", "CARDINAL", "INTEGER", "WM_STATE", "COMPOUND_TEXT"]


def mutated(data, chance):
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(6):
            case 0:
                data[at:at] = chance.choice(WORDS).encode()
            case 1:
                data[at : at + chance.randrange(1, 20)] = b""
            case 2 if at < len(data):
                data[at] = chance.randrange(1, 256)
            case 3:
                data[at:at] = data[chance.randrange(len(data) + 1) :][: chance.randrange(1, 80)]
            case 4:
                data[at:at] = chance.choice((b"9" * 40, b"[" * 2000, b"\xff\xfe", b"\xe2\x80\xa8", b"\x1b]0;"))
            case 5:
                end = chance.randrange(at, len(data) + 1)
                data[at:end] = chance.choice(WORDS).encode()
    return bytes(data)


def check(what, seed, code, allowed, said):
    if code not in allowed or any(sign in said for sign in SIGNS_OF_HARM):
        raise Fault(f"{what}, seed {seed}: ends with {code}: {said[-2000:]}")


def run(session, arguments, limit=60):
    try:
        done = subprocess.run(
            [session.program, *arguments], env=session.environment, capture_output=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        raise Fault(f"{arguments!r} is still running after {limit} s") from None
    return done.returncode, done.stderr.decode(errors="replace")


def configuration(session, chance):
    path = session.home / "mutated.toml"
    data = mutated(RICH.encode(), chance)
    path.write_bytes(data)
    code, said = run(session, ["hooks", "check", str(path)])
    check(f"configuration {data!r}", session.seed, code, (0, 78), said)


def argument(session, chance):
    word = mutated(chance.choice(SAMPLES["argument"]).encode(), chance).replace(b"\0", b"")
    command = [word if part is None else part for part in chance.choice(COMMANDS)]
    code, said = run(session, command)
    check(f"{command!r}", session.seed, code, (0, 1, 64, 69), said)


def record(session, chance):
    """Mutates the lines of the record, with correct checksums."""
    lines = [mutated(line, chance) for line in session.lines]
    data = b"xphase pairs 2\n" + b"".join(f"{zlib.crc32(line):08x} ".encode() + line + b"\n" for line in lines)
    (session.home / "state/xphase").mkdir(mode=0o700, parents=True, exist_ok=True)
    path = session.home / f"state/xphase/pairs-{session.environment['DISPLAY']}.json"
    path.write_bytes(data)
    path.chmod(0o600)
    session.start()
    session.wait_until(lambda: session.has_begun, 20)
    check(f"record {data!r}", session.seed, session.end(), (0,), session.said)


def property(session, chance):
    """Sends properties and events to windows and to the root window while the session runs."""
    if session.process is None:
        session.atoms = {name: session.client.atom(name) for name in PROPERTIES + TYPES}
        session.start()
        session.wait_until(lambda: session.has_begun, 20)
    for _ in range(200):
        window = chance.choice((session.window, session.client.root, chance.getrandbits(32)))
        if chance.random() < 0.2:
            event = bytes([chance.randrange(2, 128)]) + chance.randbytes(3)
            event += b"".join(struct.pack("<I", chance.choice((window, 0, chance.getrandbits(32)))) for _ in range(7))
            mask = chance.choice((0, 1 << 19, 1 << 20, 0x7FFFFF))
            session.client.request(25, 0, struct.pack("<II", window, mask) + event)
        else:
            size = chance.choice((8, 16, 32))
            value = chance.randbytes(chance.choice((0, 1, 2, 4, 8, 40, 4000)) * size // 8)
            value = chance.choice((value, bytes(len(value)), b"\xff" * len(value)))
            name, kind = (session.atoms[chance.choice(names)] for names in (PROPERTIES, TYPES))
            session.client.set_property(window, name, kind, size, value)
    session.client.sync()
    if session.has_ended or any(sign in session.said for sign in SIGNS_OF_HARM):
        raise Fault(f"property, seed {session.seed}: ends with {session.process.poll()}: {session.said[-2000:]}")
    code, said = run(session, ["explain", f"{session.window:#x}"])
    check("explain", session.seed, code, (0, 1), said)


class LyingProxy(Proxy):
    """Changes the contents of events and replies, but not their types and lengths."""

    chance = None

    def pass_on(self, message, client):
        if self.chance and self.chance.random() < 0.1:
            message = bytearray(message)
            for _ in range(self.chance.choice((1, 1, 4, 16))):
                at = self.chance.choice((1, *range(8, len(message))))
                message[at] = self.chance.choice((0, 1, 0x7F, 0x80, 0xFF, self.chance.randrange(256)))
        client.sendall(message)
        return True


def answer(session, chance):
    """Mutates the messages of the server after the first reads, which include the opcodes of extensions."""
    with LyingProxy(session.environment["DISPLAY"]) as proxy:
        with Session(session.program, proxy.display, session.environment["DISPLAY"]) as watched:
            watched.start()
            watched.wait_until(lambda: watched.has_begun, 20)
            proxy.chance = chance
            for _ in range(20):
                for x in (-5000, 0):
                    watched.client.move(watched.window, x)
                watched.client.destroy(watched.client.window("Beta"))
            check("answer", session.seed, watched.end(), (0,), watched.said)
            watched.check_output()


KINDS = [configuration, argument, record, property, answer]


def fuzz(program, server, kind, seconds, seed):
    chance = random.Random(seed)
    with Session(program, server.display) as session:
        session.seed, tried = seed, 0
        if kind is record:
            session.owe_a_leave()
            session.lines = [line[9:].encode() for line in session.record().splitlines()[1:]]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            kind(session, chance)
            tried += 1
        print(f"fuzz {kind.__name__}: {tried} tried", flush=True)
        if kind is property:
            session.process.send_signal(signal.SIGTERM)
            if not wait_for(lambda: session.has_ended, 20) or session.process.returncode:
                raise Fault(f"property, seed {seed}: ends with {session.process.poll()}: {session.said[-2000:]}")
            session.check_output()
