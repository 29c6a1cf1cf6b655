"""`uci:` engines that speak the Universal Chess Interface with Fairy-Stockfish's variant `cfour`.

Moves are drops, `P@d1`: the column is a letter, the row a digit from the bottom. Fairy-Stockfish defines `cfour` in a
file, `variants.ini`, so the option VariantPath must come before UCI_Variant. The board is 7x6x4.
Source: Kahlen, Meyer-Kahlen, "Universal Chess Interface", 2000; `variants.ini` of Fairy-Stockfish.
"""

from __future__ import annotations

import itertools
import re
import shlex
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from agents.agent import Analysis, Iteration, Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, no_file, unknown
from agents.failure import PROTOCOL, TIME, Failure, escaped, quoted
from agents.fen import drops
from agents.processes.process import QUIT_TIMEOUT
from agents.processes.protocol import Protocol
from agents.score import WIN

MOVETIME = 1000
"""Milliseconds for a move if no limit is set."""
MOST_LINES = 100_000
MOST_OPTIONS = 1000
LONGEST_NAME = 60
CHESS = frozenset({"uci_chess960", "syzygypath", "uci_analysemode", "uci_showwdl", "gaviotatbpath", "nalimovpath"})
"""Options that only engines for chess and its variants have."""
_OPTION = re.compile(r"\s*option\s+name\s+(.+?)\s+type\s+(\w+)(.*)")


class Option(NamedTuple):
    """An option as an engine lists it."""

    name: str
    kind: str
    rest: str
    """Its default, bounds and choices."""

    def refuse(self, value: str) -> str:
        """Return why the value is invalid, or an empty text."""
        bounds = [re.search(rf"\b{word}\s+(-?\d+)", self.rest) for word in ("min", "max")]
        low, high = (None if bound is None else int(bound[1]) for bound in bounds)
        if self.kind == "spin":
            whole = re.fullmatch(r"-?\d{1,18}", value)
            if whole is None or (low is not None and int(value) < low) or (high is not None and int(value) > high):
                span = f" from {low} to {high}" if None not in (low, high) else ""
                return f"{self.name} is a whole number{span}, not {value!r}"
        if self.kind == "check" and value not in {"true", "false"}:
            return f"{self.name} is true or false, not {value!r}"
        choices = re.findall(r"\bvar\s+(.+?)(?=\s+var\s|\s*$)", self.rest)
        if self.kind == "combo" and choices and value.lower() not in map(str.lower, choices):
            return str(unknown(f"value of {self.name}", value, choices))
        return ""


class Uci(Protocol):
    """The referee's side of the protocol."""

    may_refuse = True
    _ponders = False
    _early = ""
    _began = 0.0
    """When the engine began to ponder; the times that it reports after `ponderhit` count from here."""
    _guess: Board | None = None
    """The position that the engine ponders: the one after the opponent's move that it expects."""

    def start(self, rules: Rules, deadline: float) -> None:
        """Shake hands, set the options in their order, then set the variant.

        Raises InputError for another board, an unlisted option or value, and an engine without `cfour`.
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
            problem = listed[name.lower()].refuse(str(value)) if name.lower() != "uci_variant" else ""
            if problem:  # UCI_Variant is not checked: VariantPath may add values
                raise InputError(f"engine {engine}: {problem}")
            self._process.send(f"setoption name {name} value {value}", deadline)
        self._ponders = any((name.lower(), value) == ("ponder", "true") for name, value in wanted)
        if wanted and not _plays(listed):
            listed = self._listed(deadline)  # VariantPath adds variants, which a second `uci` lists
        if not _plays(listed):
            hint = "" if "variantpath" not in listed else "; VariantPath=FILE names the file that defines it"
            for path in (
                Path(self._source.folder) / str(value) for name, value in wanted if name.lower() == "variantpath"
            ):
                hint = f", also with {path}" if path.exists() else f"; {no_file(path)}"
            raise InputError(f"engine {engine}: it does not list the variant cfour{hint}")
        self._process.send("setoption name UCI_Variant value cfour", deadline)
        self._ready(deadline)

    def new_game(self, seed: int, deadline: float) -> None:  # noqa: ARG002  UCI has no word for chance
        """Announce a game."""
        self.stop_pondering(deadline)
        self._process.send("ucinewgame", deadline)
        self._ready(deadline)

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:
        """Return the engine's answer, with the depths of its info lines."""
        ahead, early = 0.0, ""
        if board == self._guess:
            ahead = time.perf_counter() - self._began
            self._process.send("ponderhit", deadline)
        else:
            self.stop_pondering(deadline)
            self._place(board, deadline)
            early = self._ready(deadline)  # skips lines that belong to an earlier search
            self._process.send(f"go {_go(limits, board.mover)}", deadline)
        self._guess = None
        depths: dict[int, tuple[Iteration, tuple[int, ...]]] = {}
        for _ in range(MOST_LINES):
            try:
                line = self._process.receive(deadline)
            except Failure as failure:
                if failure.kind != TIME or not early:
                    raise
                raise Failure(TIME, f"it wrote {quoted(early)} before its go, and nothing after it") from None
            words = line.split()
            if words[:1] != ["bestmove"] and words[:1] and words[0].lower() == "bestmove":
                raise Failure(PROTOCOL, f"answered {quoted(line)}: UCI writes bestmove in small letters")
            if words[:1] == ["bestmove"]:
                move = column(words[1] if len(words) > 1 else "", board, line)
                if self._ponders and words[2:3] == ["ponder"] and len(words) > 3:
                    self._ponder(board.play(move), words[3], limits, deadline)
                return _analysis(move, depths, board)
            if words[:1] == ["info"] and (info := _info(words, board)) is not None:
                iteration, pv = info
                if ahead:
                    iteration = replace(iteration, seconds=max(0.0, iteration.seconds - ahead))
                depths[iteration.depth] = iteration, pv
        raise Failure(PROTOCOL, f"wrote {MOST_LINES} lines and no bestmove")

    def stop_pondering(self, deadline: float) -> None:
        """End pondering and skip its result."""
        if self._guess is not None:
            self._guess = None
            self._process.send("stop", deadline)
            self._until("bestmove", deadline)

    @property
    def pondering(self) -> bool:
        """Whether the engine ponders, as its option `Ponder` lets it."""
        return self._guess is not None

    def _ponder(self, board: Board, drop: str, limits: Limits, deadline: float) -> None:
        """Let the engine ponder the position after the opponent's expected move `drop`, unless the game is over."""
        with suppress(Failure):  # an illegal drop is ignored
            guess = board.play(column(drop, board, "")) if board.outcome is None else board
            if guess.outcome is None:
                self._place(guess, deadline)
                self._process.send(f"go ponder {_go(limits, guess.mover)}", deadline)
                self._guess, self._began = guess, time.perf_counter()

    def _place(self, board: Board, deadline: float) -> None:
        moves = "".join(f" {drop}" for drop in drops(board))
        self._process.send(f"position startpos{' moves' if moves else ''}{moves}", deadline)

    def quit(self) -> None:
        """Send `quit`."""
        self._process.send("quit", time.perf_counter() + QUIT_TIMEOUT)

    def _listed(self, deadline: float) -> dict[str, Option]:
        """Return the options that the engine lists, by name in lower case: UCI ignores case."""
        self._process.send("uci", deadline)
        matches = filter(None, map(_OPTION.fullmatch, self._until("uciok", deadline)))
        options = [Option(*map(str.strip, match.groups())) for match in matches]
        return {option.name.lower(): option for option in options}

    def _ready(self, deadline: float) -> str:
        """Wait until the engine is ready; return the last `bestmove` line that it wrote before, or an empty text."""
        self._early = ""
        self._process.send("isready", deadline)
        self._until("readyok", deadline)
        return self._early

    def _until(self, word: str, deadline: float) -> list[str]:
        """Return the `option` lines up to the line that begins with the word; keep the engine's name."""
        options: list[str] = []
        for _ in range(MOST_LINES):
            line = self._process.receive(deadline)
            words = line.split(maxsplit=1)[:1]
            if words == [word]:
                return options
            if line.startswith("id name "):
                self.name = escaped(" ".join(line.split()[2:]))[:LONGEST_NAME]
            if words == ["bestmove"]:
                self._early = line
            if words == ["option"] and len(options) < MOST_OPTIONS:
                options.append(line)
        raise Failure(PROTOCOL, f"wrote {MOST_LINES} lines and no {word}")


def _plays(listed: Mapping[str, Option]) -> bool:
    """Return whether an engine with these options plays cfour.

    An engine that lists no variants is taken to play only cfour, unless it has an option that only chess engines have.
    """
    variant = listed.get("uci_variant")
    if variant is None:
        return not CHESS & listed.keys()
    return variant.kind != "combo" or ("var", "cfour") in itertools.pairwise(variant.rest.split())


def column(drop: str, board: Board, line: str) -> int:
    """Return the 0-based column of a drop. Raises Failure, which quotes the line, for an illegal drop."""
    for move in board.legal_moves():
        if drop == drops(board.play(move))[-1]:
            return move
        if drop.lower() == drops(board.play(move))[-1].lower():
            hint = f": UCI writes this drop {drops(board.play(move))[-1]}"
            raise Failure(PROTOCOL, f"answered {quoted(line)}, which names no legal drop{hint}")
    square = re.fullmatch(r"p@([a-g])\d+", drop.lower())
    move = -1 if square is None else ord(square[1]) - ord("a")
    if move in board.legal_moves():
        hint = f": a disc in column {drop[2].lower()} falls to {drops(board.play(move))[-1]}"
        raise Failure(PROTOCOL, f"answered {quoted(line)}, which names no legal drop{hint}")
    raise Failure(PROTOCOL, f"answered {quoted(line)}, which names no legal drop")


def _go(limits: Limits, mover: int = 0) -> str:
    words = [f"{name} {value}" for name, value in (("depth", limits.depth), ("nodes", limits.nodes)) if value]
    if limits.remaining is not None and limits.opponent_remaining is not None:
        for side, left in zip("wb" if mover == 0 else "bw", (limits.remaining, limits.opponent_remaining), strict=True):
            words.append(f"{side}time {_milliseconds(left)} {side}inc {_milliseconds(limits.increment or 0.0)}")
    elif limits.seconds is not None:
        words.append(f"movetime {max(1, _milliseconds(limits.seconds))}")
    return " ".join(words) or f"movetime {MOVETIME}"


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _info(words: list[str], board: Board) -> tuple[Iteration, tuple[int, ...]] | None:
    """Return the iteration that an info line completes, and its principal variation.

    None for a line without a principal variation, with only a bound, of a second-best line, or that cannot be read.
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


def _analysis(move: int, depths: Mapping[int, tuple[Iteration, tuple[int, ...]]], board: Board) -> Analysis:
    """Return the answer, without the depths that exceed the empty cells: some engines go on to search them."""
    if not depths:
        return Analysis(move)
    left = board.rules.columns * board.rules.rows - board.ply
    last, pv = depths[max(depths)]
    iterations = tuple(depths[depth][0] for depth in sorted(depths) if depth <= left)
    depth = min(last.depth, left)
    return Analysis(move, last.score, depth, last.nodes, pv if pv[:1] == (move,) else (move,), iterations)
