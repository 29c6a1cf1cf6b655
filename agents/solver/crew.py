"""Several threads that solve one position together."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import numpy as np

from agents.solver.bisect import middle
from agents.solver.control import CREW, PLACE, SHARED
from agents.solver.paths import PLIES
from agents.solver.solver import Solver, Stopped

SHARED_PLIES = 12
"""Plies below the position in which threads keep out of each other's way; from 8 to 20 hardly differ."""


class Crew(Solver):
    """A solver whose threads ask each question together: the first that knows the answer stops the others.

    Scores are those of one thread; nodes differ from run to run. On eight positions of six and fewer discs two threads
    searched 1.14 times the nodes of one.
    """

    def __init__(self, solver: Solver, threads: int) -> None:
        """Share a solver's table and book among so many threads."""
        vars(self).update(vars(solver))
        self._stopped = False
        self._pool = ThreadPoolExecutor(threads)
        self.paths = np.zeros(threads * PLIES, np.int64)
        self._members = solver.partners(threads)
        for place, member in enumerate(self._members):
            member.paths = self.paths
            member.control[[PLACE, CREW]] = place, threads

    @property
    def nodes(self) -> int:
        """Positions that all threads have searched so far."""
        return sum(member.nodes for member in self._members)

    def search(self, own: int, opp: int, lowest: int, highest: int) -> int:
        """Do what a single solver does, with all threads. Raises Stopped."""
        ply = (own | opp).bit_count()
        left = self.rules.columns * self.rules.rows - ply
        lowest, highest = max(lowest, -(left // 2)), min(highest, (left + 1) // 2)
        for member in self._members:
            member.control[SHARED] = min(ply + SHARED_PLIES, PLIES - 1)
        while lowest < highest:
            question = middle(lowest, highest)
            value = self._ask(own, opp, question)
            if value > question:
                lowest = value
            else:
                highest = value
                lowest = min(lowest, highest)
        return lowest

    def _ask(self, own: int, opp: int, question: int) -> int:
        """Return a number on the score's side of a question. Raises Stopped."""
        self.paths.fill(0)
        for member in self._members:
            member.go_on()
        if self._stopped:  # since before `go_on`, which undid it
            raise Stopped
        asked = [self._pool.submit(member.search, own, opp, question, question + 1) for member in self._members]
        try:
            done = wait(asked, return_when=FIRST_COMPLETED).done
        finally:
            for member in self._members:
                member.stop()
            wait(asked)
        return next(iter(done)).result()

    def stop(self) -> None:
        """Let the question under way, and every later one until `go_on`, end with Stopped."""
        self._stopped = True
        for member in self._members:
            member.stop()

    def go_on(self) -> None:
        """Take questions again."""
        self._stopped = False
