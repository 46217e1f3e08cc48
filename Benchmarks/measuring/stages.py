"""The stages of a focus change, from the events to the line, and how many instructions each takes."""

import tempfile
import time
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from measuring import observers
from measuring.callgrind import calls, inclusive, total, under_callgrind
from measuring.failure import Failure
from measuring.storm import storm
from proxy.waiting import is_asleep

FILE = Path(__file__).resolve().parents[1] / "budgets.toml"
# A change that costs more than this much of a stage is seen.
ROOM = 0.10
CHANGES = 200
# Swift's dictionaries are in another order in each process otherwise, which is 2 % of a stage.
SAME_HASHES = {"SWIFT_DETERMINISTIC_HASHING": "1"}
# Seconds.
DEADLINE = 20


@dataclass(frozen=True)
class Stage:
    name: str
    # By these functions, `Type.name` each, and all that they call; without any, it is the whole program.
    functions: list
    # Instructions a focus change, when they were last written down.
    instructions: int

    @property
    def budget(self):
        return round(self.instructions * (1 + ROOM))


def stages():
    """Those of Benchmarks/budgets.toml, in its order."""
    return [
        Stage(name, each.get("functions", []), each["instructions"])
        for name, each in tomllib.loads(FILE.read_text()).items()
    ]


def counted(bench):
    """By the stage's name, the instructions of one more focus change among 66 windows, settled as by default.

    They are those of twice as many changes less those of once as many, so that the start falls out.
    """
    with tempfile.TemporaryDirectory() as folder:
        profiles = [f"{folder}/{times}" for times in (1, 2)]
        # One after the other: a server that shares its core writes its answers in other portions.
        for times, profile in enumerate(profiles, 1):
            run(bench, profile, times * CHANGES)
        once, twice = map(of_profile, profiles)
    return {name: round((twice[name] - once[name]) / CHANGES) for name in once}


def run(bench, profile, changes):
    """Moves the focus while the program is stopped, so that it always finds all events of a move at once."""
    observer = observers.xphase_settled(bench)
    command = under_callgrind(profile, observer.command)
    observer = replace(observer, command=command, environment=SAME_HASHES)
    with storm([observer], "maps") as moves:
        (watched,) = moves.watched.values()
        for _ in range(changes):
            until_asleep(watched.process.pid)
            moves.make_while_stopped(0)
        until_asleep(watched.process.pid)


def until_asleep(pid):
    """Waits until the program has done all that a line brings with it."""
    deadline = time.monotonic() + DEADLINE
    while not is_asleep(pid):
        if time.monotonic() > deadline:
            raise Failure("the program does not come to rest")
        time.sleep(0.001)


def of_profile(profile):
    counts = calls(profile)
    return {
        stage.name: inclusive(counts, stage.functions) if stage.functions else total(profile)
        for stage in stages()
    }
