"""Check an agent before it plays for points: start it and ask it on many positions."""

from __future__ import annotations

import functools
import random
import statistics
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from agents.agent import Agent, Limits, new_game
from agents.board import Board, Rules
from agents.errors import InputError, Unavailable
from agents.failure import Failure
from agents.process_agent import start
from agents.specs.registry import Spec
from arena.games.endings import endings, wrong_ending
from arena.games.entrants import ProcessSpec
from arena.games.referee import Conditions, Fault, decide
from arena.games.searches import sample, searched, takes_depth
from arena.records import Termination
from arena.table.cells import after

POSITIONS = 200
MOST_PROBLEMS = 5
"""Different problems reported of one agent, and equal faults after which it is asked no more."""
SEED = 1
_CORNERS = ("112233", "1122", "44444", "4444455555", "1111112", "12121", "4453")
"""Must win, may make three, must block a column, full columns, and both sides to move."""


@dataclass(slots=True)
class Checked:
    """The findings on an agent."""

    agent: str
    """Its spec as typed, or its name in a folder or roster."""
    ok: bool = True
    """Whether no problem forfeits games, or shows a wrong search."""
    problems: list[str] = field(default_factory=list)
    """A line each; those of an agent that is ok are remarks."""
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
    """The end of what its process had printed when it first failed or, without a fault, in all."""

    def add_fault(self, problem: str, output: str = "") -> None:
        """Note a problem that forfeits games, and the output of the agent's process."""
        self.ok = False
        self.output = self.output or output
        self.add(problem)

    def add(self, problem: str) -> None:
        """Note a problem once, up to MOST_PROBLEMS."""
        if problem not in self.problems and len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)


def check(
    row: Checked,
    spec: Spec,
    limits: Limits,
    margin: float,
    rules: Rules,
    positions: int = POSITIONS,
    progress: Callable[[], object] = lambda: None,
    answered: Callable[[int | None], object] = lambda _: None,
) -> None:
    """Start an agent, ask it on many positions, each twice and mirrored, and note what is found.

    All but language models have a process of their own. A new game begins every 20 positions. Five different problems,
    or five equal faults, end it, and so does a first answer that does not come though no time was set. A search that
    takes or reports a depth is also asked before the end of the game, where its value has to be right. row: to be
    filled. limits, margin: of a move. positions: their number. progress: called after each position. answered: takes
    the 0-based column that it chose in each position, None where it failed.
    """
    try:
        agent = _started(spec, margin, rules)
    except (Failure, InputError) as failure:
        row.add_fault(f"does not start: {failure}", failure.output)
        return
    row.problems += filter(None, [getattr(agent, "about", "")])
    depths: set[int] = set()
    times: list[float] = []
    faults: Counter[str] = Counter()
    said: dict[str, str] = {}
    conditions = Conditions(limits, margin)
    try:
        for number, board in enumerate(boards(rules, positions)):
            if number % 20 == 0:
                new_game(agent, SEED)
            try:
                answered(_ask(agent, board, conditions, row, times, depths))
            except Fault as fault:
                answered(None)
                alike = fault.termination if fault.termination == Termination.TIME else str(fault)
                faults[alike] += 1
                problem = f"{after(board.text)}: {fault.termination}: {fault.detail}".removesuffix(": ")
                if said.setdefault(alike, problem) == problem:
                    row.add_fault(problem, fault.output)
            progress()
            hangs = bool(faults[Termination.TIME]) and limits.seconds is None and not row.positions
            often = next((alike for alike, count in faults.items() if count == MOST_PROBLEMS), None)
            if equal := Termination.TIME if hangs else often:
                place = row.problems.index(said[equal])
                many = "this" if hangs else f"{MOST_PROBLEMS} such faults"
                row.problems[place] += f"; after {many} it was asked no more"
            if equal or len(row.problems) == MOST_PROBLEMS:
                break
    except (Failure, Unavailable) as failure:
        where = "" if isinstance(failure, Unavailable) else "new_game: "
        row.add_fault(f"{where}{failure}", failure.output)
    finally:
        row.output = row.output or getattr(agent, "output", "")
        getattr(agent, "close", lambda: None)()
        if times:
            row.ms_median, row.ms_max = 1000 * statistics.median(times), 1000 * max(times)
    _judge(row, spec, rules, depths)


def _judge(row: Checked, spec: Spec, rules: Rules, depths: Collection[int]) -> None:
    """Ask an agent that searches before the end of the game, at the depths that reach it, and note a wrong value.

    depths: those of its answers, 0 where one has none. An agent that has failed before is asked no more.
    """
    if not row.ok or spec.kind == "llm" or not (takes_depth(spec) or any(depths)):
        return
    with suppress(InputError):  # it has no value, or another depth than it was asked for: a bare move is an answer, too
        wrong = wrong_ending(spec, endings(rules, SEED))
        if wrong is not None:
            row.add_fault(str(replace(wrong, search="it")))


def _started(spec: Spec, margin: float, rules: Rules) -> Any:  # noqa: ANN401  an agent
    """Return an agent that is ready to play, in a process of its own but for a language model.

    Raises Failure and InputError.
    """
    agent: Any = spec.build()
    if isinstance(spec, ProcessSpec):
        agent = start(spec.origin, replace(spec.process_limits, margin=margin), rules)
    agent.prepare(rules)
    return agent


def _ask(agent: Agent, board: Board, conditions: Conditions, row: Checked, times: list[float], depths: set[int]) -> int:
    """Ask three times on one position, twice as it is, once mirrored; return the first answer. Raises Fault.

    times, depths: take those of the answers.
    """
    one, other, seen = (decide(agent, position, conditions) for position in (board, board, board.mirror()))
    remark = next((answer.remark for answer in (one, other, seen) if answer.remark), "")
    if remark and not any("not kept" in problem for problem in row.problems):
        row.add(f"{after(board.text)}: {remark}")
    times += [one.seconds, other.seconds, seen.seconds]
    depths.add(searched(one))
    row.positions += 1
    row.deterministic = row.deterministic is not False and one.column == other.column
    row.mirrored = row.mirrored is not False and seen.column == board.rules.columns - 1 - one.column
    return one.column


@functools.cache
def boards(rules: Rules, positions: int) -> tuple[Board, ...]:
    """Return the empty board, corners of the game, a board with one cell left, and positions from random play."""
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
    return (Board(rules), *corners, *sample(max(1, positions - len(corners)), SEED, rules)[1:])[:positions]


def _one_cell_left(rules: Rules) -> Board | None:
    """Return a position before the last move of a game, found by random play; None where none is found soon."""
    chance = random.Random(SEED)  # noqa: S311  a position, not a secret
    size = rules.columns * rules.rows
    for _ in range(2000):
        board = Board(rules)
        while board.outcome is None and board.ply < size - 1:
            board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None:
            return board
    return None
