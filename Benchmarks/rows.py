"""The rows of the table: xphase beside its peers, which take turns within one run."""

import datetime
import os
import random
import statistics
import sys
import time
from dataclasses import dataclass, field

import eight
import measures
from harness import FOLLOW, Failure, end, session
from proxy import round_trips

# By the number of windows: turns, and the most round trips, and the most times the duration of wmctrl.
LISTS = {10: (40, None, 2.2), 100: (20, 12, 1), 1000: (5, 20, 0.1)}
HOOK = """
[[hook]]
name = "act"
application = "*"
to = "active"
run = ["sh", "-c", "{act}"]
"""
JQ = "reduce inputs as $line ({}; if $line.application then .[$line.application] += 1 else . end)"
PYTHON = """import collections, json, sys
print(collections.Counter(json.loads(line).get("application") for path in sys.argv[1:] for line in open(path)))"""


@dataclass
class Row:
    what: str
    unit: str
    # Of xphase: one value for each turn, or the only one.
    values: list
    # By the name of a peer: its values.
    peers: dict = field(default_factory=dict)
    # The most that xphase should take, in the unit, or so many times the value of a peer.
    limit: float | None = None
    limits: dict = field(default_factory=dict)

    def ratio(self, peer):
        """Returns the median ratio over the turns, since a disturbance affects both programs in a turn."""
        pairs = zip(self.values, self.peers[peer], strict=True)
        return statistics.median(own / other for own, other in pairs)


def take_turns(what, unit, turns, measure, desk, arguments, **budget):
    """Returns the row of what `measure` returns in a session for the arguments of each program."""
    values = {name: [] for name in arguments}
    for _ in range(turns):
        for name, each in arguments.items():
            values[name].append(measure(desk, *each))
    return Row(what, unit, values.pop("xphase"), values, **budget)


def lists(xphase, _):
    commands = {"xphase": [[xphase, "list"]], "wmctrl -lx": [["wmctrl", "-lx"]]}
    for windows, (turns, limit, times) in LISTS.items():
        with session(windows) as desk:
            what = f"round trips to list {windows} windows"
            yield take_turns(what, "", 1, round_trips, desk, commands, limit=limit)
            what = f"start to end of a list of {windows} windows"
            yield take_turns(what, "s", turns, duration, desk, commands, limits={"wmctrl -lx": times})


def duration(desk, command):
    """Returns the seconds from the start of a program to its end."""
    with open(os.devnull, "w") as null:
        actions = [(os.POSIX_SPAWN_DUP2, null.fileno(), each) for each in (1, 2)]
        began = time.perf_counter()
        pid = os.posix_spawnp(command[0], command, desk.environment, file_actions=actions)
        _, code = os.waitpid(pid, 0)
        taken = time.perf_counter() - began
    if code != 0:
        raise Failure(f"{' '.join(command[:3])} failed")
    return taken


def focus(xphase, _):
    with session(2) as desk:
        ids = [hex(window) for window in desk.desktop.windows]
        programs = {
            "xphase": [[xphase, *measures.WATCH, "--settle", "0"], measures.NAMES],
            "C, FocusIn": [[FOLLOW], ids],
            "xprop -spy": [["xprop", "-spy", "-root", "_NET_ACTIVE_WINDOW"], ids],
        }
        yield take_turns("focus change to line, `--settle 0`", "s", 10, delay, desk, programs)
    used = measures.processor_of_change(xphase)
    yield Row("processor time of a focus change, 1000 windows", "s", [used], limit=0.00025)
    yield Row("instructions of a focus change, 100 windows", "", [measures.instructions(xphase)], limit=200_000)


def delay(desk, command, texts, *options):
    """Returns the median seconds from a focus change to the act of a program."""
    process, times = desk.follow(command, texts, 100, *options)
    end(process)
    return statistics.median(times)


def hook(xphase, _):
    with session(2) as desk:
        fifo = desk.home / "fifo"
        act = f"echo act >'{fifo}'"
        desk.configure(HOOK.format(act=act))
        # By the end of the pause the hook has been waited for.
        options = [["act", "act"], 0.005, fifo]
        programs = {
            "xphase": [[xphase, "run", "--settle", "0"], *options],
            "C, posix_spawn": [[FOLLOW, "sh", "-c", act], *options],
        }
        yield take_turns("focus change to the first act of a hook, `--settle 0`", "s", 10, delay, desk, programs)


def programs(xphase, seconds):
    found = {name: eight.used(xphase, name, seconds) for name in ("frozen", "left alone", "SIGSTOP of windows' owners")}
    for index, (what, unit) in enumerate((("processor time", "s"), ("context switches", ""))):
        values = {name: [each[index]] for name, each in found.items()}
        words = f"{what} of eight hidden programs in {seconds} s, frozen"
        yield Row(words, unit, values.pop("frozen"), values, limits={"left alone": 0.1})


def frozen(xphase, seconds):
    count, each = measures.frozen(xphase, seconds // 2)
    yield Row("wake-ups a second while an xterm is frozen", "", [count], limit=1)
    yield Row("processor time of each", "s", [each], limit=0.0002)
    started = measures.programs_of_freeze(xphase, seconds // 4)
    yield Row("programs started to freeze an xterm", "", [started], limit=0)
    freezes, thaws = measures.reactions(xphase, 5)
    yield Row("iconified window to frozen program, `--settle 0`", "s", freezes, limit=0.15)
    yield Row("activated window to running program", "s", thaws, limit=0.005)


def idle(xphase, seconds):
    woken = measures.idle(xphase, 5 * seconds)
    yield Row(f"wake-ups in {5 * seconds} s while nothing happens", "", [woken], limit=0)
    yield Row("anonymous memory, 1000 windows, 20 hooks", "MB", [measures.memory(xphase)], limit=4)


def report(xphase, _):
    with session() as desk:
        paths = write_journal(desk.home / "state/xphase/journal", lines=1_000_000)
        commands = {
            "xphase": [[xphase, "report", "--since", str(datetime.date.today() - datetime.timedelta(days=31))]],
            "jq": [["jq", "-n", JQ, *paths]],
            "Python": [[sys.executable, "-c", PYTHON, *paths]],
        }
        yield take_turns("report of a journal of a million lines", "s", 3, duration, desk, commands)


def write_journal(folder, lines, days=30):
    """Writes the changes of the last days, of sixty applications. Returns the paths."""
    chance, paths = random.Random(7), []
    folder.mkdir(parents=True, mode=0o700)
    step = datetime.timedelta(days=days) / lines
    now = datetime.datetime.now(datetime.UTC)
    for day in range(-days, 0):
        start = now.replace(hour=0, minute=0, second=0, microsecond=0) + datetime.timedelta(days=day)
        path = folder / f"{start:%Y-%m-%d}.jsonl"
        paths.append(str(path))
        with path.open("w") as file:
            for number in range(lines // days):
                moment = start + number * step
                head = f'"run":7,"time":"{moment:%Y-%m-%dT%H:%M:%S.%fZ}","clock":{moment.timestamp():.3f}'
                if number == 0:
                    file.write(f'{{"kind":"start",{head},"v":1,"display":":0","continued":false}}\n')
                names = f'"application":"Application{chance.randrange(60)}","instances":["one"]'
                phase = chance.choice(["active", "inactive", "background"])
                file.write(f'{{"kind":"application",{head},{names},"to":"{phase}"}}\n')
        path.chmod(0o600)
    return paths


ROWS = {each.__name__: each for each in (lists, focus, hook, programs, frozen, idle, report)}
