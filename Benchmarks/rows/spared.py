"""The processor time and context switches of real programs while their windows are covered."""

import contextlib
import http.server
import json
import os
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from measuring.failure import Failure
from measuring.figures import Figure
from measuring.home import home
from measuring.managers import openbox
from measuring.packages import version
from measuring.processes import running
from measuring.server import on, server
from measuring.table import Row

ABOUT = "processor time and context switches of eight real programs behind a terminal, left alone, slowed, stopped, frozen"
# Seconds: until a program appears, and until reactions have taken effect.
APPEARANCE = 90
SETTLING = 20
# A process of LibreOffice has windows with a second name.
HIDDEN = """
[[hook]]
name = "hidden"
application = [{names}, "Soffice"]
while = "background"
initial = true
after = "5s"
do = ["{reaction}"]
"""
ANIMATED = """<!DOCTYPE html><title>Animated</title><canvas width=600 height=400></canvas><script>
const pen = document.querySelector('canvas').getContext('2d')
function draw(time) {
  pen.clearRect(0, 0, 600, 400)
  for (let n = 0; n < 200; n++) pen.fillRect(300 + 250 * Math.sin(time / 500 + n), 200 + 150 * Math.cos(time / 300 + 2 * n), 9, 9)
  requestAnimationFrame(draw)
}
requestAnimationFrame(draw)
</script>"""
CHAT = """<!DOCTYPE html><title>Chat</title><ul></ul><script>
setInterval(async () => {
  const item = document.createElement('li')
  item.textContent = await (await fetch('/messages')).text()
  document.querySelector('ul').replaceChildren(item)
}, 1000)
</script>"""


@dataclass(frozen=True)
class Application:
    package: str
    # A pattern for WM_CLASS.
    name: str
    command: list


def applications(folder, address):
    """Returns the applications in the order of their start; each has its own directory for its files."""
    return [
        Application(
            "chromium",
            "chromium*",
            ["chromium", "--no-sandbox", "--no-first-run", f"--user-data-dir={folder}/chromium", f"{address}/animated"],
        ),
        Application(
            "firefox-esr",
            "firefox*",
            ["firefox-esr", "--no-remote", "--profile", f"{folder}/firefox", f"{address}/chat"],
        ),
        Application(
            "libreoffice-writer", "libreoffice*", ["soffice", f"-env:UserInstallation=file://{folder}/office", "--norestore", "--writer"]
        ),
        Application("mpv", "mpv", ["mpv", "--pause", "--force-window", "--no-config", "av://lavfi:testsrc"]),
        Application("pluma", "pluma", ["pluma", "--new-window"]),
        Application("mousepad", "mousepad", ["mousepad", "--disable-server"]),
        Application("emacs-gtk", "emacs", ["emacs", "-Q"]),
        Application("xterm", "Monitor", ["xterm", "-class", "Monitor", "-e", "top", "-d", "1"]),
    ]


def measure(bench):
    ways = {"left alone": None, "slow": "slow", "SIGSTOP of the windows' processes": signal.SIGSTOP, "freeze": "freeze"}
    found = {name: used(bench, way) for name, way in ways.items()}
    for index, what in enumerate(["processor time", "context switches"]):
        unit = ["s", ""][index]
        figures = {
            name: Figure([each[index]], unit) if each else "no user service manager"
            for name, each in found.items()
        }
        words = f"{what} of eight programs behind a terminal for {seconds(bench)} s: `freeze`"
        row = Row(words, figures.pop("freeze"), figures)
        row.at_most(0.1, "left alone")
        yield row


def seconds(bench):
    return bench.choose(60, 600)


def used(bench, way):
    """Returns the processor time in seconds and the context switches; None if the way is not available here."""
    if way == "slow" and not has_service_manager():
        return None
    reaction = way if isinstance(way, str) else None
    with page() as address, server() as display, openbox(display), contextlib.ExitStack() as stack:
        places = stack.enter_context(home(""))
        if has_service_manager():
            # The service manager's sockets are in the original XDG_RUNTIME_DIR.
            del places["XDG_RUNTIME_DIR"]
        folder = Path(places["HOME"])
        (folder / "firefox").mkdir()
        environment = on(display, **places)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
        programs = []
        for application in applications(folder, address):
            if not version(application.package):
                raise Failure(f"{application.package} is missing: apt-get install {application.package}")
            programs.append(stack.enter_context(running(application.command, **quiet)))
            appear(bench, application, environment)
        if reaction:
            names = ", ".join(f'"{each.name}"' for each in applications(folder, address))
            configuration = HIDDEN.format(names=names, reaction=reaction)
            (Path(places["XDG_CONFIG_HOME"]) / "xphase/config.toml").write_text(configuration)
            stack.enter_context(running([bench.xphase, "run", "--occlusion", "2s"], **quiet))
        cover = stack.enter_context(running(["xterm", "-fullscreen", "-class", "Cover"], **quiet))
        time.sleep(SETTLING)
        if cover.poll() is not None:
            raise Failure("the terminal ended")
        stopped = []
        try:
            if way == signal.SIGSTOP:
                stopped = window_processes(bench, environment)
                send(stopped, signal.SIGSTOP)
            before = amounts(programs)
            time.sleep(seconds(bench))
            return tuple(now - then for now, then in zip(amounts(programs), before))
        finally:
            send(stopped, signal.SIGCONT)


def has_service_manager():
    command = ["systemctl", "--user", "is-system-running"]
    try:
        return subprocess.run(command, capture_output=True, check=False).stdout.strip() in (b"running", b"degraded")
    except FileNotFoundError:
        return False


def appear(bench, application, environment):
    command = [bench.xphase, "wait", application.name, "active", "--timeout", f"{APPEARANCE}s"]
    deadline = time.monotonic() + APPEARANCE
    # The command fails immediately while the application does not exist.
    while subprocess.run(command, env=environment, capture_output=True, check=False).returncode != 0:
        if time.monotonic() > deadline:
            raise Failure(f"{application.command[0]} does not appear")
        time.sleep(0.5)


def window_processes(bench, environment):
    """Returns the processes that own windows, except the terminal in front. A program that acts on blur stops them."""
    command = [bench.xphase, "list", "--json", "--level", "scene"]
    lines = subprocess.run(command, env=environment, capture_output=True, check=True).stdout.splitlines()
    scenes = [json.loads(line) for line in lines]
    return {scene["pid"] for scene in scenes if scene["application"] != "Cover" and scene.get("pid")}


def send(pids, number):
    for pid in pids:
        os.kill(pid, number)


def amounts(programs):
    """Returns the processor time in seconds and the context switches of the programs and their descendants."""
    ticks = switches = 0
    for pid in family([program.pid for program in programs]):
        with contextlib.suppress(OSError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(int(field) for field in fields[11:15])
            for task in Path(f"/proc/{pid}/task").iterdir():
                lines = (task / "status").read_text().splitlines()
                switches += sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return ticks / os.sysconf("SC_CLK_TCK"), switches


def family(pids):
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = set(pids)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


@contextlib.contextmanager
def page():
    """Runs a server for the pages of the browsers, and yields its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            text = {"/animated": ANIMATED, "/chat": CHAT}.get(self.path, f"Message of {time.time():.0f}").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{pages.server_port}"
        finally:
            pages.shutdown()
