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


def split_by_availability(peers, left_out=()):
    """The peers that can run, and for each other one, by name, what the table says in place of a figure.

    `left_out` are names of those that --quick does not run.
    """
    reasons = {peer.name: "not measured by --quick" for peer in peers if peer.name in left_out}
    reasons |= {peer.name: "missing" for peer in peers if not peer.is_there}
    return [peer for peer in peers if peer.name not in reasons], reasons
