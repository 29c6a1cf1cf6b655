"""Footnotes of tables: one line for each column; docs/statistics.md explains the methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.analysis.standings import Standing
from arena.store.machine import Load

INTERVAL = {"95 %": "confidence interval of Elo, by the method in the title"}
STAR = "* where all points were won or all lost: it may lie far beyond"
LOS = "one minus the p value of the one-sided test that {} is stronger"
BEHIND = {"behind": "Elo below the row above", "LOS %": LOS.format("the row above")}
REFEREE = "by the referee's clock, which times the whole call"
SEARCH = "by the search's own clock where it has one, else by the referee's"
WITHIN = "± within this run: others may differ by more"
MOVE = {"nodes": "mean of a move", "ms": f"typical time of a move, {REFEREE}, {WITHIN}"}
"""A typical time is the mean of the middle nine tenths."""
BRANCHING = {
    "branching": "that of a uniform tree of this depth with as many nodes",
    "a ply ×": "nodes over those of the depth one ply less",
}
PHASE = {"ms": f"typical time, {SEARCH}, {WITHIN}"}
EFFORT = PHASE | BRANCHING
DEPTHS = {"time": f"median, {REFEREE}"} | BRANCHING
BENCH = {"time": "shortest, by the processor's clock; of remote agents by the referee's"}
SWEEP = {
    "step": "Elo from the value before, with half of its 95 % interval",
    "geometric": "mean of the nodes that a few dear moves do not decide",
}
PAIRINGS = {
    "Elo": "by how much the first is stronger",
    "95 %": "score interval of Elo, over opening pairs",
    "nElo": "the same in standard deviations of a game",
    "LOS %": LOS.format("the first"),
    "Holm": "whether a difference still shows among so many pairings",
    "nodes ×": "the first's over the second's",
}
AUDIT = {
    "95 %": "confidence interval of the share, by the method in the title",
    "by chance": "what random moves would keep",
    "clear-cut": "positions where some legal moves keep the value and others lose it",
}
GRADES = {
    "clear-cut good": "kept the win or the draw where a legal move loses it",
    "clear-cut perfect": "won soonest or lost latest, too",
    "95 %": "Wilson's interval of clear-cut good, by Student's t over positions",
    "gain, 95 %": "score interval over all clear-cut positions, each answered by both",
    "ms": f"typical time of a move, {REFEREE}",
}
TUNING = {"95 %": "of the gain, by Student's t over questions"}
CHANGES = {
    "95 %": "by Student's t over openings; exact where all games are the same",
    "time ×": f"new over old, {REFEREE}, with an interval over openings and, by agents that searched alike, over runs",
}
DISTANCE = {
    "best": "moves that win soonest, draw, or lose latest",
    "delay": "moves by which the average move that kept the value puts off a win or hastens a loss",
}
NASH = {"nash": "share of the agent in the pool's equilibrium", "value": "expected score against it"}
HOLM = {"Holm": "numbers of the agents that it is still shown to be stronger than among so many pairs"}
RATES = {"Elo": STAR} | BEHIND | HOLM | NASH


TIMES = {"ms", "time ×"}


def measured(notes: Mapping[str, str], *loads: Load | None) -> dict[str, str]:
    """Return what columns mean; those of times say so where the machine was busy when they were measured."""
    said = dict.fromkeys(load.note for load in loads if load is not None and load.busy)
    return {name: ", ".join([text, *said]) if name in TIMES else text for name, text in notes.items()}


def standings(pool: Sequence[Standing]) -> dict[str, str]:
    """Return what the columns of the standings mean."""
    return ({"Elo": STAR} if any(row.marked for row in pool) else {}) | INTERVAL | BEHIND | MOVE
