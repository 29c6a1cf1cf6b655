"""What a reader must know of strangers in a run."""

from __future__ import annotations

from arena.analysis.frames import Frames
from arena.report.labels import Labels


def sessions_line(frames: Frames) -> str:
    """Return a line on how many sessions played the games, where these differ; otherwise nothing."""
    sessions = frames.made["sessions"]
    differ = [name for name in ("versions", "machine") if any(each[name] != sessions[0][name] for each in sessions)]
    said = {"versions": "versions", "machine": "machines"}
    told = " and ".join(said[name] for name in differ)
    return f"played in {len(sessions)} sessions, with different {told}" if differ else ""


def claims_line(frames: Frames) -> str:
    """Return a line on whose numbers are claims, and who played in the arena's process; nothing where nobody did."""
    labels = Labels.among(frames.agents["name"])
    claimed = frames.moves[(frames.moves["nodes"] > 0) | frames.moves["score"].notna()]["agent"].unique()
    strangers = frames.agents["name"][(frames.agents["stranger"] == 1) & frames.agents["name"].isin(claimed)]
    if (frames.plan.get("isolation") or {}).get("nobody"):
        return "--in-process: agents of files played in the arena's own process"
    names = ", ".join(map(labels.of, strangers))
    return f"nodes and scores of {names} are their own claims" if names else ""
