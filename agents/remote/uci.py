"""`uci:` engines that speak the Universal Chess Interface with Fairy-Stockfish's variant `cfour`.

Moves are drops, `P@d1`: the column is a letter, the row a digit from the bottom. `cfour` stands in the `variants.ini`
of Fairy-Stockfish's source, so the option VariantPath comes before UCI_Variant. The board is 7x6x4.
Source: Kahlen, Meyer-Kahlen, "Universal Chess Interface", 2000; `variants.ini` of Fairy-Stockfish.
"""

from __future__ import annotations

import itertools
import time

from agents.agent import Analysis, Iteration, Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.remote.conversation import Conversation
from agents.remote.failure import PROTOCOL, Failure, quoted
from agents.remote.process import GRACE
from agents.score import WIN

MOVETIME = 1000
"""Milliseconds for a move where no limit is set."""
MOST_LINES = 100_000
LARGEST = 1 << 62


class Uci(Conversation):
    """The referee's end."""

    def start(self, rules: Rules, deadline: float) -> None:
        """Shake hands, and set the options in their order and then the variant."""
        if rules != STANDARD:
            raise InputError(f"UCI knows the board {STANDARD} alone, not {rules}")
        self._process.send("uci", deadline)
        self._until("uciok", deadline)
        for name, value in (*self._source.options, ("UCI_Variant", "cfour")):
            self._process.send(f"setoption name {name} value {value}", deadline)
        self._ready(deadline)

    def new_game(self, seed: int, deadline: float) -> None:  # noqa: ARG002  UCI has no word for chance
        """Tell it that a game begins."""
        self._process.send("ucinewgame", deadline)
        self._ready(deadline)

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:
        """Return its answer and what its info lines said."""
        self._process.unasked()
        moves = "".join(f" {drop}" for drop in drops(board))
        self._process.send(f"position startpos{' moves' if moves else ''}{moves}", deadline)
        self._process.send(f"go {_go(limits)}", deadline)
        depths: dict[int, Iteration] = {}
        pv: tuple[int, ...] = ()
        for _ in range(MOST_LINES):
            line = self._process.receive(deadline)
            words = line.split()
            if words[:1] == ["bestmove"]:
                return _analysis(column(words[1] if len(words) > 1 else "", board, line), depths, pv)
            if words[:1] == ["info"] and words[1:2] != ["string"] and "pv" in words and "score" in words:
                found, pv = _info(words, line)
                depths[found.depth] = found
        raise Failure(PROTOCOL, f"wrote {MOST_LINES} lines and no bestmove")

    def quit(self) -> None:
        """Say goodbye."""
        self._process.send("quit", time.perf_counter() + GRACE)

    def _ready(self, deadline: float) -> None:
        self._process.send("isready", deadline)
        self._until("readyok", deadline)

    def _until(self, word: str, deadline: float) -> None:
        for _ in range(MOST_LINES):
            if self._process.receive(deadline).split()[:1] == [word]:
                return
        raise Failure(PROTOCOL, f"wrote {MOST_LINES} lines and no {word}")


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


def _info(words: list[str], line: str) -> tuple[Iteration, tuple[int, ...]]:
    """Return what an info line says, and its principal variation."""
    try:
        values = dict(itertools.pairwise(words))
        kind, text = words[words.index("score") + 1 : words.index("score") + 3]
        pv = tuple(ord(drop[2]) - ord("a") for drop in words[words.index("pv") + 1 :][:64])
        nodes, seconds = min(int(values.get("nodes", 0)), LARGEST), int(values.get("time", 0)) / 1000
        return Iteration(int(values["depth"]), nodes, seconds, score(kind, int(text)), pv[0]), pv
    except (ValueError, IndexError, KeyError, OverflowError):
        raise Failure(PROTOCOL, f"wrote {quoted(line)}, which cannot be read") from None


def score(kind: str, value: int) -> int:
    """Return a score in this project's units: `mate 2` is a win in three plies, `mate -1` a loss in two."""
    if kind != "mate":
        return max(-LARGEST, min(value, LARGEST))
    return WIN - (2 * value - 1) if value > 0 else -WIN - 2 * value


def _analysis(move: int, depths: dict[int, Iteration], pv: tuple[int, ...]) -> Analysis:
    if not depths:
        return Analysis(move)
    iterations = tuple(depths[depth] for depth in sorted(depths))[-64:]
    last = iterations[-1]
    return Analysis(move, last.score, last.depth, last.nodes, pv if pv[:1] == (move,) else (move,), iterations)
