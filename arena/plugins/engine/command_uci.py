"""`arena uci`: an agent as a UCI engine, for the variant `cfour` of Fairy-Stockfish."""

from __future__ import annotations

import itertools
import re
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from agents.agent import Iteration, Limits
from agents.board import STANDARD, Board
from agents.errors import InputError, unknown
from agents.fen import drops, from_fen
from agents.process_agent import ProcessAgent
from agents.score import plies_to_end, proven
from agents.search.control import UNLIMITED
from agents.specs.kinds import KINDS
from agents.specs.registry import parse
from arena.cli.options import Command, isolation_options, seed_option
from arena.games.seats import player

if TYPE_CHECKING:
    from arena.games.settings import Apart
    from arena.records import MoveRecord

MOVES_LEFT = 20
"""A move may take one part in this many of the clock."""
LONGEST = 86_400_000
"""Milliseconds: a day."""
MOST = {"depth": STANDARD.columns * STANDARD.rows, "nodes": UNLIMITED}
"""The largest limits of `go`: greater numbers count as these."""


@click.command("uci", cls=Command)
@click.argument("agent")
@seed_option()
@isolation_options
def command(agent: str, seed: int, isolation: Apart) -> None:
    """Run AGENT as a UCI engine for Connect Four, with drops such as `P@d1` on a 7x6 board.

    `stop` and `isready` work during a search. The parameters of AGENT are UCI options: `setoption name depth value 8`.
    If it cannot read a position, it answers `bestmove 0000`, the null move, with the reason in an info string. At the
    end of its input it answers the running search and ends; `quit` ends it at once.

    \b
    arena uci alphabeta:depth=10,order=centre
    cutechess-cli -variant cfour -engine proto=uci cmd=arena arg=uci arg=perfect …
    """  # noqa: D301  click's \b keeps the lines
    Engine(agent, seed, isolation).serve()


class Engine:
    """The state of a UCI session: the position, and the running search."""

    def __init__(self, agent: str, seed: int, isolation: Apart) -> None:
        self.out = sys.stdout
        self.seat = player(agent, isolation)
        self.seed = seed
        self.board: Board | None = Board()
        """None if the last position was not readable."""
        self.search: threading.Thread | None = None
        self.decided = threading.Event()
        """Set while the agent does not search."""
        self.released = threading.Event()
        """Set once the best move may be printed; `go infinite` and `go ponder` hold it back."""
        self.ponders = False
        """Whether a best move comes with the expected reply."""
        self.seconds: float | None = None
        """The time for a move from `ponderhit` on."""
        self.ready = False

    def serve(self) -> None:
        """Obey until the input ends or says quit; report and skip unknown lines, as UCI demands."""
        for line in sys.stdin or ():
            words = line.split()
            if words[:1] == ["quit"]:
                self.stop([])
                return
            if words and words[0] in ORDERS:
                try:
                    ORDERS[words[0]](self, words[1:])
                except (InputError, ValueError, IndexError) as error:
                    self.say(f"info string {line.strip()}: {error}")
            elif words:
                self.say(f"info string unknown command {line.strip()}")
        self.finish()

    def say(self, line: str) -> None:
        """Write a line at once to the real stdout, even while an agent's output goes to stderr."""
        click.echo(line, file=self.out)

    def introduce(self, words: Sequence[str]) -> None:  # noqa: ARG002  every order takes words
        """Print the name and the options: the variant, and the keys of the agent's spec."""
        self.say(f"id name {self.seat.name}\nid author Connect4 Arena")
        self.say("option name UCI_Variant type combo default cfour var cfour")
        self.say("option name Ponder type check default false")
        for key, value in self._keys().items():
            self.say(f"option name {key} type string default {_written(value) or '<empty>'}")
        self.say("uciok")

    def option(self, words: Sequence[str]) -> None:
        """Build the agent again with another value of a key; an empty value is the default. Raises InputError."""
        match = re.fullmatch(r"name (.+?)(?: value(?: (.*))?)?", " ".join(words))
        if match is None:
            raise InputError("setoption takes name NAME value VALUE")
        name, value = match[1].lower(), match[2] or ""
        if name == "uci_variant":
            if value != "cfour":
                raise InputError("only the variant cfour is played")
            return
        if name == "ponder":
            self.ponders = value == "true"
            return
        keys = self._keys()
        if name not in keys:
            raise unknown("option", match[1], ["UCI_Variant", "Ponder", *keys])
        kind, parameters = self.seat.spec.kind, self.seat.spec.parameters.items()
        changed = {key.replace("_", "-"): _written(setting) for key, setting in parameters} | {name: value}
        values = [f"{key}={setting}" for key, setting in changed.items() if setting not in {"", "<empty>"}]
        spec = parse(":".join([kind, ",".join(values)] if values else [kind]))
        self.finish()
        self.seat, self.ready = replace(self.seat, agent=spec.build(), spec=spec), False

    def prepare(self, words: Sequence[str]) -> None:  # noqa: ARG002  likewise
        """Compile and allocate, once."""
        if not self.ready:
            self.new_game([])
        self.say("readyok")

    def new_game(self, words: Sequence[str]) -> None:  # noqa: ARG002  likewise
        """Begin a game."""
        self.finish()
        self.seat.ready(Board(), self.seed)
        self.ready = True

    def position(self, words: Sequence[str]) -> None:
        """Set up a position and the moves after it; if it raises InputError, there is no position."""
        self.board = None
        where = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["fen"]:
            board = from_fen(" ".join(words[1:where]))
        elif list(words[:where]) == ["startpos"]:
            board = Board()
        else:
            raise InputError("a position is startpos or fen FEN, and may go on with moves and drops")
        for drop in words[where + 1 :]:
            legal = {drops(board.play(column))[-1]: column for column in board.legal_moves()}
            if drop not in legal:
                raise InputError(
                    f"{drop} is no legal drop" + (f", such as {next(iter(legal))}" if legal else ": the game is over")
                )
            board = board.play(legal[drop])
        self.board = board

    def go(self, words: Sequence[str]) -> None:
        """Start a search in its own thread, which prints the best move: UCI expects an answer to every `go`."""
        self.finish()
        if self.board is None:
            self.say("info string there is no position: the last one could not be read\nbestmove 0000")
        elif self.board.outcome is not None:
            self.say("bestmove (none)")
        else:
            self.decided.clear()
            self.released.clear()
            bounds = limits(words, self.board)
            self.seconds = bounds.seconds
            if not {"infinite", "ponder"} & {*words}:
                self.released.set()
            elif hasattr(self.seat.agent, "stop") and not isinstance(self.seat.agent, ProcessAgent):
                bounded = "ponder" in words and (bounds.depth or bounds.nodes)
                bounds = replace(bounds, seconds=None) if bounded else Limits(nodes=UNLIMITED)  # so that it deepens
            self.search = threading.Thread(target=self._think, args=(self.board, bounds), daemon=True)
            self.search.start()

    def ponder_hit(self, words: Sequence[str]) -> None:  # noqa: ARG002  likewise
        """Let a pondering search continue for the time that its `go` gave."""
        self.released.set()
        if self.search is not None and self.seconds is not None:
            threading.Thread(target=self._end, args=(self.search, self.seconds), daemon=True).start()

    def finish(self) -> None:
        """Wait for the best move of a search that ends by itself; stop any other."""
        if self.search is not None and self.released.is_set():
            self.search.join()
            self.search = None
        self.stop([])

    def stop(self, words: Sequence[str]) -> None:  # noqa: ARG002  likewise
        """End the running search; it still prints its best move."""
        self.released.set()
        if self.search is not None:
            self._interrupt(self.search)
            self.search.join(60.0)
            self.search = None

    def _end(self, search: threading.Thread, seconds: float) -> None:
        """Interrupt a search after so many seconds, unless it ends earlier."""
        if not self.decided.wait(seconds):
            self._interrupt(search)

    def _interrupt(self, search: threading.Thread) -> None:
        """Make a search decide now, if it is still the running one."""
        while self.search is search and not self.decided.is_set() and self.seat.stop():
            self.decided.wait(0.05)  # the first stops may come before it begins

    def _think(self, board: Board, bounds: Limits) -> None:
        reported: list[Iteration] = []

        def completed(iteration: Iteration, line: Sequence[int]) -> None:
            reported.append(iteration)
            with suppress(OSError):  # the output is closed
                self.say(_info(board, iteration, line))

        self.seat.on_depth(completed)
        try:
            if not self.ready:  # there was no isready
                self.seat.ready(board, self.seed)
                self.ready = True
            record = self.seat.decide(board, bounds)
        except InputError as error:
            self.say(f"info string {error}")
            best = "(none)"
        else:
            for iteration in record.iterations[:-1] if not reported else ():
                self.say(_info(board, iteration, (iteration.column,)))
            last = reported[-1] if reported else None
            if last is None or (last.depth, last.score, last.nodes) != (record.depth, record.score, record.nodes):
                self.say(_info(board, record, record.pv or (record.column,)))
            line = record.pv[:2] if self.ponders and len(record.pv) > 1 else (record.column,)
            best = " ponder ".join(_drops(board, line))
        self.decided.set()
        self.released.wait()
        self.say(f"bestmove {best}")

    def _keys(self) -> dict[str, object]:
        """Return the keys and values of the agent's spec; none for agents of users."""
        here = self.seat.spec.kind in KINDS and not isinstance(self.seat.agent, ProcessAgent)
        return self.seat.spec.resolved() if here else {}


def limits(words: Sequence[str], board: Board) -> Limits:
    """Return the limits of a move from the words of `go`; of a clock, a share."""
    numbers = ((name, re.fullmatch(r"-?[0-9]+", value)) for name, value in itertools.pairwise(words))
    values = {name: int(match[0][:19]) for name, match in numbers if match}  # more digits exceed every limit anyway
    milliseconds = values.get("movetime")
    mine = "wb"[board.mover]
    if milliseconds is None and f"{mine}time" in values:
        left = values.get("movestogo", 0)  # some send 0 where no number of moves is set
        share = values[f"{mine}time"] // (left if left > 0 else MOVES_LEFT)
        milliseconds = share + values.get(f"{mine}inc", 0) // 2
    seconds = None if milliseconds is None else min(max(milliseconds, 1), LONGEST) / 1000
    depth, nodes = (min(max(values[name], 1), most) if name in values else None for name, most in MOST.items())
    return Limits(depth, nodes, seconds)


def _info(board: Board, result: Iteration | MoveRecord, line: Sequence[int]) -> str:
    worth = "" if result.score is None else f" score {_score(result.score)}"
    time = round(result.seconds * 1000)
    return f"info depth {result.depth}{worth} nodes {result.nodes} time {time} pv {' '.join(_drops(board, line))}"


def _written(value: object) -> str:
    """Return a value as a spec writes it; None is empty."""
    return {None: "", True: "on", False: "off"}[value] if value is None or isinstance(value, bool) else str(value)


def _drops(board: Board, moves: Sequence[int]) -> list[str]:
    for move in moves:
        board = board.play(move)
    return drops(board)[-len(moves) :] if moves else []


def _score(score: int) -> str:
    if not proven(score):
        return f"cp {score}"
    plies = plies_to_end(score)
    return f"mate {(plies + 1) // 2 if score > 0 else -(plies // 2)}"


ORDERS: dict[str, Callable[[Engine, Sequence[str]], None]] = {
    "uci": Engine.introduce,
    "setoption": Engine.option,
    "isready": Engine.prepare,
    "ucinewgame": Engine.new_game,
    "position": Engine.position,
    "go": Engine.go,
    "ponderhit": Engine.ponder_hit,
    "stop": Engine.stop,
}
"""The method for each command; it takes the words that follow."""
