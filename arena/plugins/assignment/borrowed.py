"""What a hand-in has of the arena's: modules beyond the public names, and the moves of a built-in agent.

Both are reasons to look at a file, and no proof: simple agents resemble each other.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import agents
from agents.agent import Limits, prepare
from agents.board import Rules
from agents.errors import InputError
from agents.specs.components import HEURISTICS, complete
from agents.specs.outline import inspect_source, with_imports
from agents.specs.registry import parse
from arena.games.check import POSITIONS, boards
from arena.games.referee import Conditions, decide

PUBLIC = {"agents", *(f"agents.{name}" for name in ("agent", "board", "errors", "heuristics", "rules", "score"))}
"""The modules whose names an agent may use: those of the board, of answers and of heuristics."""
ROOT = Path(agents.__file__).parents[1]
FEWEST = 30
"""Positions that a hand-in must have answered to count as a built-in agent."""


def imports(file: Path) -> list[str]:
    """Return the modules of ours beyond the public ones that a file, or one beside it that it imports, names."""
    texts: list[str] = []
    for path in with_imports(file) if file.suffix == ".py" else ():
        with suppress(InputError):  # it cannot be read, and never runs
            texts += [name for level, name in inspect_source(path).imports if not level]
    return beyond_public(texts)


def beyond_public(names: Sequence[str]) -> list[str]:
    """Return the modules of ours beyond the public ones among dotted names, without the packages that they are in."""
    modules = {_module(name) for name in names if name.partition(".")[0] in {"agents", "arena"}} - PUBLIC
    return sorted(name for name in modules if name and not any(other.startswith(f"{name}.") for other in modules))


def _module(name: str) -> str:
    """Return the module of ours that a dotted name begins with; empty where there is none."""
    for place in (Path(*name.split(".")[:length]) for length in range(name.count(".") + 1, 0, -1)):
        if (ROOT / place / "__init__.py").is_file() or (ROOT / f"{place}.py").is_file():
            return ".".join(place.parts)
    return ""


def twin(answers: Sequence[int | None], rules: Rules) -> str | None:
    """Return a built-in agent that gives these answers to the positions of `arena check`; None where there is none.

    answers: 0-based columns, None where there was no answer, which fits all.
    """
    if sum(answer is not None for answer in answers) < FEWEST:
        return None
    for text in _built_in():
        if _agree(answers, _first(text, rules)) and _agree(answers, [*_asked(text, rules, len(answers))]):
            return text
    return None


def _agree(answers: Sequence[int | None], columns: Sequence[int]) -> bool:
    return all(answer in {None, column} for answer, column in zip(answers, columns, strict=False))


@functools.cache
def _first(text: str, rules: Rules) -> tuple[int, ...]:
    """Return an agent's first answers, which tell nearly all others apart from it."""
    return tuple(_asked(text, rules, FEWEST))


def _asked(text: str, rules: Rules, positions: int) -> Iterator[int]:
    """Yield an agent's answers to the positions of `arena check`."""
    agent = parse(text).build()
    prepare(agent, rules, text)
    for board in boards(rules, POSITIONS)[:positions]:
        yield decide(agent, board, Conditions(Limits())).column


def _built_in() -> Iterator[str]:
    """Yield the agents that a hand-in may answer as, by the spec that leaves out what is usual."""
    yield from ("greedy", "perfect")
    for order, heuristic, depth in itertools.product(("left-to-right", "centre"), complete(HEURISTICS), range(1, 7)):
        parts = [f"depth={depth}"]
        parts += [f"{name}={part}" for name, part in (("order", order), ("heuristic", heuristic)) if part not in USUAL]
        yield f"alphabeta:{','.join(parts)}"


USUAL = ("left-to-right", "powers-of-ten")
"""The ordering and the heuristic of `alphabeta`."""
