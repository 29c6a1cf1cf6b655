"""The boards on which the default suite compiles the solver, which takes two seconds each, and one that it need not."""

import pytest
from as_python import as_python

from agents.board import STANDARD, Rules
from agents.jit.compiler import copy_with
from agents.solver import search
from agents.solver.solver import Solver

COMPILED = [STANDARD, Rules(4, 4), Rules(5, 4), Rules(8, 7)]
"""Most are compiled by other tests, too; 8x7 fills the word."""


def few_of(boards, compiled=COMPILED):
    """Return the boards as parameters; `python_solver` solves the others by default."""
    return [pytest.param(rules, marks=[pytest.mark.compiles] * (rules not in compiled)) for rules in boards]


def python_solver(rules, monkeypatch):
    """Return a solver that runs as the Python that is compiled elsewhere."""
    with monkeypatch.context() as patch:
        patch.setattr(search, "specialize", lambda template, *_, **constants: copy_with(template, **constants))
        patch.setattr(search, "build", search.build.__wrapped__)
        solver = Solver(rules, 1)
    solver._solve, solver._addresses = as_python(solver._solve), solver._arrays
    return solver
