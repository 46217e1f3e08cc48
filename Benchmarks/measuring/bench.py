"""What every row is given."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bench:
    # The program that is measured.
    xphase: str
    is_quick: bool

    def choose(self, quick, whole):
        return quick if self.is_quick else whole
