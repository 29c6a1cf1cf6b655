"""What a reader must know of strangers in a run."""

from __future__ import annotations

from arena.analysis.frames import Frames
from arena.report.labels import Labels


def claims_line(frames: Frames) -> str:
    """Return a line on whose numbers are claims, and who played in the arena's process; nothing where nobody did."""
    labels = Labels.among(frames.agents["name"])
    strangers = [labels.of(name) for name in frames.agents["name"][frames.agents["stranger"] == 1]]
    if (frames.plan.get("isolation") or {}).get("nobody"):
        return "--in-process: agents of files played in the arena's own process"
    return f"nodes and scores of {', '.join(strangers)} are their own claims" if strangers else ""
