"""The script that made the opening book: results/book/make.py."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from slow_solver import SlowSolver

from agents.board import Rules
from agents.jit.compiler import JIT
from agents.solver.book import enumerate_positions, read_book

SCRIPT = Path(__file__).parents[1] / "results" / "book" / "make.py"
SMALL = Rules(4, 4)


def make(*words, cwd):
    """Return what the script prints, and its exit code."""
    call = [sys.executable, SCRIPT, "--table", "1", *map(str, words)]
    done = subprocess.run(call, cwd=cwd, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr, done.returncode


@pytest.mark.process
def test_a_book_has_the_scores_of_a_slow_search_and_goes_on_from_its_state(tmp_path):
    slow, last = SlowSolver(SMALL), enumerate_positions(SMALL, 6)[-1]
    scores = [slow.score(own, opp) for own, opp in zip(last.own.tolist(), last.opp.tolist(), strict=True)]
    state = np.full(len(scores), -128, np.int8)
    state[3] = scores[3] + 1  # what the state has is not solved again
    state.tofile(tmp_path / "4x4x4.6.state")
    assert make("--board", "4x4", "--plies", 6, cwd=tmp_path)[2] == 0
    found = read_book(tmp_path / "4x4x4.book").scores[-1].tolist()
    assert found[3] == scores[3] + 1
    assert (found[:3], found[4:]) == (scores[:3], scores[4:])
    _, said, code = make("--board", "5x4", "--plies", 6, "--out", "4x4x4.book", cwd=tmp_path)
    assert code == 1
    assert "4x4x4.6.state is not the state of this book" in said


@pytest.mark.process
@pytest.mark.skipif(not JIT, reason="far too many nodes for plain Python")
def test_entries_of_the_shipped_book_are_solved_again(tmp_path):
    assert make("--check", 3, "--seed", 2, cwd=tmp_path)[::2] == ("0 wrong of 3 entries\n", 0)
    assert "no book of 4x4x4 is shipped" in make("--check", 3, "--board", "4x4", cwd=tmp_path)[1]
