"""No stage of a focus change exceeds its budget of instructions."""

import tempfile
import textwrap
import unittest
from pathlib import Path

from measuring.bench import Bench
from measuring.callgrind import calls, inclusive
from measuring.failure import Failure
from measuring.measured import program_to_measure
from measuring.stages import counted, stages

# main calls A.a, which calls B.b, which calls C.c.
PROFILE = """
    events: Ir
    fn=(1) main
    0 10
    cfn=(2) A.a()
    calls=2 0
    0 700

    fn=(2)
    0 100
    cfn=(3) B.b(of:)
    calls=1 0
    +3 600

    fn=(3)
    cob=(4) libc
    cfn=(5) specialized static C.c(_:)
    calls=7 0
    * 500
    -1 100
"""


class AFocusChange(unittest.TestCase):
    def test_keeps_within_the_budget_of_each_stage(self):
        counts = counted(Bench(program_to_measure(), is_quick=True))
        for stage in stages():
            with self.subTest(stage.name):
                count = counts[stage.name]
                self.assertLessEqual(
                    count,
                    stage.budget,
                    f"the stage '{stage.name}' takes {count} instructions, its budget is {stage.budget}; "
                    f"budgets.toml says {stage.instructions}",
                )


class TheCount(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            profile = Path(folder) / "profile"
            profile.write_text(textwrap.dedent(PROFILE))
            self.calls = calls(profile)

    def test_is_what_a_function_costs_with_all_that_it_calls(self):
        self.assertEqual(inclusive(self.calls, ["B.b"]), 600)
        self.assertEqual(inclusive(self.calls, ["C.c"]), 500)

    def test_has_a_call_between_functions_of_one_stage_once(self):
        self.assertEqual(inclusive(self.calls, ["B.b", "C.c"]), 600)

    def test_names_a_function_that_is_not_called(self):
        with self.assertRaisesRegex(Failure, "calls no C.d"):
            inclusive(self.calls, ["B.b", "C.d"])
