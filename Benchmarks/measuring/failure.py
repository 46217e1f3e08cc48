class Failure(Exception):
    """A measurement failed; the text is the reason."""
