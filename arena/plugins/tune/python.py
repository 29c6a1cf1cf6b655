"""Weights of a heuristic, for Python users."""

from arena.games.settings import checked
from arena.plugins.tune import job

__all__ = ["tune"]

tune = checked(job.tune)
