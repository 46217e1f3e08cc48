"""How often an observer of the focus allocates memory."""

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
    """A file in which a program counts what it allocates; see allocations.c."""

    def __init__(self, file):
        self.path = Path(file.name)
        self.environment = {"LD_PRELOAD": os.path.abspath(program("allocations")), "ALLOCATIONS": file.name}

    def between_writes(self):
        counts = array.array("q", self.path.read_bytes())
        return [later - earlier for earlier, later in itertools.pairwise(counts)]


def allocations(observer, changes):
    """How often it allocated memory from one write to the next.

    Each write tells of one focus change, but those of the start and of the end, when the windows are closed. Below all
    windows is one like those that show a picture as the background of the desktop.
    """
    with tempfile.NamedTemporaryFile() as file, server() as display, made(display, 1, "wallpaper"):
        counts = Counts(file)
        counting = replace(observer, environment=observer.environment | counts.environment)
        follow(display, counting, "set", changes)
        return counts.between_writes()
