"""A focus change allocates no memory, from the event to the line."""

import os
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace

from measuring import observers
from measuring.allocations import Counts, allocations
from measuring.bench import Bench
from measuring.measured import program_to_measure

CHANGES = 150
# Earlier changes may allocate room for later ones; after these changes the windows are closed.
COUNTED = slice(40, 140)


class AFocusChange(unittest.TestCase):
    def test_allocates_nothing(self):
        xphase = observers.xphase(Bench(program_to_measure(), is_quick=True))
        for settle in ("0", "100ms"):
            with self.subTest(settle=settle):
                watch = [xphase.command[0], "watch", "--json", "--settle", settle]
                counts = allocations(replace(xphase, command=watch), CHANGES)[COUNTED]
                # If the server is interrupted between two events, xphase queries what the second would have reported.
                self.assertGreater(counts.count(0), 0.9 * len(counts), counts)


class TheCount(unittest.TestCase):
    def test_grows_with_what_is_allocated(self):
        lines = ["import os", "os.write(1, b'.')", "large = bytearray(1 << 20)", "os.write(1, b'.')"]
        with tempfile.NamedTemporaryFile() as file:
            counts = Counts(file)
            command = [sys.executable, "-c", "; ".join(lines)]
            environment = os.environ | counts.environment
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
            self.assertGreater(counts.between_writes()[0], 0)
