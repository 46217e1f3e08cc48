"""Tests of the other programs."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from measuring.processes import expect, running
from measuring.programs import program
from measuring.server import on, server
from measuring.windows import managed_windows, windows


def output(*command, **options):
    return subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, timeout=30, **options
    ).stdout


class ThePrograms(unittest.TestCase):
    def test_windows_are_listed_among_dead_ids_and_seen_by_the_snapshot(self):
        with server() as display, windows(display, 10, dead=3):
            seen = output(program("snapshot"), env=on(display)).splitlines()
        items = [[int(count) for count in line.split("\t")[1:]] for line in seen]
        # Instance and class name have 5 bytes each, and so on. Only _NET_WM_STATE is empty.
        living = [5 * 2, 4, 1, 2, 0, 1, 1]
        self.assertEqual(items.count(living), 10)
        self.assertEqual(items.count([0] * 7), 3)

    def test_windows_wait_until_a_window_manager_has_them_and_the_pipelined_snapshot_sees_them(self):
        for there, count in ((windows, 10), (managed_windows, 12)):
            with self.subTest(there.__name__), server() as display, there(display, count):
                seen = output(program("snapshot-pipelined"), env=on(display)).splitlines()
                names = {line.split("\t")[2] for line in seen}
                self.assertEqual(names, {f"App{number}" for number in range(count)})

    def test_timed_gives_a_time_for_each_run(self):
        for until in ("end", "cpu"):
            times = output(program("timed"), until, "3", "echo", "a line").split()
            self.assertEqual(len(times), 3)
            self.assertTrue(all(float(time) > 0 for time in times))

    def test_timed_gives_the_memory_of_the_program_alone(self):
        filled = bytearray(64 << 20)
        (kilobytes,) = output(program("timed"), "memory", "1", "echo", "a line").split()
        self.assertGreater(len(filled) / 1024, float(kilobytes))
        self.assertGreater(float(kilobytes), 100)

    def test_timed_refuses_what_it_does_not_know(self):
        done = subprocess.run([program("timed"), "never", "1", "true"], capture_output=True, check=False)
        self.assertEqual(done.returncode, os.EX_USAGE)

    def test_timed_ends_a_program_after_its_first_line(self):
        self.assertEqual(
            len(output(program("timed"), "line", "2", "sh", "-c", "echo; exec sleep 60").split()), 2
        )

    def test_timed_fails_with_its_program(self):
        for command in (["false"], ["sh", "-c", "echo; exit 1"], ["there-is-no-such-program"]):
            done = subprocess.run([program("timed"), "end", "1", *command], capture_output=True, check=False)
            self.assertNotEqual(done.returncode, 0, command)

    def test_a_raised_window_comes_out_from_behind_others(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with server() as display, running([program("raises"), "200"], env=on(display), **pipes) as driver:
            expect(driver, "ready")
            with running([program("covered")], env=on(display), **pipes) as follower:
                expect(follower, "ready")
                driver.stdin.write("100\n")
                driver.stdin.flush()
                expect(driver, "done")
                self.assertTrue(follower.stdout.readline().startswith("0x"))

    def test_a_hook_writes_its_text_or_its_input(self):
        with tempfile.TemporaryDirectory() as folder:
            reported = Path(folder) / "output"
            reported.touch()
            output(program("hook"), reported, "text")
            self.assertEqual(reported.read_text(), "text")
            output(program("hook"), reported, input="line\n")
            self.assertEqual(reported.read_text(), "line\n")
