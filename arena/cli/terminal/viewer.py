"""A stored game in a terminal: every position with its move, all at once or by keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache, partial
from random import SystemRandom
from typing import TYPE_CHECKING

import click

from agents.board import moves_text
from agents.errors import InputError
from agents.score import VALUES
from arena.api.games import GameState, player
from arena.cli.terminal.play import MARKS, Dialogue, Screen, thoughts

if TYPE_CHECKING:
    from agents.solver.solver import Solver
    from arena.analysis.games import Replay, Step


MEBIBYTES = 64


class Viewer:
    """Shows a stored game."""

    def __init__(self, replay: Replay, screen: Screen, *, solved: bool) -> None:
        self.replay = replay
        self.screen = screen
        self.solved = solved
        self.scores = lru_cache(maxsize=None)(self._scores)
        self.ply = replay.opening

    def show_all(self) -> None:
        """Show every position from the end of the opening on."""
        self.head()
        for ply in range(self.replay.opening, len(self.replay.boards)):
            self.screen.say("")
            self.show(ply)

    def browse(self) -> None:
        """Show one position at a time, and obey the keys."""
        while True:
            click.clear()
            self.head()
            self.screen.say("")
            self.show(self.ply)
            self.screen.say("")
            self.screen.say("n next  b back  s start  e end  x next blunder  w why  p play on  q quit")
            key = click.getchar()
            if key in QUIT:
                return
            if key == "p":
                self.play_on()
            elif key == "w":
                self.why()
            elif key in KEYS:
                self.ply = min(max(KEYS[key](self), 0), len(self.replay.steps))

    def head(self) -> None:
        """Print the players, the opening and the result."""
        game = self.replay.game
        self.screen.say(f"Game {game.game}: {game.result}, {game.termination}, {game.plies} plies")
        for mark, name in zip(MARKS, (game.first, game.second), strict=True):
            self.screen.say(f"{mark}: {name}")
        if game.detail:
            self.screen.say(game.detail)
        if game.opening:
            self.screen.say(f"opening {game.opening}")

    def show(self, ply: int) -> None:
        """Show the position at a ply, the exact scores of its columns if solved, and the move."""
        board = self.replay.boards[ply]
        self.screen.say(f"ply {ply}: {board.outcome or f'{MARKS[board.mover]} to move'}")
        self.screen.show(board)
        if self.solved and board.outcome is None:
            scores = ("." if score is None else str(score) for score in self.scores(ply))
            click.echo(f"{''.join(f'{score:>2} ' for score in scores).rstrip()}  exact", err=self.screen.err)
        for line in self._described(self.replay.steps[ply]) if ply < len(self.replay.steps) else self.replay.said:
            self.screen.say(line)

    def _described(self, step: Step) -> list[str]:
        """Return the lines about a move: its search and its audit."""
        mark = MARKS[step.ply % 2]
        if step.agent is None:
            return [f"opening: {mark} plays {step.column}"]
        lines = [f"{mark} {thoughts(step.column, step.score, step.depth or 0, step.nodes or 0, step.seconds or 0.0)}"]
        lines += step.said
        if step.value is None or step.after is None:
            return lines
        if not step.is_blunder:
            return [*lines, f"{VALUES[step.value]} kept, as by {step.keeping} of {step.legal} moves"]
        lines.append(f"BLUNDER: {VALUES[step.value]} thrown away, now a {VALUES[step.after]}")
        kept = (step.keepers or "").replace(" ", ", ") or f"{step.keeping} of {step.legal} moves"
        return [*lines, f"kept by {kept}"]

    def _scores(self, ply: int) -> list[int | None]:
        """Return each column's exact score for the side to move, None where it is full; the game is not over."""
        board = self.replay.boards[ply]
        return list(self._solver.column_scores(board.own, board.opp))

    @cached_property
    def _solver(self) -> Solver:
        from agents.solver.book import shipped_book
        from agents.solver.solver import Solver

        return Solver(self.replay.rules, MEBIBYTES, shipped_book(self.replay.rules))

    def next_blunder(self) -> int:
        """Return the ply of the next blunder, or of the first after the last one; without blunders, this ply."""
        steps = self.replay.steps
        return next((step.ply for step in (*steps[self.ply + 1 :], *steps) if step.is_blunder), self.ply)

    def why(self) -> None:
        """Print why the next move lost value, or that it lost none."""
        from arena.api.explain import explain
        from arena.report.explained import reason

        moves = moves_text(self.replay.boards[min(self.ply + 1, len(self.replay.steps))].moves, self.replay.rules)
        try:
            found = explain(moves, ply=self.ply, rules=self.replay.rules)
            lines = [line for row in found.rows for line in reason(row, found.after(row))]
        except InputError as error:
            lines = [str(error)]
        for line in lines or ["This move kept the value of the position."]:
            self.screen.say(line)
        click.pause()

    def play_on(self) -> None:
        """Let the person take over one side, against the agent of the other side."""
        board, names = self.replay.boards[self.ply], self.replay.specs
        self.screen.say(f"Play against 1, {names[0]}, or 2, {names[1]}?")
        key = click.getchar()
        if key not in {"1", "2"}:
            return
        against = int(key) - 1
        try:
            seed, named = SystemRandom().randrange(2**32), partial(player, isolation=self.replay.isolation)
            Dialogue(GameState(board, 1 - against), [named(names[against])], self.screen, seed, named).converse()
        except InputError as error:
            self.screen.say(str(error))
            click.pause()


QUIT = {"q", "\x03", "\x04", "\x1b"}
KEYS: dict[str, Callable[[Viewer], int]] = {
    **dict.fromkeys(("n", " ", "\r", "\x1b[C", "\x1b[B"), lambda viewer: viewer.ply + 1),
    **dict.fromkeys(("b", "\x1b[D", "\x1b[A"), lambda viewer: viewer.ply - 1),
    **dict.fromkeys(("s", "\x1b[H", "\x1bOH", "\x1b[1~"), lambda viewer: 0),  # noqa: ARG005  every entry takes a viewer
    **dict.fromkeys(("e", "\x1b[F", "\x1bOF", "\x1b[4~"), lambda viewer: len(viewer.replay.steps)),
    "x": Viewer.next_blunder,
}
"""The ply to which each key leads."""
