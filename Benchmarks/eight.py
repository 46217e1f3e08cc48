"""The processor time and context switches of eight real programs while a terminal covers their windows."""

import contextlib
import json
import os
import shutil
import signal
import time
from pathlib import Path

from harness import Failure, fields, session, tasks, wait

# Seconds until the programs have started, and xphase has frozen them.
SETTLING = 20
# A process of LibreOffice has windows with a second name.
HIDDEN = """
occlusion = "2s"

[[hook]]
name = "hidden"
application = [{names}, "Soffice"]
while = "background"
initial = true
after = "5s"
do = ["freeze"]
"""
# Draws at each frame.
ANIMATED = """<canvas width=600 height=400></canvas><script>
const pen = document.querySelector('canvas').getContext('2d')
function draw(time) {
  pen.clearRect(0, 0, 600, 400)
  for (let n = 0; n < 200; n++) pen.fillRect(300 + 250 * Math.sin(time / 500 + n), 200 + 150 * Math.cos(n), 9, 9)
  requestAnimationFrame(draw)
}
draw(0)
</script>"""
# Changes its text each second.
CHAT = "<p></p><script>setInterval(() => document.querySelector('p').textContent = Date(), 1000)</script>"


def programs(home):
    """Returns the commands of the programs by the patterns of their WM_CLASS."""
    (home / "firefox").mkdir()
    (home / "animated.html").write_text(ANIMATED)
    (home / "chat.html").write_text(CHAT)
    chromium = ["chromium", "--no-sandbox", "--no-first-run", f"--user-data-dir={home}/chromium"]
    return {
        "chromium*": [*chromium, f"file://{home}/animated.html"],
        "firefox*": ["firefox-esr", "--no-remote", "--profile", f"{home}/firefox", f"file://{home}/chat.html"],
        "libreoffice*": ["soffice", f"-env:UserInstallation=file://{home}/office", "--norestore", "--writer"],
        "mpv": ["mpv", "--pause", "--force-window", "--no-config", "av://lavfi:testsrc"],
        "pluma": ["pluma", "--new-window"],
        "mousepad": ["mousepad", "--disable-server"],
        "emacs": ["emacs", "-Q"],
        "Monitor": ["xterm", "-class", "Monitor", "-e", "top", "-d", "1"],
    }


def used(xphase, way, seconds):
    """Returns the processor time in seconds and the context switches of the programs.

    The way is `frozen` by xphase, `left alone`, or else the owners of the windows are stopped by a signal.
    """
    with session(manager=True) as desk, contextlib.ExitStack() as stack:
        commands, started = programs(desk.home), []
        for name, command in commands.items():
            if not shutil.which(command[0]):
                raise Failure(f"there is no {command[0]}")
            started.append(desk.start(command).pid)
            wait(lambda name=name: desk.output([xphase, "list", name]), f"{name} appears", pause=0.5)
        if way == "frozen":
            desk.configure(HIDDEN.format(names=", ".join(f'"{name}"' for name in commands)))
            desk.start([xphase, "run"])
        desk.start(["xterm", "-fullscreen", "-class", "Cover"])
        time.sleep(SETTLING)
        if way not in ("frozen", "left alone"):
            # As a script that acts on blur does.
            for line in desk.output([xphase, "list", "--json", "--level", "scene"]).splitlines():
                os.kill(pid := json.loads(line)["pid"], signal.SIGSTOP)
                # Before the session ends the program.
                stack.callback(os.kill, pid, signal.SIGCONT)
        before = amounts(started)
        time.sleep(seconds)
        return [now - then for now, then in zip(amounts(started), before, strict=True)]


def amounts(pids):
    """Returns the processor time in seconds and the context switches of processes and their descendants."""
    ticks = switches = 0
    for pid in family(pids):
        # Processes end meanwhile.
        with contextlib.suppress(OSError):
            ticks += sum(map(int, fields(Path(f"/proc/{pid}"))[11:15]))
            for task in tasks(pid):
                lines = (task / "status").read_text().splitlines()
                switches += sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return ticks / os.sysconf("SC_CLK_TCK"), switches


def family(pids):
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(entry.name)] = int(fields(entry)[1])
    found = set(pids)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found
