"""From "alphabeta:depth=6,heuristic=smart-aware" to an agent: the one place that knows all names."""

from __future__ import annotations

import ast
import importlib
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from agents.agent import Agent
from agents.errors import InputError, unknown
from agents.parameters import ALPHABETA, ITU_2012, MCTS, MOLLERHOJ, ONEIL, PERFECT, SEARCH, SMART_CONNECT4, Parameter
from agents.plugins import aside, check, find, installed, is_file, one_line


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of agent: what makes it, and the keys that its spec takes."""

    where: str
    """`module:class`, called with the parameters by keyword."""
    summary: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    """Arguments that the spec cannot change."""
    source: str = ""
    chance: bool = False
    """Whether it plays by chance."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A checked agent spec: one agent, not made yet."""

    text: str
    """As the user wrote it, ranges and choices expanded. It makes the same agent anywhere."""
    kind: str
    parameters: Mapping[str, object]
    """Those given; the others keep their defaults."""

    def resolved(self) -> dict[str, object]:
        """Return all parameters, defaults included, by the names that specs use."""
        kind = KINDS.get(self.kind)
        defaults = {} if kind is None else {key: each.default for key, each in kind.parameters.items()}
        return {_dashed(key): value for key, value in (defaults | dict(self.parameters)).items()}

    @property
    def deterministic(self) -> bool:
        """Whether it is known to play the same move in the same position always."""
        kind = KINDS.get(self.kind)
        return kind is not None and not kind.chance and self.parameters.get("seconds") is None

    def build(self) -> Agent:
        """Return a new agent. Raises InputError where it cannot be made."""
        kind = KINDS.get(self.kind)
        if kind is not None:
            module, _, name = kind.where.partition(":")
            return cast("Agent", getattr(importlib.import_module(module), name)(**self.parameters, **kind.fixed))
        made = find("agent", self.kind, {})
        try:
            with aside():
                agent = made(**self.parameters)
        except (Exception, SystemExit) as error:
            raise InputError(f"agent {self.text!r} cannot be made: {one_line(error)}") from error
        if not callable(getattr(agent, "choose", None)):
            raise InputError(f"agent {self.text!r} has no method choose(board, limits)")
        return cast("Agent", agent)


def parse(text: str) -> Spec:
    """Return the one agent that a spec without ranges and choices names. Raises InputError."""
    text = text.strip()
    kind, parameters = _split(LEVELS.get(text, text))
    check("agent", kind, {**KINDS, **LEVELS})
    if kind in LEVELS:
        raise InputError(f"agent {text!r}: the level {kind} takes no parameters; it is {LEVELS[kind]}")
    known = KINDS[kind].parameters if kind in KINDS else None
    values = {}
    for pair in parameters:
        key, equals, value = pair.partition("=")
        if not equals or not key or not value:
            raise InputError(f"agent {text!r}: {pair!r} is not key=value")
        name = key.replace("-", "_")
        if name in values:
            raise InputError(f"agent {text!r}: {key} is given twice")
        if known is None:
            values[name] = _literal(value)
            continue
        if name not in known:
            raise InputError(f"agent {text!r}: {unknown('parameter', key, map(_dashed, known))}")
        try:
            values[name] = known[name].read(value)
        except InputError as error:
            raise InputError(f"agent {text!r}: {key}: {error}") from error
    return Spec(text, kind, values)


def expand(text: str) -> list[Spec]:
    """Return the agents that a spec names: `depth=2..6` and `heuristic=a|b` stand for several. Raises InputError."""
    kind, parameters = _split(text.strip())
    choices = [[f"{key}{equals}{value}" for value in _values(rest)] for key, equals, rest in
               (pair.partition("=") for pair in parameters)]  # fmt: skip
    if not choices:
        return [parse(text)]
    return [parse(f"{kind}:{','.join(chosen)}") for chosen in itertools.product(*choices)]


def names() -> list[str]:
    """Return the names of every kind of agent and every level, the installed ones included."""
    return [*KINDS, *LEVELS, *installed("agents")]


def _split(text: str) -> tuple[str, list[str]]:
    """Return the kind and the key=value pairs; the kind may be `file.py:Class`."""
    if not text:
        raise InputError("an agent's spec is empty; it reads NAME or NAME:key=value,key=value")
    if is_file(text.split("=", maxsplit=1)[0]):
        path, _, rest = text.partition(".py:")
        name, colon, parameters = rest.partition(":")
        kind = f"{path}.py:{name}"
    else:
        kind, colon, parameters = text.partition(":")
    if colon and not parameters:
        raise InputError(f"agent {text!r}: nothing follows the last colon")
    return kind, parameters.split(",") if parameters else []


def _values(text: str) -> list[str]:
    values = []
    for choice in text.split("|"):
        ends = re.fullmatch(r"(\d{1,6})\.\.(\d{1,6})", choice)
        if ends is None:
            values.append(choice)
            continue
        low, high = int(ends[1]), int(ends[2])
        if not low <= high <= low + 1000:
            raise InputError(f"range {choice} must run upwards, over at most 1000 values")
        values.extend(str(value) for value in range(low, high + 1))
    return values


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _dashed(key: str) -> str:
    return key.replace("_", "-")


KINDS: dict[str, Kind] = {
    "random": Kind("agents.players.simple:Random", "plays any legal column", chance=True),
    "greedy": Kind("agents.players.simple:Greedy", "wins or blocks in one, else plays at random", chance=True),
    "minimax": Kind("agents.players.searcher:Searcher", "plain minimax, no pruning", SEARCH, {"pruning": False}),
    "alphabeta": Kind(
        "agents.players.searcher:Searcher", "alpha-beta with an ordering, a table, deepening or limits", ALPHABETA
    ),
    "mollerhoj": Kind(
        "agents.players.mollerhoj:Mollerhoj",
        "minimax to depth 3 with powers of ten; a win is just 1000 more",
        MOLLERHOJ,
        source='Møllerhøj, "Connect 4 AI in Ruby", 2013',
    ),
    "oneil": Kind(
        "agents.players.oneil:Oneil",
        "alpha-beta to the end of the game with two extra cuts, under a limit the best so far",
        ONEIL,
        source='O\'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024',
    ),
    "smart-connect4": Kind(
        "agents.players.smart_connect4:SmartConnect4",
        "alpha-beta or minimax from the centre with smart-simple or smart-aware",
        SMART_CONNECT4,
        source='Kotp, Mohammed, Farid, "Smart Connect4", 2022',
    ),
    "itu-2012": Kind(
        "agents.players.itu_2012:Itu2012",
        "alpha-beta, deeper the fewer cells are empty, ties by the depth of the leaf",
        ITU_2012,
        source='Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012',
    ),
    "mcts": Kind(
        "agents.players.mcts:Mcts",
        "upper-confidence tree search with random playouts",
        MCTS,
        source='Kocsis, Szepesvári, "Bandit based Monte-Carlo Planning", 2006',
        chance=True,
    ),
    "perfect": Kind("agents.players.perfect:Perfect", "the solver: the fastest win, the slowest loss", PERFECT),
}

LEVELS: dict[str, str] = {
    "beginner": "greedy",
    "easy": "mcts:playouts=20",
    "medium": "alphabeta:depth=4,heuristic=powers-of-ten,order=centre",
    "hard": "alphabeta:depth=9,heuristic=powers-of-ten,order=open-windows",
    "master": "alphabeta:nodes=5000000,heuristic=powers-of-ten,order=open-windows,table=on",
}
"""Each level scores 0.80 to 0.89 against the one before (the beginner: against `random`), over 200 openings of four
random plies with colours swapped; the master scores 0.66 against `hard`, over 40. A move of the master takes a few
tenths of a second."""
