"""What a spec searches: whether it takes a depth, how far a search came, and drawn positions to search."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agents.agent import Agent, Limits, prepare
from agents.board import Board, Rules
from agents.errors import InputError
from agents.score import proven
from agents.specs.kinds import KINDS
from agents.specs.outline import inspect_source
from agents.specs.plugins import is_file
from agents.specs.registry import Spec
from arena.games.entrants import attended
from arena.games.referee import Clock, Conditions, Fault, begin, decide
from arena.records import MoveRecord

TELL = "return Analysis(column, score, depth=…, nodes=…)"
OBEY = "take depth in the constructor, or search to limits.depth"


def takes_depth(spec: Spec) -> bool:
    """Return whether an agent of a file gets its depth when it is made, by a parameter `depth`."""
    if spec.kind in KINDS or not is_file(spec.kind):
        return False
    path, _, name = spec.kind.rpartition(":")
    try:
        maker = inspect_source(Path(path)).makers.get(name)
    except InputError:  # beside a roster elsewhere
        maker = None
    return "depth" in spec.parameters or (maker is not None and "depth" in maker.names)


def searched(answer: MoveRecord) -> int:
    """Return the plies that an answer says were searched, by its depth or else its iterations; 0 where none does."""
    return answer.depth or max((iteration.depth for iteration in answer.iterations), default=0)


def sample(count: int, seed: int, rules: Rules) -> list[Board]:
    """Return the empty board and `count` - 1 more positions, of any ply, from random play. Raises InputError.

    The same seed gives the same positions, and a greater count begins with those of a smaller one.
    """
    chance = random.Random(seed)  # noqa: S311  a sample, not a secret
    boards = {Board(rules).key: Board(rules)}
    for _ in range(1000 * count):
        if len(boards) >= count:
            break
        board = Board(rules)
        plies = chance.randrange(rules.columns * rules.rows)
        while board.ply < plies and board.outcome is None:
            board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None:
            boards.setdefault(board.key, board)
    if len(boards) < count:
        raise InputError(f"random play finds {len(boards)} positions on a {rules} board, not {count}")
    return list(boards.values())


def once(
    agent: Agent, board: Board, name: str, depth: int | None = None, clock: Clock = time.perf_counter
) -> MoveRecord:
    """Return an agent's answer from a cleared memory. Raises InputError for one that fails or searched less deep.

    name: the agent's in an error. depth: plies; with None the agent decides. clock: of the answer's seconds.
    """
    try:
        begin(agent, 0)
        answer = decide(agent, board, Conditions(Limits(depth=depth)), clock)
    except Fault as fault:
        raise InputError(f"agent {name!r} on {board.text or 'the empty board'}: {fault}") from fault
    left = board.rules.columns * board.rules.rows - board.ply
    if depth is not None and 0 < searched(answer) < min(depth, left) and not proven(answer.score or 0):
        raise InputError(f"agent {name!r} searched to depth {searched(answer)} when asked for {depth}")
    return answer


@contextmanager
def at_depth(spec: Spec, depth: int, rules: Rules) -> Iterator[Agent]:
    """Yield an agent that searches to a depth, which it is made with where it can be, or else gets as a limit."""
    made_with = "depth" in KINDS[spec.kind].parameters if spec.kind in KINDS else takes_depth(spec)
    agent = (spec.having(depth=depth) if made_with else spec).build()
    with attended([agent]):
        prepare(agent, rules, spec.text)
        yield agent


def answer_at(agent: Agent, board: Board, name: str, depth: int) -> MoveRecord:
    """Return an answer. Raises InputError where the search reports no value, or searches to another depth."""
    answer, left = once(agent, board, name, depth), plies_left(board)
    if (plies := searched(answer)) not in {0, depth, min(depth, left)} and not proven(answer.score or 0):
        raise InputError(f"{name} ignores the depth: it searched to depth {plies} when asked for {depth}; {OBEY}")
    if answer.score is None:
        raise InputError(f"{name} reports no value: {answer.remark or TELL}")
    return answer


def plies_left(board: Board) -> int:
    """Return the number of cells that are free."""
    return board.rules.columns * board.rules.rows - board.ply
