"""Counts how often an observer of the focus allocates memory."""

import array
import itertools
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from measuring.focus import follow
from measuring.programs import program
from measuring.server import server
from measuring.windows import made


class Counts:
    """A file in which a program counts its allocations; see allocations.c."""

    def __init__(self, file):
        self.path = Path(file.name)
        self.environment = {"LD_PRELOAD": os.path.abspath(program("allocations")), "ALLOCATIONS": file.name}

    def between_writes(self):
        counts = array.array("q", self.path.read_bytes())
        return [later - earlier for earlier, later in itertools.pairwise(counts)]


def allocations(observer, changes):
    """Returns the number of allocations from each write of the observer to the next.

    Each write reports one focus change, except at the start and at the end, when the windows are closed. The bottom
    window is like those that show the background picture of a desktop.
    """
    with tempfile.NamedTemporaryFile() as file, server() as display, made(display, 1, "wallpaper"):
        counts = Counts(file)
        counting = replace(observer, environment=observer.environment | counts.environment)
        follow(display, counting, "set", changes)
        return counts.between_writes()
