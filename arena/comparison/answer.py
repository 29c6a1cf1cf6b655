"""What a comparison of heuristics says in one sentence: one of them against all others, over all levels."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from agents.board import STANDARD, Rules
from agents.specs.plugins import is_file
from arena.statistics.intervals import survivors
from arena.statistics.pairing import Basis, Pairing, ahead_by, pooled, within
from arena.table.cells import percent
from arena.tournament.frames import Frames
from arena.tournament.pairings import pairs

DEFAULT_SEARCH = "alphabeta:order=centre"
"""That of `arena compare`."""
Levels = Mapping[str, Mapping[str, str]]
"""The heuristic of each agent, by level."""
Duels = Sequence[Any]
"""Rows of `arena.comparison.ratings.HeuristicDuel`, which imports this module."""


def subject(frames: Frames, levels: Levels) -> str:
    """Return the heuristic that the answer is about: of two the one from a file, else the one with the most points."""
    names = _names(levels)
    scores = {name: _shares(frames, levels, name, names).mean() for name in names}
    scores = {name: -1.0 if math.isnan(score) else score for name, score in scores.items()}
    mine = [name for name in names if is_file(name)] if len(names) == 2 else []
    return mine[0] if mine else max(names, key=lambda name: scores[name])


def answer(frames: Frames, levels: Levels, name: str, duels: Duels, margin: float) -> str:
    """Return how heuristic `name` did against all others, over all levels; empty where no opening is common to all.

    Of more than two heuristics the answer says whether `name` is the best one. Each opening counts once, with the mean
    of what is pooled. A heuristic is beaten where Holm's test says so among the others.

    duels: the pairings, each with its verdict. margin: Elo within which heuristics count as equivalent.
    """
    names, population = _names(levels), frames.population
    points = _shares(frames, levels, name, names)
    if points.empty:
        return ""
    whole = pooled(points, population, margin)
    shares = {other: _shares(frames, levels, name, [other]) for other in names if other != name}
    others = [other for other in shares if not shares[other].empty]
    results = [pooled(shares[other], population, margin) for other in others]
    survive = survivors([result.los_score for result in results])
    signs = [
        _sign(result) if survives or result.basis is Basis.EXACT else 0
        for result, survives in zip(results, survive, strict=True)
    ]
    if len(names) > 2:
        points_of = {other: _shares(frames, levels, other, names).mean() for other in names}
        if any(math.isnan(share) for share in points_of.values()):  # the others did not all meet each other
            said = [_beside(other, result, sign) for other, result, sign in zip(others, results, signs, strict=True)]
            return f"{name} {_and(said)} {_over(list(levels))}: it has {percent(whole.score)} of the points"
        return _best_of(name, points_of, dict(zip(others, zip(results, signs, strict=True), strict=True)), list(levels))
    if all(row.plays_alike for row in duels):
        return f"{name} and {others[0]} are the same player in this search: they made the same moves in every game"
    sides = [(row, 1 if row.heuristic == name else -1) for row in duels]
    turned = {
        row.at
        for row, side in sides
        if row.survives and row.score is not None and (row.score - 0.5) * side * (whole.score - 0.5) < 0
    }
    but = f" (the other way round at {_and(sorted(turned))})" if turned and whole.clear else ""
    evidence = f"{percent(whole.score)} of the points in {sum(row.pairs for row in duels):,} pairs of games"
    other, result, where = others[0], results[0], f"{_over(list(levels))}{but}"
    if signs[0]:
        verb = "beats" if signs[0] > 0 else "loses to"
        return f"{name} {verb} {other}, {ahead_by(result, signs[0])}, {where}: {evidence}"
    if result.level:
        return f"{name} is level with {other}, {within(result)}, {where}: {evidence}"
    return f"neither {name} nor {other} is shown to be better {where}: {name} has {evidence}, {within(result)}"


def _beside(other: str, result: Pairing, sign: int) -> str:
    """Return in words how a heuristic did against another; sign: 1 where it is shown to be ahead, -1 to be behind."""
    if not sign:
        return f"is not shown to differ from {other}"
    return f"{'beats' if sign > 0 else 'loses to'} {other} {ahead_by(result, sign)}"


def _best_of(
    name: str, points: Mapping[str, float], results: Mapping[str, tuple[Pairing, int]], levels: Sequence[str]
) -> str:
    """Return whether heuristic `name`, which has the most points, is shown to be the best of several.

    points: the share of points of each heuristic. results: against each other heuristic, with 1 where `name` beats it.
    """
    beaten = [other for other, (_, sign) in results.items() if sign > 0]
    if len(beaten) == len(points) - 1:
        amounts = [f"{other} {ahead_by(result, 1)}" for other, (result, _) in results.items()]
        return f"{name} is the best of {len(points)} {_over(levels)}: it beats {_and(amounts)}"
    last = min(points, key=lambda other: points[other])
    ranks = f"{name} leads with {percent(points[name])} of the points, {last} is last with {percent(points[last])}"
    surely = f"; {name} surely beats {_and(beaten)}" if beaten else ""
    return f"none of the {len(points)} is shown to be the best {_over(levels)}: {ranks}{surely}"


def again(frames: Frames, levels: Levels, met: Duels, margin: float) -> str:
    """Return the command of a fresh run that would tell what is not clear, in a sentence; empty where all is clear.

    met: the pairings with a verdict. margin: Elo within which heuristics count as equivalent.
    """
    unclear = [duel for duel in met if duel.more is not None]
    if not unclear:
        return ""
    plan, rules, rounds = frames.plan, Rules(**frames.plan["rules"]), max(duel.more or 0 for duel in unclear)
    kind, values = _kind(list(dict.fromkeys(duel.at for duel in unclear)))
    asked = {duel.heuristic for duel in unclear} | {duel.against for duel in unclear}
    words = ["arena", "compare", *(name for name in _names(levels) if name in asked), f"--{kind}", ",".join(values)]
    if (search := plan["comparison"].get("search", DEFAULT_SEARCH)) != DEFAULT_SEARCH:
        words += ["--search", search]
    openings = "plies:8" if rounds > plan.get("population", rounds) else plan.get("openings", "plies:4")
    words += ["--openings", openings] if openings != "plies:4" else []
    words += ["--rounds", str(rounds), "--seed", str(plan.get("seed", 1) + 1)]
    words += ["--board", str(rules).partition(":")[0]] if rules != STANDARD else []
    words += ["--rules", "most-fours"] if rules.most_fours else []
    return f"more openings may tell ({rounds:,} tell a difference of {margin:g} Elo): {shlex.join(words)}"


def _names(levels: Levels) -> list[str]:
    return list(dict.fromkeys(heuristic for agents in levels.values() for heuristic in agents.values()))


def _shares(frames: Frames, levels: Levels, heuristic: str, others: Sequence[str]) -> pd.Series[float]:
    """Return a heuristic's mean share of the points on each opening that it met all others on at all levels."""
    columns = []
    for names in levels.values():
        agents = {heuristic: agent for agent, heuristic in names.items()}
        met = [other for other in others if other != heuristic and {heuristic, other} <= agents.keys()]
        columns += [pairs(frames, agents[heuristic], agents[other]) / 2.0 for other in met]
    return pd.concat(columns, axis=1).dropna().mean(axis=1) if columns else pd.Series(dtype=float)


def _sign(result: Pairing) -> int:
    """Return 1 where the first is shown to be ahead, -1 where it is behind, else 0."""
    return (1 if result.score > 0.5 else -1) if result.clear else 0


def _kind(levels: Sequence[str]) -> tuple[str, list[str]]:
    """Return the option that sets levels, and its values."""
    if levels[0].startswith("depth "):
        return "depth", [level.removeprefix("depth ") for level in levels]
    kind = "nodes" if levels[0].endswith(" nodes") else "seconds"
    return kind, [level.rpartition(" ")[0] for level in levels]


def _over(levels: Sequence[str]) -> str:
    """Return several levels in words, such as "over depths 2 to 6"."""
    if len(levels) == 1:
        return f"at {levels[0]}"
    kind, values = _kind(levels)
    if kind != "depth":
        return f"over {_and(levels)}"
    low, high = int(values[0]), int(values[-1])
    whole = len(levels) > 2 and [*map(int, values)] == [*range(low, high + 1)]
    return f"over depths {f'{low} to {high}' if whole else _and(values)}"


def _and(words: Sequence[str]) -> str:
    """Return words as a list in a sentence."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
