"""Two runs compared, for Python users."""

from arena.games.settings import tabled
from arena.plugins.diff import job

__all__ = ["diff"]

diff = tabled(job.diff)
