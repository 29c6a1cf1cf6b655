"""Experiments in one file each, for Python users."""

from arena.games.settings import checked
from arena.plugins.study import job

__all__ = ["check", "new", "play", "verify"]

new = checked(job.new)
check = checked(job.check)
play = checked(job.play)
verify = checked(job.verify)
