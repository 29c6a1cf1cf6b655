"""`zero`: every position is worth 0, so that a search with it sees only finished games."""


def evaluate(own: int, opp: int) -> int:  # noqa: ARG001  every position is worth the same
    """Return 0."""
    return 0
