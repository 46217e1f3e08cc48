"""Tests of the table, which lists successful and failed measurements, and of the exit code."""

import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from measuring.failure import Failure
from measuring.figures import Figure, ratio
from measuring.peers import Peer, split_by_availability
from measuring.report import report, write
from measuring.table import Row


def reported(measure):
    lines = []
    code = report(None, "row", SimpleNamespace(measure=measure), lines.append)
    return code, "".join(f"{line}\n" for line in lines)


def row(ours, theirs):
    return Row("what", Figure(ours, "ms"), {"peer": theirs})


class TheTable(unittest.TestCase):
    def test_shows_figures_ratio_and_verdict(self):
        met = row([1.0, 2.0, 3.0], Figure([2.0, 4.0, 6.0], "ms"))
        met.at_most(0.5, "peer")
        self.assertEqual(
            reported(lambda _: [met]),
            (0, "| what | 2 (min 1) ms | ≤ 0.5 × peer | met | peer: 4 (min 2) ms (0.5 ×) |\n"),
        )

    def test_exits_1_for_a_target_that_is_missed(self):
        missed = row([3], Figure([2], ""))
        missed.at_most(1, "peer")
        code, printed = reported(lambda _: [missed])
        self.assertEqual(code, 1)
        self.assertIn("**missed**", printed)

    def test_names_a_missing_peer_and_does_not_judge(self):
        there, missing = split_by_availability(
            [Peer("peer", ["peer"], "no-such-package-anywhere"), Peer("ours", ["ours"])]
        )
        self.assertEqual([peer.name for peer in there], ["ours"])
        alone = Row("what", Figure([3], ""), missing)
        alone.at_most(1, "peer")
        self.assertEqual(
            reported(lambda _: [alone]), (0, "| what | 3 | ≤ 1 × peer | not judged | peer: missing |\n")
        )

    def test_exits_2_for_what_could_not_be_measured_and_keeps_what_was(self):
        def measure(_):
            yield row([3], "missing")
            raise Failure("Xvfb did not start")

        code, printed = reported(measure)
        self.assertEqual(code, 2)
        self.assertEqual(
            printed,
            "| what | 3 ms |  |  | peer: missing |\n| row | **not measured** |  |  | Xvfb did not start |\n",
        )

    def test_is_written_in_place_of_the_last_one(self):
        with tempfile.TemporaryDirectory() as directory:
            page = Path(directory) / "page.md"
            page.write_text("# Figures\n\n## The last run\n\nold\n")
            write(page, ["new", "| row |"])
            self.assertEqual(page.read_text(), "# Figures\n\n## The last run\n\nnew\n| row |\n")
            page.write_text("# Figures\n")
            with self.assertRaises(Failure):
                write(page, ["new"])

    def test_compares_round_by_round(self):
        self.assertEqual(ratio(Figure([1, 20, 3], ""), Figure([2, 40, 3], "")), 0.5)
