"""`arena uci`: an agent behind the Universal Chess Interface, as Fairy-Stockfish has it for its variant `cfour`."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from agents.agent import Iteration, Limits
from agents.board import Board
from agents.errors import InputError
from agents.score import plies_to_end, proven
from arena.cli.options import seed_option

if TYPE_CHECKING:
    from arena.store.records import MoveRecord

MOVES_LEFT = 20
"""The share of a clock that a move may take is one in so many."""


@click.command("uci")
@click.argument("agent")
@seed_option("Decides all chance.")
def command(agent: str, seed: int) -> None:
    """Let AGENT be played by programs that speak UCI with drops, such as `P@d1`, on the board of 7x6.

    The end of the input ends the program. `stop` and `isready` are answered while the agent thinks.

    \b
    arena uci alphabeta:depth=10,order=centre
    cutechess-cli -variant cfour -engine proto=uci cmd=arena arg=uci arg=perfect …
    """  # noqa: D301  click's \b keeps the lines
    Engine(agent, seed).serve()


class Engine:
    """What has been said so far: the position, and the search that is running."""

    def __init__(self, agent: str, seed: int) -> None:
        from arena.play.session import Seat

        self.seat = Seat.of(agent)
        self.seed = seed
        self.board = Board()
        self.search: threading.Thread | None = None
        self.ready = False

    def serve(self) -> None:
        """Obey until the input ends or says quit. What is not understood is said and passed over, as UCI has it."""
        for line in sys.stdin or ():
            words = line.split()
            if words[:1] == ["quit"]:
                break
            if words and words[0] in ORDERS:
                try:
                    ORDERS[words[0]](self, words[1:])
                except (InputError, ValueError, IndexError) as error:
                    say(f"info string {line.strip()}: {error}")
            elif words:
                say(f"info string unknown command {line.strip()}")
        self.stop([])

    def introduce(self, words: Sequence[str]) -> None:  # noqa: ARG002  every order takes words
        """Say who this is, and the one option."""
        say(f"id name {self.seat.name}\nid author Connect4 Arena")
        say("option name UCI_Variant type combo default cfour var cfour")
        say("uciok")

    def option(self, words: Sequence[str]) -> None:
        """Refuse another variant."""
        if "UCI_Variant" in words and words[-1] != "cfour":
            raise InputError("only the variant cfour is played")

    def prepare(self, words: Sequence[str]) -> None:  # noqa: ARG002  likewise
        """Compile and allocate, once."""
        if not self.ready:
            self.seat.ready(Board(), self.seed)
            self.ready = True
        say("readyok")

    def new_game(self, words: Sequence[str]) -> None:  # noqa: ARG002  likewise
        """Begin a game."""
        self.stop([])
        self.seat.ready(Board(), self.seed)
        self.ready = True

    def position(self, words: Sequence[str]) -> None:
        """Set up the moves after startpos. Raises InputError."""
        if not words or words[0] != "startpos" or words[1:2] not in ([], ["moves"]):
            raise InputError("a position is startpos, or startpos moves and drops")
        from agents.remote.uci import drops

        board = Board()
        for drop in words[2:]:
            board = board.play("abcdefg".find(drop[2:3]) if drop[2:3] else -1)
            if drops(board)[-1] != drop:
                raise InputError(f"{drop} is no legal drop")
        self.board = board

    def go(self, words: Sequence[str]) -> None:
        """Search in a thread of its own, and say what was found."""
        self.stop([])
        if self.board.outcome is not None:
            say("bestmove (none)")
            return
        self.search = threading.Thread(target=self._think, args=(self.board, limits(words, self.board)), daemon=True)
        self.search.start()

    def stop(self, words: Sequence[str]) -> None:  # noqa: ARG002  likewise
        """End the search that is running; it still says its best move."""
        from arena.play.interrupt import stop

        if self.search is not None:
            while self.search.is_alive():
                if not stop(self.seat.agent):
                    self.search.join(60.0)
                    break
                self.search.join(0.05)  # it may not have begun when it was stopped
            self.search = None

    def _think(self, board: Board, bounds: Limits) -> None:
        from arena.play.answer import Fault
        from arena.play.match import Conditions, decide

        try:
            made = decide(self.seat.agent, board, Conditions(bounds, margin=float("inf")))
        except Fault as fault:
            say(f"info string {fault.termination}: {fault.detail}")
            say("bestmove (none)")
            return
        for each in made.iterations[:-1]:
            say(_info(board, each, (each.column,)))
        say(_info(board, made, made.pv or (made.column,)))
        say(f"bestmove {_drops(board, (made.column,))[0]}")


def limits(words: Sequence[str], board: Board) -> Limits:
    """Return what the words of `go` allow for a move; of a clock its share."""
    values = {name: int(value) for name, value in itertools.pairwise(words) if value.lstrip("-").isdecimal()}
    milliseconds = values.get("movetime")
    mine = "wb"[board.mover]
    if milliseconds is None and f"{mine}time" in values:
        milliseconds = values[f"{mine}time"] // values.get("movestogo", MOVES_LEFT) + values.get(f"{mine}inc", 0) // 2
    seconds = None if milliseconds is None else max(milliseconds, 1) / 1000
    return Limits(values.get("depth"), values.get("nodes"), seconds)


def _info(board: Board, found: Iteration | MoveRecord, line: Sequence[int]) -> str:
    worth = "" if found.score is None else f" score {_score(found.score)}"
    time = round(found.seconds * 1000)
    return f"info depth {found.depth}{worth} nodes {found.nodes} time {time} pv {' '.join(_drops(board, line))}"


def say(line: str) -> None:
    """Write a line at once."""
    click.echo(line)


def _drops(board: Board, moves: Sequence[int]) -> list[str]:
    from agents.remote.uci import drops

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
    "stop": Engine.stop,
}
"""What is done at each word; every order takes the words that follow."""
