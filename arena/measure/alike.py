"""Look-alikes among hand-ins: the same code but for names and blanks, or the same answers that no built-in agent gives.

They are a reason to look at two files side by side, and no proof: simple agents resemble each other.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from agents.agent import Limits, new_game, prepare
from agents.board import Rules
from agents.specs.outline import LARGE, with_imports
from agents.specs.parts import HEURISTICS, complete
from agents.specs.registry import parse
from arena.measure.check import POSITIONS, SEED, boards
from arena.play.referee import Conditions, decide

Answers = Sequence[int | None]
"""The 0-based columns that an agent chose in the positions of `arena check`, None where it failed or was not asked."""
FEWEST = 30
"""Positions that both must have answered to count as alike."""


def fingerprint(path: Path) -> str:
    """Return a hash of a file and of those of its folder that it imports, the same for files that read alike.

    In Python files the names that they define are numbered in their order; comments, docstrings and blanks are left
    out. Numbers, texts, and the names of others' functions and modules count.
    """
    parts = sorted(_normalised(each) for each in (with_imports(path) if path.suffix == ".py" else [path]))
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _normalised(path: Path) -> bytes:
    source = path.read_bytes()
    if path.suffix != ".py" or len(source) > LARGE:
        return source
    try:
        return ast.dump(_Numbered().visit(ast.parse(source))).encode()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source


class _Numbered(ast.NodeTransformer):
    """Gives the names that a file defines numbers, in their order, and drops docstrings.

    An attribute is the file's own where it is one of a name and the file sets it or defines a method of that name.
    """

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """Collect the names, then replace them."""
        nodes = [*ast.walk(node)]
        names = {name for each in nodes for name in _defined(each)}
        attributes = {
            each.attr for each in nodes if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
        }
        attributes |= {each.name for each in nodes if isinstance(each, ast.FunctionDef)}
        numbers: dict[tuple[str, bool], str] = {}
        for each in nodes:
            if isinstance(each, ast.alias):
                each.asname = each.asname or each.name  # the module is another's, what it is called here is not
            for field in ("id", "name", "arg", "asname", "attr"):
                name, own = getattr(each, field, None), attributes if field == "attr" else names
                foreign = isinstance(each, ast.alias) and field == "name"
                foreign |= isinstance(each, ast.Attribute) and not isinstance(each.value, ast.Name)
                if name in own and not foreign:
                    key = name, name in attributes and field in {"attr", "name"}
                    setattr(each, field, numbers.setdefault(key, f"n{len(numbers)}"))
        return self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Drop a docstring."""
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            del node.body[0]
        return super().generic_visit(node)


def _defined(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.alias):
        yield node.asname or node.name
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name


def alike(codes: Mapping[str, str], answers: Mapping[str, Answers], rules: Rules) -> dict[str, dict[str, str]]:
    """Return for each name its look-alikes, with what is alike: `code` or `answers`.

    codes: fingerprints by name. An agent that answers every position as a built-in agent does has no look-alikes.
    """
    found: dict[str, dict[str, str]] = {name: {} for name in codes}
    for one, other in itertools.combinations(codes, 2):
        same = [given for given in zip(answers[one], answers[other], strict=True) if None not in given]
        if codes[one] == codes[other]:
            found[one][other] = found[other][one] = "code"
        elif len(same) >= FEWEST and all(a == b for a, b in same) and twin(answers[one], rules) is None:
            found[one][other] = found[other][one] = "answers"
    return found


def twin(answers: Answers, rules: Rules) -> str | None:
    """Return a built-in agent that answers so in every position; None where there is none."""
    for text in _built_in():
        first = _first(text, rules)
        if _agree(answers, first) and _agree(answers, [*_asked(text, rules, len(answers))]):
            return text
    return None


def _agree(answers: Answers, given: Sequence[int]) -> bool:
    return all(own in {None, column} for own, column in zip(answers, given, strict=False))


@functools.cache
def _first(text: str, rules: Rules) -> tuple[int, ...]:
    """Return an agent's first answers, which tell nearly all others apart from it."""
    return tuple(_asked(text, rules, FEWEST))


def _asked(text: str, rules: Rules, positions: int) -> Iterator[int]:
    """Yield an agent's answers to the positions of `arena check`, which asks three times on each."""
    agent = parse(text).build()
    prepare(agent, rules, text)
    for number, board in enumerate(boards(rules, POSITIONS)[:positions]):
        if number % 20 == 0:
            new_game(agent, SEED)
        first, *_ = [decide(agent, each, Conditions(Limits())).column for each in (board, board, board.mirror())]
        yield first


def _built_in() -> Iterator[str]:
    """Yield the agents that a hand-in may be the twin of."""
    yield from ("random", "greedy")
    for heuristic, order, depth in itertools.product(complete(HEURISTICS), ("left-to-right", "centre"), range(1, 7)):
        yield f"alphabeta:depth={depth},order={order},heuristic={heuristic}"
