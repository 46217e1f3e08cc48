"""Instructions of each stage of a focus change."""

from measuring.figures import Figure
from measuring.stages import ROOM, counted, stages
from measuring.table import Row

ABOUT = "instructions of each stage of a focus change, against Benchmarks/budgets.toml"


def measure(bench):
    counts = counted(bench)
    for stage in stages():
        row = Row(f"instructions of a focus change: {stage.name}", Figure([counts[stage.name]], ""))
        row.no_more_than(stage.budget)
        row.also = {f"recorded, without the {ROOM:.0%} margin": Figure([stage.instructions], "")}
        yield row
