"""Counts round trips by the replies that each request could have waited for."""

from collections import Counter


class Rounds:
    """The round trips of a client.

    A request belongs to the round after the last round of which the client had received a reply. Requests that
    are sent together are therefore one round, however many replies they get. The count is the number of times
    that the client waits for a distant server.
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
        # A reply can arrive in parts, as for ListFontsWithInfo, and can follow an error.
        answered = self.round_of.get(number)
        if answered is None:
            return
        self.answered.setdefault(answered, Counter())[self.names[number]] += 1
        self.current = max(self.current, answered + 1)

    @property
    def count(self):
        return self.current - 1

    def lines(self):
        """Yields for each round trip the requests that were answered in it, and those without a reply."""
        for number in range(1, self.current + 1):
            answered = self.answered.get(number, Counter())
            unanswered = self.asked.get(number, Counter()) - answered
            words = [f"{name} ×{times}" if times > 1 else name for name, times in answered.items()]
            others = [f"{name} ×{times}" if times > 1 else name for name, times in unanswered.items()]
            if words or others:
                yield f"{number}: {', '.join(words) or 'no reply'}" + (
                    f"; sent {', '.join(others)}" if others else ""
                )
