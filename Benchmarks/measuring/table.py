"""The table that Benchmarks/run prints, in Markdown."""

from dataclasses import dataclass, field

from measuring.figures import Figure, number, ratio

HEAD = ["what", "xphase", "target", "", "beside it (xphase is so many times it)"]


@dataclass
class Row:
    what: str
    ours: Figure | str
    # By name: a figure, or why there is none.
    peers: dict = field(default_factory=dict)
    # Pairs of the target in words and whether it is met.
    targets: list = field(default_factory=list)

    def at_most(self, times, name):
        """Sets the target of so many times a peer."""
        peer = self.peers.get(name)
        met = ratio(self.ours, peer) <= times if isinstance(peer, Figure) else None
        self.targets.append((f"≤ {times:g} × {name}", met))

    def no_more_than(self, limit):
        """Sets the target of so much."""
        words = f"≤ {number(limit)} {self.ours.unit}".rstrip()
        self.targets.append((words, self.ours.median <= limit))

    @property
    def is_missed(self):
        return any(met is False for _, met in self.targets)

    def cells(self):
        return [
            self.what,
            str(self.ours),
            "<br>".join(words for words, _ in self.targets),
            "<br>".join({True: "met", False: "**missed**", None: "no peer"}[met] for _, met in self.targets),
            ", ".join(self.peer(name, figure) for name, figure in self.peers.items()),
        ]

    def peer(self, name, figure):
        if isinstance(figure, str):
            return f"{name}: {figure}"
        comparable = isinstance(self.ours, Figure) and all(figure.rounds)
        return f"{name} {figure}" + (f" ({ratio(self.ours, figure):.2g} ×)" if comparable else "")


def line(cells):
    return "| " + " | ".join(cells) + " |"


def head():
    return [line(HEAD), line(["---"] * len(HEAD))]
