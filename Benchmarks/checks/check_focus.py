"""Tests of the focus driver and its observers."""

import os
import subprocess
import tempfile
import unittest

from measuring import channels, observers
from measuring.failure import Failure
from measuring.focus import follow
from measuring.observers import Observer
from measuring.programs import program
from measuring.server import on, server

CHANGES = 20


class TheFocusDriver(unittest.TestCase):
    def test_reports_each_change_by_one_line_of_each_c_program(self):
        for observer in (observers.c_read(), observers.c_event()):
            for channel in (channels.pipe, channels.File):
                with self.subTest(observer.name, channel=channel), server() as display:
                    reported = follow(display, observer, "set", CHANGES, channel=channel())
                    self.assertEqual(len(reported.times), CHANGES)
                    self.assertEqual(reported.lines, CHANGES)

    def test_reports_the_focus_by_its_name_alone(self):
        with server() as display:
            reported = follow(display, observers.c_read(), "name", CHANGES)
            self.assertEqual(reported.lines, CHANGES)
        with server() as display, self.assertRaisesRegex(Failure, "reported 0 of"):
            follow(display, observers.c_event(), "name", 1)

    def test_reports_each_change_by_one_hook(self):
        for how in ("posix", "system"):
            with self.subTest(how), server() as display, tempfile.TemporaryDirectory() as folder:
                fifo = os.path.join(folder, "lines")
                spawning = Observer(how, [program("spawn"), how, program("hook"), fifo], words=["%w"])
                reported = follow(display, spawning, "set", CHANGES, channel=channels.fifo(fifo))
                self.assertEqual(reported.lines, CHANGES)

    def test_counts_all_lines_up_to_the_one_about_the_focus(self):
        # The program does not follow the changes, but prints the expected line sooner or later.
        endless = "while echo Alpha is active. && echo Alpha is inactive. && echo Others, too.; do :; done"
        observer = Observer("endless", ["sh", "-c", endless], words=["Alpha", "is %p."])
        with server() as display:
            reported = follow(display, observer, "set", CHANGES)
        self.assertEqual(len(reported.times), CHANGES)
        self.assertGreater(reported.lines, CHANGES)

    def test_names_an_observer_that_reports_nothing_and_its_last_word(self):
        silent = Observer("silent", ["sh", "-c", "echo it broke >&2"], words=["%w"])
        with server() as display, self.assertRaisesRegex(Failure, "silent reported 0 of 20 .*it broke"):
            follow(display, silent, "set", CHANGES)

    def test_refuses_a_word_that_it_cannot_fill_in(self):
        with server() as display:
            command = [program("focus-driver"), "1", "0", "set", "%x"]
            done = subprocess.run(command, env=on(display), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, os.EX_USAGE)
        self.assertIn("not for %x", done.stderr)
