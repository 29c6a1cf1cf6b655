"""Exact searches compared: with plain minimax, and two searches of a user with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agents.board import Rules
from agents.errors import InputError
from agents.specs.plugins import is_file
from arena.games.progress import Watch, bar
from arena.games.settings import Apart, named, rules_of, spec, specs, whole
from arena.table.measured import Measured, Progress

if TYPE_CHECKING:
    from arena.depth.agreement import AtDepth, DifferentAnswer
    from arena.games.endings import WrongEnding


@dataclass(frozen=True, slots=True)
class VerifiedSearches(Measured[Any]):
    """The disagreements of exact searches as `rows`, none where all agree."""

    positions: int = 0
    heuristics: int = 0
    """How many were taken of both."""


def verify(
    *,
    positions: int = 40,
    depth: int = 6,
    seed: int = 1,
    heuristics: Sequence[str] = (),
    orderings: Sequence[str] = (),
    rules: Rules | str = "7x6x4",
    progress: Progress = False,
) -> VerifiedSearches:
    """Compare every exact search with plain minimax, and return all disagreements; `arena verify` from Python.

    positions: the number of positions, drawn with the seed from random play. depth: plies. heuristics, orderings: only
    these. rules: the board. The columns are the fields of `arena.depth.exact.Disagreement`. Raises InputError.
    """
    from agents.specs.components import ORDERINGS
    from arena.depth import exact

    whole("positions", positions, 1, 100_000)
    whole("depth", depth, 1, 20)
    whole("seed", seed, 0)
    names, orders = named("heuristics", heuristics, "smart-aware"), named("orderings", orderings, "centre")
    from arena.games.searches import sample

    watch = Watch(seed)
    boards = sample(positions, seed, rules_of(rules))
    few, shallow = boards[: exact.PLAIN_POSITIONS], min(depth, exact.PLAIN_DEPTH)
    values, orders = names or exact.usable_heuristics(boards[0].rules), orders or list(ORDERINGS)
    with bar(progress, "position", len(values) * (len(boards) + len(few))) as shown:
        rows = exact.verify(boards, depth, values, exact.searches(orders), shown.update)
        rows += exact.verify(few, shallow, values, exact.plain_searches(orders), shown.update)
    return VerifiedSearches(rows, exact.Disagreement, watch.end()[0], positions=len(boards), heuristics=len(values))


@dataclass(frozen=True, slots=True)
class Agreed:
    """The agreement of a search that prunes with the search that it should equal."""

    rows: list[AtDepth]
    differences: list[DifferentAnswer]
    """The first difference of each two searches that disagree."""
    endings: list[WrongEnding]
    """The first position that a search misjudges though the search reaches the end of the game."""
    meta: dict[str, Any]


def agreement(
    agents: Sequence[object],
    *,
    positions: int = 40,
    depth: int = 6,
    seed: int = 1,
    heuristics: Sequence[str] = (),
    rules: Rules | str = "7x6x4",
    isolation: Apart | None = None,
    progress: Progress = False,
) -> Agreed:
    """Compare a search that prunes with plain minimax, at each depth up to `depth`, on positions from random play.

    agents: the minimax and the other search. positions: the number of positions, drawn with the seed. rules: their
    board. Both are also asked positions of the last three plies, drawn, won and lost, where no heuristic takes part.
    heuristics: the minimax is also compared with the built-in one with each of these heuristics, in plain
    Python, so that any function of `own` and `opp` works. isolation: settings for agents and heuristics of files, see
    `run`. Raises InputError, also for a search that fails, reports no value or ignores the depth.
    """
    from arena.depth.agreement import answers, by_depth, first_difference
    from arena.games.endings import endings, wrong_ending
    from arena.games.searches import sample
    from arena.table.cells import without_depth

    whole("positions", positions, 1, 100_000)
    whole("depth", depth, 1, 20)
    whole("seed", seed, 0)
    entered = specs(agents, isolation)
    if len(entered) != 2:
        raise InputError(f"verify takes two searches, minimax and the one that prunes, not {len(entered)}")
    reference, search = (replace(entry, text=without_depth(entry.text)) for entry in entered)
    pairs, lives = [(reference, search)], isolation or Apart()
    for name in named("heuristics", heuristics, "smart-aware"):
        apart: Apart = {**lives, "everyone": is_file(name) and not lives.get("nobody", False)}
        ours = spec(f"minimax:heuristic={name},compiled=no", apart)
        pairs.append((replace(ours, text=f"minimax:heuristic={name}"), reference))
    watch, rows, differences = Watch(seed), list[Any](), []
    boards = sample(positions, seed, rules_of(rules))
    with bar(progress, "position", len(pairs) * depth * len(boards)) as shown:
        for one, other in pairs:
            compared = list(answers(one, other, boards, range(1, depth + 1), shown.update))
            rows += by_depth(compared, one.text, other.text)
            differences.append(first_difference(compared, one.text, other.text))
    last = endings(rules_of(rules), seed, depth)
    wrong = [wrong_ending(search, last) for search in (reference, search)]
    return Agreed(
        rows,
        [difference for difference in differences if difference is not None],
        [ending for ending in wrong if ending is not None],
        watch.end()[0],
    )
