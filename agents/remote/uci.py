"""`uci:` engines that speak the Universal Chess Interface with Fairy-Stockfish's variant `cfour`.

Moves are drops, `P@d1`: the column is a letter, the row a digit from the bottom. `cfour` stands in the `variants.ini`
of Fairy-Stockfish's source, so the option VariantPath comes before UCI_Variant. The board is 7x6x4.
Source: Kahlen, Meyer-Kahlen, "Universal Chess Interface", 2000; `variants.ini` of Fairy-Stockfish.
"""

from __future__ import annotations

import itertools
import re
import shlex
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from agents.agent import Analysis, Iteration, Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, unknown
from agents.remote.failure import PROTOCOL, Failure, quoted
from agents.remote.process import GRACE
from agents.remote.protocol import Protocol
from agents.score import WIN

MOVETIME = 1000
"""Milliseconds for a move where no limit is set."""
MOST_LINES = 100_000
MOST_OPTIONS = 1000
CHESS = frozenset({"uci_chess960", "syzygypath", "uci_analysemode", "uci_showwdl", "gaviotatbpath", "nalimovpath"})
"""Options that only engines for chess and its variants have."""
_OPTION = re.compile(r"\s*option\s+name\s+(.+?)\s+type\s+(\w+)(.*)")


class Option(NamedTuple):
    """An option as an engine lists it."""

    name: str
    kind: str
    rest: str
    """Its default, bounds and choices."""


class Uci(Protocol):
    """The referee's end."""

    may_refuse = True

    def start(self, rules: Rules, deadline: float) -> None:
        """Shake hands, and set the options in their order and then the variant.

        Raises InputError for another board, for an option that the engine does not list, and where it has no `cfour`.
        """
        if rules != STANDARD:
            raise InputError(f"UCI knows the board {STANDARD} alone, not {rules}")
        program, *words = self._source.words
        engine, wanted = shlex.join([Path(program).name, *words]), self._source.options
        listed = self._listed(deadline)
        for name, value in wanted:
            if name.lower() not in listed:
                there = [option.name for option in listed.values()]
                problem = unknown("option", name, there) if there else f"no option {name!r}: it lists none"
                raise InputError(f"engine {engine}: {problem}")
            self._process.send(f"setoption name {name} value {value}", deadline)
        if wanted and not _plays(listed):
            listed = self._listed(deadline)  # VariantPath adds variants, which a second `uci` lists
        if not _plays(listed):
            hint = "" if "variantpath" not in listed else "; VariantPath=FILE names the file that defines it"
            raise InputError(f"engine {engine}: it does not list the variant cfour{hint}")
        self._process.send("setoption name UCI_Variant value cfour", deadline)
        self._ready(deadline)

    def new_game(self, seed: int, deadline: float) -> None:  # noqa: ARG002  UCI has no word for chance
        """Announce a game."""
        self._process.send("ucinewgame", deadline)
        self._ready(deadline)

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:
        """Return the engine's answer, with the depths of its info lines."""
        moves = "".join(f" {drop}" for drop in drops(board))
        self._process.send(f"position startpos{' moves' if moves else ''}{moves}", deadline)
        self._ready(deadline)  # lines before that belong to an earlier question
        self._process.send(f"go {_go(limits)}", deadline)
        depths: dict[int, tuple[Iteration, tuple[int, ...]]] = {}
        for _ in range(MOST_LINES):
            line = self._process.receive(deadline)
            words = line.split()
            if words[:1] == ["bestmove"]:
                return _analysis(column(words[1] if len(words) > 1 else "", board, line), depths)
            if words[:1] == ["info"] and (found := _info(words, board)) is not None:
                depths[found[0].depth] = found
        raise Failure(PROTOCOL, f"wrote {MOST_LINES} lines and no bestmove")

    def quit(self) -> None:
        """Send `quit`."""
        self._process.send("quit", time.perf_counter() + GRACE)

    def _listed(self, deadline: float) -> dict[str, Option]:
        """Return the options that the engine lists, by their names in lower case: UCI ignores case."""
        self._process.send("uci", deadline)
        found = filter(None, map(_OPTION.fullmatch, self._until("uciok", deadline)))
        options = [Option(*map(str.strip, each.groups())) for each in found]
        return {option.name.lower(): option for option in options}

    def _ready(self, deadline: float) -> None:
        self._process.send("isready", deadline)
        self._until("readyok", deadline)

    def _until(self, word: str, deadline: float) -> list[str]:
        """Return the lines about options that come before the line that begins with the word."""
        options: list[str] = []
        for _ in range(MOST_LINES):
            line = self._process.receive(deadline)
            words = line.split(maxsplit=1)[:1]
            if words == [word]:
                return options
            if words == ["option"] and len(options) < MOST_OPTIONS:
                options.append(line)
        raise Failure(PROTOCOL, f"wrote {MOST_LINES} lines and no {word}")


def _plays(listed: Mapping[str, Option]) -> bool:
    """Tell whether an engine with these options plays cfour.

    An engine that lists no variants may play cfour alone, unless it has an option that only chess engines have.
    """
    variant = listed.get("uci_variant")
    if variant is None:
        return not CHESS & listed.keys()
    return variant.kind != "combo" or ("var", "cfour") in itertools.pairwise(variant.rest.split())


def drops(board: Board) -> list[str]:
    """Return the moves of a board in UCI's notation."""
    heights = [0] * board.rules.columns
    found = []
    for move in board.moves:
        heights[move] += 1
        found.append(f"P@{chr(ord('a') + move)}{heights[move]}")
    return found


def column(drop: str, board: Board, line: str) -> int:
    """Return the 0-based column of a drop that is legal on the board. Raises Failure that quotes the line."""
    for move in board.legal_moves():
        if drop == drops(board.play(move))[-1]:
            return move
    raise Failure(PROTOCOL, f"answered {quoted(line)}, which names no legal drop")


def _go(limits: Limits) -> str:
    words = [f"{name} {value}" for name, value in (("depth", limits.depth), ("nodes", limits.nodes)) if value]
    if limits.seconds is not None:
        words.append(f"movetime {max(1, round(limits.seconds * 1000))}")
    return " ".join(words) or f"movetime {MOVETIME}"


def _info(words: list[str], board: Board) -> tuple[Iteration, tuple[int, ...]] | None:
    """Return the depth that an info line completes and its principal variation; None where it completes none.

    A line is ignored where its score is only a bound, or belongs to another than the best line, or cannot be read.
    """
    if "string" in words:
        words = words[: words.index("string")]
    values = dict(itertools.pairwise(words))
    if values.get("multipv", "1") != "1" or not {"lowerbound", "upperbound"}.isdisjoint(words) or "pv" not in values:
        return None
    pv: list[int] = []
    try:
        for drop in words[words.index("pv") + 1 :]:
            pv.append(column(drop, board, ""))
            board = board.play(pv[-1])
        depth, nodes, milliseconds = (int(values.get(name, 0)) for name in ("depth", "nodes", "time"))
        value = score(values["score"], int(values[values["score"]]))
        if min(depth - 1, nodes, milliseconds) < 0:
            return None
        return Iteration(depth, nodes, milliseconds / 1000, value, pv[0]), tuple(pv)
    except (ValueError, KeyError, OverflowError, Failure):
        return None


def score(kind: str, value: int) -> int:
    """Return a score in this project's units: `mate 2` is a win in three plies, `mate -1` a loss in two."""
    if kind not in {"cp", "mate"}:
        raise ValueError(kind)
    if kind == "cp":
        return value
    return WIN - (2 * value - 1) if value > 0 else -WIN - 2 * value


def _analysis(move: int, depths: Mapping[int, tuple[Iteration, tuple[int, ...]]]) -> Analysis:
    if not depths:
        return Analysis(move)
    iterations = tuple(depths[depth][0] for depth in sorted(depths))[-64:]
    last, pv = iterations[-1], depths[max(depths)][1]
    return Analysis(move, last.score, last.depth, last.nodes, pv if pv[:1] == (move,) else (move,), iterations)
