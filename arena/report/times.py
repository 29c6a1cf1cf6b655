"""What a reader must know of a run's times: how they were taken, and whether something disturbed them."""

from __future__ import annotations

from arena.analysis.frames import Frames
from arena.analysis.times import BUSY, SLOWED, overruns, slowed
from arena.report.labels import Labels
from arena.report.numbers import duration


def taken(frames: Frames) -> str:
    """Return from what ratios of times in a table of pairings are taken."""
    positions = frames.times["position"].nunique()
    return f"{positions} positions searched by turns on one core" if positions else "games, in which positions differ"


def warnings(frames: Frames) -> list[str]:
    """Return a line where the machine was busy with something else, and one for each agent that overran its limit."""
    share = slowed(frames)
    lines = []
    if frames.drawn:
        games = frames.moves["game"].nunique()
        lines.append(f"nodes and times are those of {games:,} games, drawn from {frames.played().ends.sum():,}")
    if share > BUSY:
        lines.append(
            f"warning: the machine was busy: {share:.0%} of the searches by turns took {SLOWED:g} times as long "
            "as the same search did at best"
        )
    labels = Labels.among(frames.agents["name"])
    return lines + [
        f"{labels.of(each.agent)} overran {duration(each.limit)} a move in {each.over:,} of {each.moves:,} moves, "
        f"by {duration(each.typical)} in the middle and {duration(each.most)} at most"
        for each in overruns(frames)
        if each.typical is not None and each.most is not None
    ]
