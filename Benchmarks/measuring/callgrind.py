"""Instruction counts of callgrind."""

import re
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

from measuring.failure import Failure
from measuring.machine import swift

NAME = re.compile(r"(c?fn)=\((\d+)\)(?: (.*))?")


def under_callgrind(profile, command):
    return ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={profile}", *command]


def total(profile):
    """Returns the number of instructions of a run."""
    found = re.search(r"^(?:totals|summary): (\d+)", Path(profile).read_text(), re.MULTILINE)
    if not found:
        raise Failure(f"callgrind counted nothing in {profile}")
    return int(found.group(1))


def calls(profile):
    """Returns the instructions of calls by the names of the caller and of the callee."""
    counts = defaultdict(Counter)
    names, caller, callee = {}, None, None
    lines = iter(demangled(Path(profile).read_text()).splitlines())
    for line in lines:
        if match := NAME.fullmatch(line):
            kind, number, name = match.groups()
            # A name appears only with the first use of its number.
            name = names.setdefault(number, name)
            caller, callee = (name, None) if kind == "fn" else (caller, name)
        elif line.startswith("calls="):
            # The next line has the position and the cost.
            counts[caller][callee] += int(next(lines).split()[1])
    return counts


def inclusive(counts, functions):
    """Returns the instructions of functions, named like `Type.name`, including those of the functions that they call.

    Fails if the compiler has inlined a function, or if a function has been renamed.
    """
    pattern = re.compile(rf"(specialized |static )*({'|'.join(map(re.escape, functions))})\(.*")
    inside = {name for callees in counts.values() for name in callees if pattern.fullmatch(name)}
    found = {pattern.fullmatch(name).group(2) for name in inside}
    if missing := [name for name in functions if name not in found]:
        raise Failure(f"the program calls no {' and no '.join(missing)}: inlined or renamed")
    return sum(
        callees[name]
        for caller, callees in counts.items()
        if caller not in inside
        for name in inside & callees.keys()
    )


def demangled(text):
    done = subprocess.run(
        [swift(), "demangle", "--simplified"], input=text, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout
