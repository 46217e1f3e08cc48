"""Programs that a row compares."""

from dataclasses import dataclass

from measuring.packages import version


@dataclass(frozen=True)
class Peer:
    name: str
    command: list
    # The Debian package that the peer needs; empty for programs in Benchmarks/programs.
    package: str = ""

    @property
    def is_there(self):
        return not self.package or version(self.package) is not None


def split_by_availability(peers, left_out=()):
    """Returns the peers that can run, and by name the reason for each other peer, for the table.

    `left_out` contains the names of the peers that --quick does not run.
    """
    reasons = {peer.name: "not measured by --quick" for peer in peers if peer.name in left_out}
    reasons |= {peer.name: "missing" for peer in peers if not peer.is_there}
    return [peer for peer in peers if peer.name not in reasons], reasons
