"""Measured values, and their comparison."""

import statistics
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One value per round. Every program has a turn in each round."""

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
    """Returns the medians of the samples of each round, and the least sample of all rounds."""
    return Figure([statistics.median(samples) for samples in rounds], unit, min(map(min, rounds)))


def ratio(ours, theirs):
    """Returns the median ratio of ours to theirs over the rounds, since a disturbance in a round affects both."""
    return statistics.median(our / their for our, their in zip(ours.rounds, theirs.rounds, strict=True))


def number(value):
    if isinstance(value, int) or value >= 1000 or value == int(value):
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
