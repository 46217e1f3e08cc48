"""The stages of a focus change, from the events to the line, and the instructions of each stage."""

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
# An increase of a stage's cost by more than this is detected.
ROOM = 0.10
CHANGES = 200
# Otherwise Swift's dictionaries have another order in each process, which is 2 % of a stage.
SAME_HASHES = {"SWIFT_DETERMINISTIC_HASHING": "1"}
# Seconds.
DEADLINE = 20


@dataclass(frozen=True)
class Stage:
    name: str
    # The functions of the stage, as `Type.name`, with everything they call; the whole program if empty.
    functions: list
    # The recorded instructions of a focus change.
    instructions: int

    @property
    def budget(self):
        return round(self.instructions * (1 + ROOM))


def stages():
    """Returns the stages in Benchmarks/budgets.toml, in its order."""
    return [
        Stage(name, each.get("functions", []), each["instructions"])
        for name, each in tomllib.loads(FILE.read_text()).items()
    ]


def counted(bench):
    """Returns by stage the instructions of one more focus change among 66 windows, with the default settle time.

    Subtracts the count for N changes from the count for 2 N changes, so that the start cancels out.
    """
    with tempfile.TemporaryDirectory() as folder:
        profiles = [f"{folder}/{times}" for times in (1, 2)]
        # One after the other: a server that shares its core writes its replies in other portions.
        for times, profile in enumerate(profiles, 1):
            run(bench, profile, times * CHANGES)
        once, twice = map(of_profile, profiles)
    return {name: round((twice[name] - once[name]) / CHANGES) for name in once}


def run(bench, profile, changes):
    """Moves the focus while the program is stopped, so that it always receives all events of a move at once."""
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
    """Waits until the program has finished all work on a line."""
    deadline = time.monotonic() + DEADLINE
    while not is_asleep(pid):
        if time.monotonic() > deadline:
            raise Failure("the program does not become idle")
        time.sleep(0.001)


def of_profile(profile):
    counts = calls(profile)
    return {
        stage.name: inclusive(counts, stage.functions) if stage.functions else total(profile)
        for stage in stages()
    }
