"""What recursive searches share: they count nodes, keep the principal variation, and run on one block of memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.jit.compiler import address, address_of, jit
from agents.jit.vectors import load, save
from agents.search.control import (
    ABORTED,
    BUDGET,
    FLAGS,
    HASH_MOVE,
    INFINITY,
    MAX_DEPTH,
    NODES,
    PV,
    PV_WORDS,
    STOP,
    STOPPED,
    TABLE,
    new_memory,
)
from agents.search.transpositions import table_words


@jit(inline=True)
def visit(m: int, more: int) -> bool:
    """Count so many nodes; return whether the search may go on. At the end of the budget count no more than it.

    m: the address of the search's memory, see `agents.search.control`.
    """
    nodes, budget = load(m, NODES) + more, load(m, BUDGET)
    save(m, NODES, min(nodes, budget))
    return nodes <= budget and load(m, STOP) == 0


@jit(inline=True)
def clear_pv(m: int, p: int) -> None:
    """Empty the line of ply `p`. m: the address of the memory."""
    save(m, PV + p * PV_WORDS, -1)


@jit(inline=True)
def update_pv(m: int, p: int, column: int) -> None:
    """Set the line of ply `p` to this column followed by the line of ply `p` + 1. m: the address of the memory."""
    place = PV + p * PV_WORDS
    save(m, place, column)
    while column >= 0:
        column = load(m, place + PV_WORDS)
        place += 1
        save(m, place, column)


class Search:
    """A compiled search and its memory; it serves one thread."""

    def __init__(
        self,
        kernel: Callable[..., Any],
        order: Sequence[int],
        functions: Mapping[int, tuple[Callable[..., Any], Any]],
        flags: int = 0,
        megabytes: int = 0,
    ) -> None:
        """Allocate the memory.

        kernel: the search, such as `agents.search.negamax.negamax`.
        order: the columns in the order to try them, which also breaks ties.
        functions: what the kernel calls, with its signature, by the place of its address in the memory.
        flags: see `agents.search.control`.
        megabytes: the size of the transposition table.
        """
        self.order = tuple(order)
        self.memory = new_memory(order, flags, table_words(megabytes))
        self.functions = [function for function, _ in functions.values()]
        """An address does not keep its function alive."""
        self.kernel = kernel
        for place, (function, signature) in functions.items():
            self.memory[place] = address(function, signature)
        self.address = address_of(self.memory)

    def run(self, own: int, opp: int, depth: int, hash_move: int = -1) -> tuple[int, int]:
        """Return (score for the side to move, column); the column is ABORTED after a stop or at the end of the budget.

        own, opp: a position that is not over. depth: plies, at least 1. hash_move: a column to try first, or -1.
        """
        assert 0 < depth <= MAX_DEPTH
        assert own & opp == 0
        self.memory[HASH_MOVE] = hash_move
        score = self.kernel(self.address, own, opp, 0, depth, -INFINITY, INFINITY)
        return (0, ABORTED) if score == STOPPED else (int(score), int(self.memory[PV]))

    @property
    def pv(self) -> tuple[int, ...]:
        """The principal variation of the last search that was not aborted."""
        line = self.memory[PV : PV + PV_WORDS].tolist()
        return tuple(line[: line.index(-1)])

    @property
    def nodes(self) -> int:
        """The nodes visited since `begin`."""
        return int(self.memory[NODES])

    def begin(self, nodes: int) -> None:
        """Begin a move with this budget: clear the counts, the killers and the history, but not the table."""
        self.memory[:FLAGS] = 0
        self.memory[BUDGET] = nodes

    def visit(self) -> bool:
        """Count a node; return whether the budget allows it."""
        allowed = self.memory[NODES] < self.memory[BUDGET]
        self.memory[NODES] += allowed
        return bool(allowed)

    def stop(self) -> None:
        """End the search that is running in another thread."""
        self.memory[STOP] = 1

    def forget(self) -> None:
        """Empty the table."""
        self.memory[TABLE:] = 0
