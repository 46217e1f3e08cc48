"""The time and memory to add up a month of a busy desktop."""

import os
import subprocess
import sys

from measuring.failure import Failure
from measuring.figures import Figure
from measuring.journal import DAYS, journal
from measuring.programs import program
from measuring.table import Row

ABOUT = "a report of a journal of a million lines, and as a picture, beside jq and Python"
LINES = 1_000_000
# Counts the lines of each application.
JQ = 'reduce inputs as $line ({}; if $line.application then .[$line.application] += 1 else . end)'
PYTHON = """
import collections, json, sys
count = collections.Counter()
for path in sys.argv[1:]:
    with open(path) as file:
        for line in file:
            count[json.loads(line).get("application")] += 1
print(len(count))
"""


def measure(bench):
    with journal(LINES) as (variables, paths):
        report = [bench.xphase, "report", "--from", f"{DAYS + 1}d"]
        commands = {
            "xphase": report,
            "svg": [*report, "--svg", "-"],
            "jq": ["jq", "-n", JQ, *paths],
            "Python": [sys.executable, "-c", PYTHON, *paths],
        }
        taken = {until: {name: [] for name in commands} for until in ("end", "memory")}
        for until, count in (("end", bench.choose(2, 5)), ("memory", 1)):
            for _ in range(count):
                for name, command in commands.items():
                    taken[until][name].append(take(until, command, variables))
    seconds = {name: Figure([time / 1e6 for time in times], "s") for name, times in taken["end"].items()}
    megabytes = {name: Figure([size / 1024 for size in sizes], "MB") for name, sizes in taken["memory"].items()}
    for what, figures in (("report of 1 000 000 lines", seconds), ("its peak memory", megabytes)):
        for name, words in (("xphase", what), ("svg", f"{what}, `--svg`")):
            row = Row(words, figures[name], {peer: figures[peer] for peer in ("jq", "Python")})
            if figures is seconds:
                row.at_most(2, "Python")
            else:
                row.no_more_than(50)
            yield row


def take(until, command, variables):
    """Returns the microseconds until the end of a program, or its peak memory in kB."""
    done = subprocess.run(
        [program("timed"), until, "1", *command],
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Failure(f"{' '.join(command[:3])} could not be timed")
    return float(done.stdout)
