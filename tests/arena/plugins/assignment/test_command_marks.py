"""What the command of assignments prints of marks."""

from pathlib import Path

import pytest

from arena.plugins.assignment import job
from arena.plugins.assignment.job import Assigned
from arena.plugins.assignment.marks import HandIn

ADA = HandIn("a", "Ada", True, 0, 1, 12.5, 20, 60.25, 100.0, (40.0, 20.25), "alphabeta:depth=4", ("agents.search",))
OTHER = HandIn("b", "", False, 3, 2, 7.5, 20, 0.0, 80.0, (0.0, None), "", ())


@pytest.mark.parametrize("style", ["", "--json", "--style csv"])
def test_hand_ins_that_are_marked_have_a_row_each_and_their_pages_are_named(arena, tmp_path, monkeypatch, style):
    monkeypatch.chdir(tmp_path)
    marked = Assigned([ADA, OTHER], HandIn, {}, written=(Path("s/index.html"), Path("s/t.csv")))
    monkeypatch.setattr(job, "assignment", lambda *given, **named: marked)
    done = arena("assignment", "x", *style.split())
    assert done.code == 0
    assert all(word in done.out for word in ("Ada", "60.2", "alphabeta:depth=4", "agents.search"))
    assert "s/index.html" in done.out + done.err
