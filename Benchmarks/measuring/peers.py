"""Programs that stand beside each other in a row."""

from dataclasses import dataclass

from measuring.packages import version


@dataclass(frozen=True)
class Peer:
    name: str
    command: list
    # The Debian package that it needs; none for what is in Benchmarks/programs.
    package: str = ""

    @property
    def is_there(self):
        return not self.package or version(self.package) is not None


def sorted_out(peers):
    """Those that can be run, and for the others, by name, what the table says instead of a figure."""
    there = [peer for peer in peers if peer.is_there]
    return there, {peer.name: "missing" for peer in peers if not peer.is_there}
