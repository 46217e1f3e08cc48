"""Tests of the counts of the proxy."""

import subprocess
import sys
import unittest
from pathlib import Path

from measuring.programs import program
from measuring.server import on, server
from measuring.windows import windows
from proxy.proxy import Proxy

RAW_CLIENT = Path(__file__).with_name("raw_client.py")
SEVEN_ROUND_TRIPS = [
    "1: connection set-up",
    "2: GetInputFocus ×3",
    "3: GetInputFocus",
    "4: GetGeometry",
    "5: GetInputFocus",
    "6: GetInputFocus; sent NoOperation ×40000",
    "7: GetInputFocus; sent NoOperation ×40000",
]


class TheProxy(unittest.TestCase):
    def test_counts_what_is_sent_together_as_one_round_trip(self):
        for delay in (0.0, 0.001):
            with server() as display, Proxy(display, delay) as proxy:
                subprocess.run([sys.executable, RAW_CLIENT, str(proxy.number)], check=True, timeout=30)
                self.assertEqual([list(rounds.lines()) for rounds in proxy.rounds], [SEVEN_ROUND_TRIPS])
                self.assertEqual(proxy.count, 7)

    def test_counts_seven_round_trips_a_window_of_the_plain_snapshot(self):
        for count in (1, 20):
            with server() as display, windows(display, count), Proxy(display) as proxy:
                subprocess.run([program("snapshot")], env=on(proxy.display), check=True, capture_output=True)
                (rounds,) = proxy.rounds
            # The requests of XOpenDisplay differ between versions of libX11.
            atoms = next(number for number, line in enumerate(rounds.lines(), 1) if "InternAtom ×8" in line)
            self.assertEqual(proxy.count, atoms + 1 + 7 * count)

    def test_counts_each_client_by_itself(self):
        with server() as display, windows(display, 1), Proxy(display) as proxy:
            for _ in range(2):
                subprocess.run([program("snapshot")], env=on(proxy.display), check=True, capture_output=True)
            first, second = (rounds.count for rounds in proxy.rounds)
        self.assertEqual(first, second)
        self.assertEqual(proxy.count, first + second)
