"""The parameters of every row."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bench:
    # The program to measure.
    xphase: str
    is_quick: bool

    def choose(self, quick, whole):
        return quick if self.is_quick else whole
