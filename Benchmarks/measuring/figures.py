"""What was measured, and how two of them compare."""

import statistics
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One value of each round; in a round every program has its turn."""

    rounds: list
    unit: str
    least: float | None = None

    @property
    def median(self):
        return statistics.median(self.rounds)

    @property
    def minimum(self):
        return min(self.rounds) if self.least is None else self.least

    def __str__(self):
        text = number(self.median)
        if self.least is not None or len(self.rounds) > 1:
            text += f" (min {number(self.minimum)})"
        return f"{text} {self.unit}".rstrip()


def of_samples(rounds, unit):
    """The medians of several samples a round, and the least of all."""
    return Figure([statistics.median(samples) for samples in rounds], unit, min(map(min, rounds)))


def ratio(ours, theirs):
    """How many times theirs ours is: the median of the rounds, since what disturbs a round disturbs both."""
    return statistics.median(our / their for our, their in zip(ours.rounds, theirs.rounds, strict=True))


def number(value):
    if isinstance(value, int) or value >= 1000 or value == int(value):
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
