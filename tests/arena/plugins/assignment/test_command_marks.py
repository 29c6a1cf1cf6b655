"""What the command of assignments prints of marks."""

import json
import re
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
    assert done.err.splitlines() == ["pages: s/index.html", "table: s/t.csv"]
    assert all(line not in done.out for line in done.err.splitlines())
    if not style:
        [headers, _, *rows] = (re.split(" {2,}", line.strip()) for line in done.out.splitlines())
        assert headers == ["rank", "name", "faults", "points", "marks", "of", "answers as", "imports", "ok", "games",
                           "author"]  # fmt: skip
        assert rows == [
            ["1", "a", "0", "12.5", "60.2", "100", "alphabeta:depth=4", "agents.search", "yes", "20", "Ada"],
            ["2", "b", "3", "7.5", "0.0", "80", "no", "20"],
        ]


def test_the_call_of_a_command_is_stored_and_what_it_measured_with_is_told(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = []
    alone = Assigned([ADA], HandIn, {"seed": 7, "version": "1"}, written=(Path("s/index.html"),))
    monkeypatch.setattr(job, "assignment", lambda *given, **named: told.append((given, named)) or alone)
    done = arena("assignment", "x", "--json", "--depth", "3", "--public", "--patience", "4")
    [(given, named)] = told
    assert (given, named["command"]) == ((Path("x"),), "arena assignment x --json --depth 3 --public --patience 4")
    settings = {"depth": 3, "margin": 0.1, "seed": 1, "public": True}
    assert {name: named[name] for name in settings} == settings
    assert {named[name] for name in ("out", "marks", "rounds", "seconds")} == {None}
    assert (named["isolation"]["patience"], named["workers"]) == (4.0, None)
    [row] = json.loads(done.out)
    assert (row["agent"], row["marks"], row["parts"]) == ("a", 60.25, [40.0, 20.25])
    assert (row["meta"]["seed"], row["meta"]["version"]) == (7, "1")
    assert done.err.splitlines() == ["pages: s/index.html"]
