"""What a comparison of heuristics says in one sentence: one of them against all others, over all levels."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from agents.board import STANDARD, Rules
from agents.specs.plugins import is_file
from arena.analysis.frames import Frames
from arena.analysis.pairings import pairs
from arena.cells import percent
from arena.statistics.intervals import survivors
from arena.statistics.pairing import Basis, Pairing, ahead_by, pooled, within

DEFAULT_SEARCH = "alphabeta:order=centre"
"""That of `arena compare`."""
Levels = Mapping[str, Mapping[str, str]]
"""The heuristic of each agent, by level."""
Duels = Sequence[Any]
"""Rows of `arena.analysis.comparison.HeuristicDuel`, which imports this module."""


def subject(frames: Frames, levels: Levels) -> str:
    """Return the heuristic that the answer is about: the first from a file, or else the one with the most points."""
    names = _names(levels)
    scores = {name: _shares(frames, levels, name, names).mean() for name in names}
    return next(filter(is_file, names), None) or max(names, key=lambda name: scores[name])


def answer(frames: Frames, levels: Levels, own: str, met: Duels, margin: float) -> str:
    """Return how heuristic `own` did against all others, over all levels; empty where no opening was played everywhere.

    Each opening counts once, with the mean of what is pooled. A heuristic alone is beaten where Holm's test says so
    among the others; where none is, all together may be. met: the pairings, each with its verdict. margin: Elo within
    which heuristics count as equivalent.
    """
    names, population = _names(levels), frames.population
    points = _shares(frames, levels, own, names)
    if points.empty:
        return ""
    whole = pooled(points, population, margin)
    shares = {name: _shares(frames, levels, own, [name]) for name in names if name != own}
    others = [name for name in shares if not shares[name].empty]
    apart = [pooled(shares[other], population, margin) for other in others]
    kept = survivors([each.los_score for each in apart])
    ends = [_end(each) if stands or each.basis is Basis.EXACT else 0 for each, stands in zip(apart, kept, strict=True)]
    if len(set(ends)) == 1:
        together = " together" if _end(whole) != ends[0] and len(others) > 1 else ""
        claims = [_claim(own, _and(others) + together, whole, _end(whole) if together else ends[0])]
    else:
        claims = [_claim(own, *each) for each in zip(others, apart, ends, strict=True)]
    mine = [(each, 1 if each.heuristic == own else -1) for each in met if own in (each.heuristic, each.against)]
    turned = {
        f"{each.at} against {other}"
        for each, side in mine
        if each.survives and each.score is not None and (each.score - 0.5) * side * (whole.score - 0.5) < 0
        for other in (each.against if side > 0 else each.heuristic,)
    }
    but = f" (the other way round at {_and(sorted(turned))})" if turned and whole.clear else ""
    evidence = f"{percent(whole.score)} of the points in {sum(each.pairs for each, _ in mine):,} pairs of games"
    return f"{'; '.join(claims)}, {_over(list(levels))}{but}: {evidence}"


def again(frames: Frames, levels: Levels, met: Duels, margin: float) -> str:
    """Return the command of a fresh run that would tell what is not clear, in a sentence; empty where all is clear.

    met: the pairings with a verdict. margin: Elo within which heuristics count as equivalent.
    """
    unclear = [each for each in met if each.more is not None]
    if not unclear:
        return ""
    plan, rules, rounds = frames.plan, Rules(**frames.plan["rules"]), max(each.more or 0 for each in unclear)
    kind, values = _kind(list(dict.fromkeys(each.at for each in unclear)))
    asked = {each.heuristic for each in unclear} | {each.against for each in unclear}
    words = ["arena", "compare", *(name for name in _names(levels) if name in asked), f"--{kind}", ",".join(values)]
    if (search := plan["comparison"].get("search", DEFAULT_SEARCH)) != DEFAULT_SEARCH:
        words += ["--search", search]
    openings = "plies:8" if rounds > plan.get("population", rounds) else plan.get("openings", "plies:4")
    words += ["--openings", openings] if openings != "plies:4" else []
    words += ["--rounds", str(rounds), "--seed", str(plan.get("seed", 1) + 1)]
    words += ["--board", str(rules).partition(":")[0]] if rules != STANDARD else []
    words += ["--rules", "most-fours"] if rules.most_fours else []
    which = "the unclear pairing differs" if len(unclear) == 1 else f"the {len(unclear)} unclear pairings differ"
    return f"to see whether {which} by {margin:g} Elo: {shlex.join(words)}"


def _names(levels: Levels) -> list[str]:
    return list(dict.fromkeys(heuristic for agents in levels.values() for heuristic in agents.values()))


def _shares(frames: Frames, levels: Levels, own: str, others: Sequence[str]) -> pd.Series[float]:
    """Return a heuristic's mean share of the points on each opening that it met all others on at all levels."""
    columns = []
    for names in levels.values():
        agents = {heuristic: agent for agent, heuristic in names.items()}
        met = [other for other in others if other != own and {own, other} <= agents.keys()]
        columns += [pairs(frames, agents[own], agents[other]) / 2.0 for other in met]
    return pd.concat(columns, axis=1).dropna().mean(axis=1) if columns else pd.Series(dtype=float)


def _end(result: Pairing) -> int:
    """Return 1 where the first is shown to be ahead, -1 where it is behind, else 0."""
    return (1 if result.score > 0.5 else -1) if result.clear else 0


def _claim(own: str, others: str, result: Pairing, end: int) -> str:
    if end:
        return f"{own} {'beats' if end > 0 else 'loses to'} {others}, {ahead_by(result, end)}"
    if result.level:
        return f"{own} is level with {others}, {within(result)}"
    return f"no difference shows between {own} and {others}: {within(result)}"


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
