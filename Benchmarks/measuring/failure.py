class Failure(Exception):
    """A measurement that could not be made; its text says why."""
