"""What the heuristics of a comparison choose in the same positions, and which choices give a win or a draw away.

The points say which heuristic is better; this says where it shows. All agents of a level are asked about a sample of
the positions of their games. Where they disagree, the solver says which choices keep the value of the position.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from agents.board import Board, Rules, split_moves
from agents.score import of_outcome, sign
from agents.solver.book import shipped_book
from agents.solver.solver import Solver, Stopped
from arena.games.field import Field
from arena.games.interrupt import stoppable
from arena.games.referee import Fault, begin, decide
from arena.games.run import Run
from arena.store.findings import set_choices
from arena.tournament.effort import limit
from arena.tournament.frames import Frames

POSITIONS = 500
"""Of each level, drawn by the run's seed."""
SECONDS = 10.0
"""For the searches of each level, and for the solver; what is left of the sample then is left out."""
NODES = 2_000_000
"""That the solver may visit for a position, some 0.2 s; one that takes more gets no judgement."""

Row = tuple[int, int, int, int, int | None]
"""A choice as the table has it: game, ply, agent from 1, column from 1, whether it gives value away."""


def compare_choices(run: Run, progress: Callable[[], object] = lambda: None) -> None:
    """Ask the agents of each level about the same positions and store their choices, in place of earlier ones.

    Levels whose agents move by the clock are left out: asked again, they may choose otherwise. An agent that fails in a
    position has no row there. progress: called after each position. Raises InputError where the file cannot be written.
    """
    assert run.plan.comparison is not None
    frames = Frames.read(run.store.path)
    places = {name: number for number, name in enumerate(frames.agents["name"])}
    rows: list[Row] = []
    field, judge = Field(run.setting), Judge(run.plan.rules)
    with stoppable(field.agents.values()):
        try:
            for level in run.plan.comparison["levels"].values():
                pool = frames.only(level)
                if all(limit(pool, agent) is None for agent in level):
                    members = [places[agent] for agent in level]
                    rows += _choices(run, field, members, sample(pool, run.plan.seed, run.plan.rules), judge, progress)
        finally:
            field.close()
    set_choices(run.store, rows)


def sample(frames: Frames, seed: int, rules: Rules) -> list[tuple[int, Board]]:
    """Return different positions in which agents moved, drawn by a seed, each with the number of a game that has it."""
    moves = dict(zip(frames.games["game"], frames.games["moves"], strict=True))
    positions: dict[int, tuple[int, Board]] = {}
    for game, rows in frames.moves.groupby("game"):
        plies, board = set(rows["ply"]), Board(rules)
        for text in split_moves(moves[game], rules):
            if board.ply in plies:
                positions.setdefault(board.key, (int(game), board))
            board = board.play(int(text) - 1)
    drawn = random.Random(seed).sample(sorted(positions), min(POSITIONS, len(positions)))  # noqa: S311  a sample, not a secret
    return [positions[key] for key in drawn]


def _choices(
    run: Run, field: Field, members: Sequence[int], positions: Sequence[tuple[int, Board]], judge: Judge,
    progress: Callable[[], object],
) -> list[Row]:  # fmt: skip
    """Return the choices of a level's agents, given by place."""
    rows: list[Row] = []
    deadline = time.monotonic() + SECONDS
    for game, board in positions:
        if time.monotonic() > deadline:
            break
        columns: dict[int, int] = {}
        for place in members:
            agent = field.agent(place, 0)
            try:
                begin(agent, run.plan.seed)
                columns[place] = decide(agent, board, run.setting.conditions).column
            except Fault:
                continue
        lost = judge.lost(board, set(columns.values())) if len(set(columns.values())) > 1 else {}
        rows += [(game, board.ply, place + 1, column + 1, lost.get(column)) for place, column in columns.items()]
        progress()
    return rows


class Judge:
    """Says which columns give a win or a draw away, as long as its time lasts."""

    def __init__(self, rules: Rules) -> None:
        """Make no solver before the first question, and none where the solver does not know the rules."""
        self._rules = rules
        self._solver: Solver | None = None
        self._seconds = 0.0 if rules.most_fours else SECONDS

    def lost(self, board: Board, columns: set[int]) -> dict[int, int]:
        """Return for each column 1 if a move there gives value away, else 0; nothing where that takes too long."""
        if self._seconds <= 0.0:
            return {}
        if self._solver is None:
            self._solver = Solver(self._rules, book=shipped_book(self._rules))
        began = time.monotonic()
        self._solver.allow(NODES)
        try:
            best = self._solver.outcome_of(board)
            return {column: int(self._after(self._solver, board.play(column)) < best) for column in columns}
        except Stopped:
            return {}
        finally:
            self._seconds -= time.monotonic() - began

    @staticmethod
    def _after(solver: Solver, board: Board) -> int:
        """Return the outcome of a position for the side that has just moved: 1, 0 or -1."""
        return -(sign(of_outcome(board, 0)) if board.outcome is not None else solver.outcome_of(board))
