"""One stored game, move by move, with what each agent thought and what an audit says of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from agents.board import Board, Rules, split_moves
from agents.errors import InputError
from arena.analysis.played import Game, game, number_of
from arena.store.consistency import final_board, place
from arena.store.store import Store


@dataclass(frozen=True, slots=True)
class Step:
    """One move, and what is stored of it."""

    ply: int
    """Discs on the board before the move."""
    column: int
    """From 1."""
    agent: str | None
    """Who chose it; None for a move of the opening, of which nothing else is known but `value` and `after`."""
    score: int | None = None
    """What the agent said, for itself."""
    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    seconds: float | None = None
    """By the referee's clock."""
    value: int | None = None
    """What the position was worth to the agent: 1 a win, 0 a draw, -1 a loss; None where it is not audited."""
    after: int | None = None
    """What the move left of it, likewise."""
    legal: int | None = None
    """How many moves there were."""
    keeping: int | None = None
    """How many of them kept the value."""
    keepers: str | None = None
    """These columns, from 1 and parted by blanks; None where the audit does not say."""

    @property
    def is_blunder(self) -> bool:
        """Whether the move lost value."""
        return self.value is not None and self.after is not None and self.after < self.value


@dataclass(frozen=True)
class Replay:
    """A stored game and its moves."""

    game: Game
    specs: tuple[str, str]
    """Of the first and the second player."""
    rules: Rules
    steps: tuple[Step, ...]

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """The position before each move, and the last one."""
        boards = [Board(self.rules)]
        for step in self.steps:
            boards.append(boards[-1].play(step.column - 1))
        return tuple(boards)

    @property
    def opening(self) -> int:
        """The number of moves of the opening."""
        return sum(step.agent is None for step in self.steps)


def replay(store: Store, wanted: int | str) -> Replay:
    """Return a stored game, by its number or its key. Raises InputError where there is none, or it is impossible."""
    number = number_of(store, wanted)
    rules = store.rules()
    with store.snapshot():
        found = game(store, number)
        rows = store.select(f"{_decisions(store)} WHERE move.game = {number:d} ORDER BY ply")[1]
        specs = dict(store.select("SELECT name, spec FROM agent")[1])
    where = place(store.path, number)
    moves = final_board(where, rules, found.moves, found.result, found.termination).moves
    opening = tuple(int(column) - 1 for column in split_moves(found.opening, rules))
    if moves[: len(opening)] != opening:
        raise InputError(f"{where}: it does not begin with its opening")
    if [(ply, column - 1) for ply, column, *_ in rows] != list(enumerate(moves))[len(opening) :]:
        raise InputError(f"{where}: its decisions are not its moves")
    names = (found.first, found.second)
    begun = [Step(ply, column + 1, None) for ply, column in enumerate(opening)]
    chosen = (Step(ply, column, names[ply % 2], *rest) for ply, column, *rest in rows)
    return Replay(found, (specs[found.first], specs[found.second]), rules, (*begun, *chosen))


def _decisions(store: Store) -> str:
    """Return the query of decisions, with what an audit says of them as far as there is one."""
    known = {name for (name,) in store.select("SELECT name FROM pragma_table_info('audit')")[1]}
    fields = ["ply", "column", "move.score", "depth", "nodes", "seconds"]
    fields += [name for name in ("value", "after", "legal", "keeping", "keepers") if name in known]
    return f"SELECT {', '.join(fields)} FROM move {'LEFT JOIN audit USING (game, ply)' if known else ''}"  # noqa: S608  names of ours
