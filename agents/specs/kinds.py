"""The names that specs begin with: kinds of agents, levels, and prefixes of players that are not ours.

A folder of OPTIONAL may be deleted. Its `__init__.py` offers KINDS; PROGRAMS, the protocols of programs; or ADAPTERS,
modules that have `spec_parameters(target, name)`, the parameters of a spec `PREFIX:TARGET:NAME`, and
`build(target, name, options)`, its agent.
"""

from __future__ import annotations

import importlib
from typing import Any

from agents.specs.parameters import Kind, Program

OPTIONAL = ("processes", "language", "network", "bridges")


def _offered(table: str) -> dict[str, Any]:
    """Return the rows of a table of all optional folders that are there."""
    rows: dict[str, Any] = {}
    for folder in OPTIONAL:
        try:
            rows |= getattr(importlib.import_module(f"agents.{folder}"), table, {})
        except ModuleNotFoundError as error:
            if error.name != f"agents.{folder}":
                raise
    return rows


KINDS: dict[str, Kind] = {
    "random": Kind("agents.players.simple:Random", "plays any legal column", chance=True),
    "greedy": Kind("agents.players.simple:Greedy", "wins or blocks in one, else plays at random", chance=True),
    "minimax": Kind("agents.players.searcher:Minimax", "plain minimax, no pruning"),
    "alphabeta": Kind("agents.players.searcher:Searcher", "alpha-beta with an ordering, a table, deepening or limits"),
    "mollerhoj": Kind(
        "agents.players.mollerhoj:Mollerhoj",
        "minimax to depth 3 with powers of ten; a win is just 1000 more",
        'Møllerhøj, "Connect 4 AI in Ruby", 2013',
    ),
    "oneil": Kind(
        "agents.players.oneil:Oneil",
        "alpha-beta to the end of the game with two extra cuts, under a limit the best so far",
        'O\'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024',
    ),
    "smart-connect4": Kind(
        "agents.players.smart_connect4:SmartConnect4",
        "alpha-beta or minimax from the centre with smart-simple or smart-aware",
        'Kotp, Mohammed, Farid, "Smart Connect4", 2022',
    ),
    "itu-2012": Kind(
        "agents.players.itu_2012:Itu2012",
        "alpha-beta, deeper the fewer cells are empty, ties by the depth of the leaf",
        'Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012',
    ),
    "mcts": Kind(
        "agents.players.mcts:Mcts",
        "upper-confidence tree search with random playouts",
        'Kocsis, Szepesvári, "Bandit based Monte-Carlo Planning", 2006',
        chance=True,
    ),
    "perfect": Kind("agents.players.perfect:Perfect", "the solver: the fastest win, the slowest loss"),
    "tandem": Kind(
        "agents.players.tandem:Tandem",
        "the solver and alpha-beta share a move's limit: the strongest here within some milliseconds",
    ),
    **_offered("KINDS"),
}
"""The kinds of agents by name; `agents.specs.components` has the heuristics and orderings."""

PROGRAMS: dict[str, Program] = _offered("PROGRAMS")
"""The protocols of programs by the prefix of their specs, which a command follows."""

ADAPTERS: dict[str, str] = _offered("ADAPTERS")
"""Modules by prefix; this package's Python hosts their players in separate processes."""

LEVELS: dict[str, str] = {
    "beginner": "greedy",
    "easy": "mcts:playouts=20",
    "medium": "alphabeta:depth=4,heuristic=powers-of-ten,order=centre",
    "hard": "alphabeta:depth=9,heuristic=parity,order=open-windows",
    "master": "tandem:nodes=1000000",
}
"""Each level up to `hard` scores 0.80 to 0.90 against the one before (the beginner: against `random`), `master` 0.75
against `hard`: docs/agents.md. On boards where `parity` is not defined, both search with `powers-of-ten`."""
