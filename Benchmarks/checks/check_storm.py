"""Tests of the storm maker and its reader."""

import re
import subprocess
import unittest

from measuring.observers import Observer
from measuring.programs import program
from measuring.server import on
from measuring.storm import APPLICATIONS, storm


def reader(*arguments):
    return Observer("reader", [program("storm-reader"), *arguments], words=["%w"])


def reported(storm_run):
    """Returns, for each line of the reader, the numbers of events and of unmapped windows."""
    lines = storm_run.watched["reader"].lines.text().splitlines()
    return [
        tuple(map(int, re.fullmatch(r"0x\w+ after (\d+) events, (\d+) unmapped", line).groups()))
        for line in lines
    ]


class TheStorm(unittest.TestCase):
    def test_makes_one_event_of_each_unmapping_and_mapping(self):
        with storm([reader()], "maps") as storm_run:
            storm_run.make_while_running(APPLICATIONS + 10)
            storm_run.make_while_stopped(2 * APPLICATIONS)
            lines = reported(storm_run)
        # The focus change that ends a storm is an event, too.
        first, second = APPLICATIONS + 10 + 1, 2 * APPLICATIONS + 1
        self.assertEqual(lines, [(0, 0), (first, APPLICATIONS - 10), (first + second, APPLICATIONS - 10)])

    def test_gives_more_events_to_who_asks_for_more(self):
        with storm([reader("all")], "maps") as storm_run:
            storm_run.make_while_stopped(APPLICATIONS)
            (_, before), (events, unmapped) = reported(storm_run)
        self.assertEqual((before, unmapped), (0, APPLICATIONS))
        # Both the window and its parent report an unmapping.
        self.assertGreater(events, 2 * APPLICATIONS)

    def test_of_all_kinds_opens_and_closes_a_window(self):
        counts = []
        with storm([reader()], "all") as storm_run:
            # Every seventh event opens or closes a window.
            for events in (6, 7, 7):
                storm_run.make_while_running(events)
                done = subprocess.run(
                    [program("snapshot")], env=on(storm_run.display), stdout=subprocess.PIPE, check=True
                )
                counts.append(len(done.stdout.splitlines()) - APPLICATIONS)
        # The other two windows take turns having the focus.
        self.assertEqual(counts, [2, 3, 2])
