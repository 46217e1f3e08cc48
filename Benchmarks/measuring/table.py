"""The table that Benchmarks/run prints, in Markdown."""

from dataclasses import dataclass, field

from measuring.figures import Figure, number, ratio

HEAD = ["what", "xphase", "target", "", "peers (ratio of xphase to the peer)"]
VERDICTS = {True: "met", False: "**missed**", None: "not judged"}


@dataclass
class Row:
    what: str
    ours: Figure
    # By the name of the peer: a figure, or the reason why there is none.
    peers: dict = field(default_factory=dict)
    # Further figures of xphase, by description.
    also: dict = field(default_factory=dict)
    # Pairs of the target in words and whether it is met; None if that cannot be determined.
    targets: list = field(default_factory=list)

    def at_most(self, times, name):
        """Adds the target of at most this many times a peer."""
        self.compare(f"≤ {times:g} × {name}", name, lambda found: found <= times)

    def at_least(self, times, name):
        self.compare(f"≥ {times:g} × {name}", name, lambda found: found >= times)

    def compare(self, words, name, is_met):
        peer = self.peers[name]
        self.targets.append((words, is_met(ratio(self.ours, peer)) if isinstance(peer, Figure) else None))

    def no_more_than(self, limit):
        """Adds the target of at most this value."""
        self.targets.append((f"≤ {number(limit)} {self.ours.unit}".rstrip(), self.ours.median <= limit))

    def exactly(self, wanted):
        self.targets.append((number(wanted), self.ours.median == wanted))

    @property
    def is_missed(self):
        return any(met is False for _, met in self.targets)

    def line(self):
        return line(
            self.what,
            "<br>".join([str(self.ours), *(f"{what}: {figure}" for what, figure in self.also.items())]),
            "<br>".join(words for words, _ in self.targets),
            "<br>".join(VERDICTS[met] for _, met in self.targets),
            "<br>".join(self.peer(name, figure) for name, figure in self.peers.items()),
        )

    def peer(self, name, figure):
        if isinstance(figure, str):
            return f"{name}: {figure}"
        times = f" ({ratio(self.ours, figure):.2g} ×)" if all(figure.rounds) else ""
        return f"{name}: {figure}{times}"


def line(*cells):
    return f"| {' | '.join(cells)} |"


def head():
    return [line(*HEAD), line(*["---"] * len(HEAD))]


def unmeasured(name, failure):
    """Returns the row for a failed measurement."""
    return line(name, "**not measured**", "", "", " ".join(str(failure).split()))
