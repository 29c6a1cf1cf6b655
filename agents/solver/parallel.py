"""Several threads that solve positions: each its own, and where there are fewer positions than threads, together.

A thread with nothing to do joins a question that another one still searches: both search it with one table and tell
each other where they are (`paths`), and who knows the answer stops the other. A thread that has joined leaves as soon
as there is something else to do.
"""

from __future__ import annotations

import functools
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Self, TypeVar

from agents.solver.solver import Solver, Stopped

V = TypeVar("V")
JOINED_AFTER = 0.01
"""[seconds] How long a question is searched before others join it: most are answered sooner."""


class Crew:
    """Threads that take what there is to do in its order; a context, which ends when all is done."""

    def __init__(self, solver: Solver, threads: int) -> None:
        """Start so many threads, each with a partner of the solver."""
        self._members = [_Member(partner, self) for partner in solver.partners(threads)]
        self._todo: deque[Callable[[_Member], None]] = deque()
        self._questions: list[_Question] = []
        self._busy = 0
        self._closed = self._stopped = False
        self._changed = threading.Condition()
        self._threads = [threading.Thread(target=self._work, args=(each,), daemon=True) for each in self._members]
        for thread in self._threads:
            thread.start()

    def submit(self, ask: Callable[[Solver], V]) -> Future[V]:
        """Have a thread call `ask` with its solver; return what will have the answer, or what `ask` raises."""
        answer: Future[V] = Future()
        with self._changed:
            self._todo.append(functools.partial(self._answer, answer, ask))
            for helper in [each for question in self._questions for each in question.helpers][: len(self._todo)]:
                helper.stop()
            self._changed.notify_all()
        return answer

    def stop(self) -> None:
        """Let all that is under way and all that is left to do end with Stopped."""
        with self._changed:
            self._stopped = True
            for member in self._members:
                member.stop()

    def __enter__(self) -> Self:
        """Return the crew."""
        return self

    def __exit__(self, wrong: type[BaseException] | None, *_: object) -> None:
        """Wait until all is done, or stop it where something went wrong; then end the threads."""
        if wrong is not None:
            self.stop()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def search(self, member: _Member, discs: tuple[int, int], limits: tuple[int, int]) -> int:
        """Return what a member finds on a question, or sooner what those who join it find. Raises Stopped."""
        question = _Question(member, discs, limits)
        with self._changed:
            self._questions.append(question)
            self._changed.notify_all()
        question.ask(member)
        with self._changed:
            self._questions.remove(question)
            for helper in question.helpers:
                helper.stop()
            while question.helpers:
                self._changed.wait()
            if not self._stopped:
                member.go_on()
        if question.errors:
            raise question.errors[0]
        if not question.answers:
            raise Stopped
        return question.answers[0]

    def _work(self, member: _Member) -> None:
        for act in iter(functools.partial(self._next, member), None):
            act(member)

    def _next(self, member: _Member) -> Callable[[_Member], None] | None:
        """Wait for something to do, and return it: a task, or else a question to join; None at the end."""
        with self._changed:
            while self._todo or self._busy or not self._closed:
                if self._todo:
                    self._busy += 1
                    return self._todo.popleft()
                asked = [each for each in self._questions if not each.answers and not each.errors]
                question = min(asked, key=lambda each: (len(each.helpers), each.began), default=None)
                wait = None if question is None else question.began + JOINED_AFTER - time.monotonic()
                if question is not None and wait is not None and wait <= 0:
                    question.helpers.append(member)
                    return functools.partial(self._join, question)
                self._changed.wait(wait)
        return None

    def _answer(self, answer: Future[V], ask: Callable[[Solver], V], member: _Member) -> None:
        """Do a task."""
        try:
            answer.set_result(ask(member))
        except BaseException as error:  # noqa: BLE001  it is raised where the answer is read
            answer.set_exception(error)
        with self._changed:
            self._busy -= 1
            self._changed.notify_all()

    def _join(self, question: _Question, member: _Member) -> None:
        """Search another member's question, too, until it is answered or there is a task."""
        before = member.nodes
        question.ask(member)
        with self._changed:
            question.helpers.remove(member)
            question.member.helped += member.nodes - before
            if question.answers or question.errors:
                question.member.stop()
            if not self._stopped:
                member.go_on()
            self._changed.notify_all()


class _Member(Solver):
    """One thread's solver, which lets others help it."""

    def __init__(self, solver: Solver, crew: Crew) -> None:
        vars(self).update(vars(solver))
        self._crew = crew
        self.helped = 0

    @property
    def nodes(self) -> int:
        """Positions searched so far for this member's questions, by those who helped, too."""
        return super().nodes + self.helped

    def search(self, own: int, opp: int, lowest: int, highest: int) -> int:
        """Do what a solver alone does, with help. Raises Stopped."""
        if (own | opp).bit_count() > self._size // 2:  # the others would not see the near table
            return self.alone(own, opp, lowest, highest)
        return self._crew.search(self, (own, opp), (lowest, highest))

    alone = Solver.search
    """What others do to help."""


@dataclass(eq=False)
class _Question:
    """A question that somebody searches, and who has joined."""

    member: _Member
    discs: tuple[int, int]
    limits: tuple[int, int]
    began: float = field(default_factory=time.monotonic)
    helpers: list[_Member] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)
    """What went wrong in a thread that searched it."""

    def ask(self, member: _Member) -> None:
        """Search it, and note the answer, or what goes wrong; being stopped leaves it open."""
        try:
            self.answers.append(member.alone(*self.discs, *self.limits))
        except Stopped:
            pass
        except BaseException as error:  # noqa: BLE001  `Crew.search` raises it in the thread that asked
            self.errors.append(error)
