import json
import shlex
import sys

import pytest
from samples import ENGINES

from agents.errors import InputError
from agents.rules import Rules
from arena.measure.verify import crowded_sample

PYTHON = shlex.quote(sys.executable)


def test_a_second_opinion_that_is_ours_agrees(arena):
    solver = f"pons:{PYTHON} -c 'from arena.cli import main; main()' solve - --quiet"
    done = arena("verify", "--against", solver, "--positions", 20, "--json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    assert document.pop("meta")["seed"] == 1
    assert document == {"agree": True, "positions": 20, "disagreements": []}


def test_a_solver_that_sees_one_ply_disagrees(arena):
    done = arena("verify", "--against", f"pons:{PYTHON} {ENGINES / 'solver.py'}", "--positions", 20)
    assert done.code == 1
    assert "of 20 positions have the same score" in done.out
    assert "disagreement at " in done.err


def test_what_is_no_solver_is_told_in_one_line(arena):
    done = arena("verify", "--against", "greedy")
    assert (done.code, done.err) == (2, "arena: the other solver must be pons:COMMAND, not 'greedy'\n")
    done = arena("verify", "--against", f"pons:{PYTHON} {ENGINES / 'solver.py'} boasts")
    assert done.code == 2
    assert "is not POSITION SCORE" in done.err


@pytest.mark.parametrize("board", ["7x6", "5x4", "4x4", "6x5x3", "3x2x2"])
@pytest.mark.parametrize("count", [1, 10])
def test_as_many_positions_are_taken_as_are_asked_for(board, count):
    rules = Rules.parse(board)
    if (board, count) == ("3x2x2", 10):
        with pytest.raises(InputError, match=r"^random play finds 21 positions on a 3x2x2 board, not 24$"):
            crowded_sample(6, 1, rules)  # all that there are, of which more are drawn than there are
    else:
        assert len({each.key for each in crowded_sample(count, 1, rules)}) == count
