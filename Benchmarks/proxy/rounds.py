"""Counts round trips by what each request could have waited for."""

from collections import Counter


class Rounds:
    """A request belongs to the round after the last one of which its client had a reply when it was sent.

    So requests that are sent together are one round, however many replies they get, and the count is what a
    distant server makes the client wait for.
    """

    def __init__(self):
        self.current = 1
        self.round_of = {}
        self.names = {}
        self.asked = {}
        self.answered = {}

    def sent(self, number, name):
        self.round_of[number] = self.current
        self.names[number] = name
        self.asked.setdefault(self.current, Counter())[name] += 1

    def delivered(self, number):
        # A reply can come in parts, ListFontsWithInfo's do, and follow an error.
        answered = self.round_of.get(number)
        if answered is None:
            return
        self.answered.setdefault(answered, Counter())[self.names[number]] += 1
        self.current = max(self.current, answered + 1)

    @property
    def count(self):
        return self.current - 1

    def lines(self):
        """Of each round trip, which requests were answered in it, and which had no answer."""
        for number in range(1, self.current + 1):
            answered = self.answered.get(number, Counter())
            unanswered = self.asked.get(number, Counter()) - answered
            words = [f"{name} ×{times}" if times > 1 else name for name, times in answered.items()]
            others = [f"{name} ×{times}" if times > 1 else name for name, times in unanswered.items()]
            if words or others:
                yield f"{number}: {', '.join(words) or 'no reply'}" + (
                    f"; sent {', '.join(others)}" if others else ""
                )
