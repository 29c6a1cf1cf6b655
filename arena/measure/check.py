"""What a tournament would trip over: an agent is started and asked on many positions, before it plays for points."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agents.agent import Limits, new_game
from agents.board import Board, Rules
from agents.errors import InputError
from agents.remote.agent import RemoteAgent
from agents.remote.failure import Failure
from agents.remote.limits import ProcessLimits, Source
from agents.remote.spec import command
from arena.measure.verify import sample
from arena.play.referee import Conditions, Fault, decide

POSITIONS = 200
MOST_PROBLEMS = 5
"""That are said of one agent."""
SEED = 1
_CORNERS = ("112233", "1122", "44444", "4444455555", "1111112", "12121", "4453")
"""Must win, may make three, must block a column, full columns, and both sides to move."""


@dataclass(slots=True)
class Checked:
    """What was found of an agent."""

    agent: str
    """Its spec as typed, or its name in a folder or roster."""
    ok: bool = True
    """Whether nothing was found that forfeits games."""
    problems: list[str] = field(default_factory=list)
    """A line each; those of an agent that is ok only tell."""
    positions: int = 0
    """[positions] answered."""
    ms_median: float | None = None
    """[ms] a move"""
    ms_max: float | None = None
    """[ms] a move"""
    deterministic: bool | None = None
    """Whether it answers alike when it is asked twice."""
    mirrored: bool | None = None
    """Whether it plays the mirrored move on the mirrored board."""
    output: str = ""
    """The end of what its process had written to stderr when it first failed."""

    def fails(self, problem: str, output: str = "") -> None:
        """Note what forfeits games, and what its process has written beside its answers."""
        self.ok = False
        self.output = self.output or output
        self.tells(problem)

    def tells(self, problem: str) -> None:
        """Note a problem, once, and not too many."""
        if problem not in self.problems and len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)


def broken(line: str) -> Checked:
    """Return what is found of an entry that is none."""
    return Checked(line.partition(":")[0].partition(",")[0], ok=False, problems=[line])


def check(name: str, source: Source, process_limits: ProcessLimits, limits: Limits, rules: Rules) -> Checked:
    """Start an agent and ask it on many positions, each twice and in the mirror, with a new game now and then."""
    found = Checked(name)
    agent = RemoteAgent(source, process_limits, rules)
    try:
        agent.prepare(rules)
    except (Failure, InputError) as failure:
        found.fails(f"does not start: {failure}", failure.output)
        return found
    times: list[float] = []
    try:
        for number, board in enumerate(_boards(rules)):
            if number % 20 == 0 and not _begins(agent, found):
                break
            _ask(agent, board, Conditions(limits, process_limits.margin), found, times)
            if len(found.problems) >= MOST_PROBLEMS:
                break
    finally:
        agent.close()
    if times:
        found.ms_median, found.ms_max = 1000 * statistics.median(times), 1000 * max(times)
    return found


def _begins(agent: RemoteAgent, found: Checked) -> bool:
    try:
        new_game(agent, SEED)
    except Failure as failure:
        found.fails(f"new_game: {failure}", failure.output)
        return False
    return True


def _ask(agent: RemoteAgent, board: Board, conditions: Conditions, found: Checked, times: list[float]) -> None:
    """Ask three times about one position: twice as it is, once in the mirror."""
    try:
        one, other, seen = (decide(agent, each, conditions) for each in (board, board, board.mirror()))
    except Fault as fault:
        problem = f"after {board.text or 'no move'}: {fault.termination}: {fault.detail}".removesuffix(": ")
        found.fails(problem, fault.output)
        return
    remark = next((each.remark for each in (one, other, seen) if each.remark), "")
    if remark and not any("not kept" in problem for problem in found.problems):
        found.tells(f"after {board.text or 'no move'}: {remark}")
    times += [one.seconds, other.seconds, seen.seconds]
    found.positions += 1
    found.deterministic = found.deterministic is not False and one.column == other.column
    found.mirrored = found.mirrored is not False and seen.column == board.rules.columns - 1 - one.column


def _boards(rules: Rules) -> Iterator[Board]:
    """Yield the empty board, corners of the game, a board with one cell left, and positions from random play."""
    yield Board(rules)
    corners = []
    for moves in _CORNERS:
        try:
            board = Board.from_moves(moves, rules)
        except InputError:
            continue
        if board.outcome is None:
            corners.append(board)
    if (last := _one_cell_left(rules)) is not None:
        corners.append(last)
    yield from corners
    yield from sample(POSITIONS - len(corners), SEED, rules)[1:]


def _one_cell_left(rules: Rules) -> Board | None:
    """Return a position before the last move of a game, found by random play; None where none is found soon."""
    import random

    chance = random.Random(SEED)  # noqa: S311  a position, not a secret
    size = rules.columns * rules.rows
    for _ in range(2000):
        board = Board(rules)
        while board.outcome is None and board.ply < size - 1:
            board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None:
            return board
    return None


# A second opinion: another solver's scores of positions, held against ours.

FEWEST_DISCS = 16
"""On a position that is asked about: with fewer a solver without a book may take minutes.
On small boards half the cells are enough."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What two solvers say of one position, for the side to move."""

    position: str
    ours: int
    theirs: int


def positions(count: int, seed: int, rules: Rules) -> list[Board]:
    """Return so many positions from random play with discs enough. Raises InputError."""
    fewest = min(FEWEST_DISCS, rules.columns * rules.rows // 2)
    drawn = 4 * count
    while True:
        found = [board for board in sample(drawn, seed, rules) if board.ply >= fewest]
        if len(found) >= count:
            return found[:count]
        drawn *= 2


def opinions(text: str, boards: Sequence[Board], progress: Callable[[], object] = lambda: None) -> list[Opinion]:
    """Ask the solver behind `pons:COMMAND` and ours for the score of each position. Raises InputError."""
    from agents.solver.book import shipped_book
    from agents.solver.solver import Solver

    if not text.startswith("pons:"):
        raise InputError(f"a second opinion comes from pons:COMMAND, not from {text!r}")
    rules = boards[0].rules
    solver = Solver(rules, book=shipped_book(rules))
    process_limits = ProcessLimits()
    other = RemoteAgent(command(text, str(Path.cwd())), process_limits)
    found = []
    try:
        other.prepare(rules)
        for board in boards:
            theirs = other.score(board, time.perf_counter() + process_limits.patience)
            found.append(Opinion(board.text, solver.score_of(board), theirs))
            progress()
    except Failure as failure:
        raise InputError(f"{text!r}: {failure}") from failure
    finally:
        other.close()
    return found
