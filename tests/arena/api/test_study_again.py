"""A study that is played again: what is compared, left out and said of times; its parts are stand-ins."""

import json
from types import SimpleNamespace

import pytest
from recorded import plain, tried, without

from agents.errors import InputError
from arena.api import study
from arena.api.study.parts import Depths, Games, Grades, Session
from arena.measure.study.verify import Again, Difference

VERDICTS = [{"claim": 1, "verdict": "stands"}, {"claim": 2, "verdict": "stands"}, {"claim": 3, "verdict": "falls"}]
CODE = {"built-in": "b", "agents": {"a": {"files": {"a.py": "1"}}}}
STATE = {
    **CODE, "digest": "s", "file": "../study.toml", "begun": "2026-01-02", "done": ["one", "two"], "sessions": [{}],
}  # fmt: skip


class Part:
    """What stands for a part: keeps what is asked of it."""

    remark, rows = "", ()

    def files(self, folder):
        return []

    def play(self, folder, session):
        self.then.append(["play", self.name, session.workers, session.command])
        return True

    def same(self, old, new):
        self.then.append(["same", self.name, old.name])
        return Again(self.rows, 2, self.remark)


class Runs(Part, Games):
    pass


class Costs(Part, Depths):
    then = property(lambda each: each.settings["then"])


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """A folder of a study with two runs and a depth table, and what changes of what is found again."""
    folder = tmp_path / "study"
    folder.mkdir()
    for name, document in {"verdicts.json": VERDICTS, "study.json": STATE}.items():
        (folder / name).write_text(json.dumps(document))
    asked = []
    parts = tuple(Runs(name, name, {}, {}, {}, asked) for name in ("one", "two"))
    parts += (Costs("depths", "depths", {}, {"then": asked}, {}),)
    claims = [SimpleNamespace(number=number, quantities=[SimpleNamespace(name=name, of=part)])
              for number, name, part in ((1, "score", 0), (2, "ms", 0), (3, "score", 1))]  # fmt: skip
    found = SimpleNamespace(title="T", parts=parts, claims=claims, folder=tmp_path, digest="s",
                            source=lambda quantity: (parts[quantity.of], ()))  # fmt: skip
    again = SimpleNamespace(study=found, asked=asked, folder=folder, digests=CODE, verdicts=[*VERDICTS])
    monkeypatch.setattr(
        "arena.api.study.file.read_study", lambda path, base: asked.append(["read", path.name, base.name]) or found
    )
    monkeypatch.setattr(study, "_digests", lambda _: again.digests)
    monkeypatch.setattr(
        study, "_judged", lambda _, source: asked.append(["judged", source.name == "study"]) or again.verdicts
    )
    monkeypatch.setattr(study, "plain", lambda rows: rows)
    return again


def played(stored, **named):
    """Return what differs, its games and remarks, and what was asked of the parts."""
    stored.asked.clear()
    said = []
    found = study.verify(stored.folder, workers=2, command="again", say=said.append, **named)
    rows = [[each.part, each.place, each.field, each.stored, each.again] for each in found.rows]
    return (
        rows,
        found.games,
        list(found.remarks),
        said,
        [each for each in stored.asked if each[0] != "read"],
    )


def test_all_of_a_study_is_played_again_and_held_against_its_folder(stored):
    rows, games, remarks, said, asked = played(stored)
    assert (rows, games) == ([], 6)
    assert remarks == ["verdicts that rest on times were not compared: claim 2"]
    assert said == ["again: one", "again: two", "again: depths"]
    assert [each[:2] for each in asked] == [
        ["play", "one"], ["same", "one"], ["play", "two"], ["same", "two"], ["play", "depths"], ["same", "depths"],
        ["judged", False],
    ]  # fmt: skip
    assert asked[0] == ["play", "one", 2, "again"]
    assert asked[1] == ["same", "one", "study"]


def test_what_differs_is_told_of_files_code_parts_and_verdicts(stored):
    object.__setattr__(stored.study, "digest", "t")
    stored.digests = {"built-in": "c", "agents": {"a": {"files": {"a.py": "2"}}}}
    stored.verdicts = [{"claim": 1, "verdict": "falls"}, {"claim": 2, "verdict": "falls"}, VERDICTS[2]]
    one, *_ = stored.study.parts
    object.__setattr__(one, "rows", (Difference("one", "0-1-0", "moves", "1", "2"),))
    rows, _, remarks, *_ = played(stored)
    assert [row[:3] for row in rows] == [
        ["study.toml", "", "SHA-256"], ["a.py", "a", "SHA-256"],
        ["one", "0-1-0", "moves"], ["verdicts.json", rows[-1][1], "verdict"],
    ]  # fmt: skip
    assert rows[-1][3:] == ["stands", "falls"]
    assert remarks[0] == study.CODE


def test_a_run_by_the_clock_leaves_out_the_claims_that_rest_on_it(stored):
    stored.verdicts = [VERDICTS[0], VERDICTS[1], {"claim": 3, "verdict": "stands"}]
    object.__setattr__(stored.study.parts[1], "remark", "two is by the clock")
    rows, *_, remarks, _, _ = played(stored)
    assert rows == []
    assert remarks == ["two is by the clock", "verdicts that rest on times were not compared: claim 2, claim 3"]


def test_a_declared_file_that_was_changed_since_it_was_played_is_told(stored):
    (stored.folder / "study.json").write_text(json.dumps({**STATE, "digest": "t"}))
    assert played(stored)[0] == [["study.toml", "", "SHA-256", "t", "s"]]


def test_a_study_that_is_not_played_to_its_end_is_not_verified(stored):
    (stored.folder / "study.json").write_text(json.dumps({**STATE, "done": ["one"]}))
    with pytest.raises(InputError, match="study is not played to its end: two is missing; arena study play continues"):
        study.verify(stored.folder)


def test_files_count_from_where_the_study_stood_or_else_from_its_folder(stored):
    played(stored)
    study.verify(stored.folder)
    assert [each for each in stored.asked if each[0] == "read"][-1] == ["read", "study.toml", stored.folder.parent.name]
    (stored.folder / "study.json").write_text(json.dumps({**STATE, "file": "../gone/study.toml"}))
    study.verify(stored.folder)
    assert [each for each in stored.asked if each[0] == "read"][-1] == ["read", "study.toml", "study"]


@pytest.mark.parametrize("text", [None, "{", "[]", "3", b"\xff"])
def test_a_document_that_is_none_is_named_with_its_folder(tmp_path, text):
    path = tmp_path / "study.json"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    form = {"a": [1], "b": {"c": None}}
    said = without(tried(study._stored, path, form), tmp_path)
    assert said == "InputError: ~/study.json is missing or damaged: ~ is not the whole folder of a played study"
    for whole in ({"a": [], "b": {"c": 1}, "d": 2}, {"a": [3, 4], "b": {"c": "d"}}):
        path.write_text(json.dumps(whole))
        assert study._stored(path, form) == whole
    for damaged in (
        {"a": [1]},
        {"a": ["x"], "b": {"c": 1}},
        {"a": [3, "x"], "b": {"c": 1}},
        {"a": [1], "b": {}},
        {"a": {}, "b": {"c": 1}},
    ):
        path.write_text(json.dumps(damaged))
        assert without(tried(study._stored, path, form), tmp_path) == said


def test_measurements_are_told_and_shown_by_their_own_rows_and_settings(monkeypatch):
    asked = []
    monkeypatch.setattr(Depths, "document", lambda *_: ["rows of depths"])
    monkeypatch.setattr(Grades, "document", lambda *_: ["rows of grades"])
    from arena.api.study import parts

    monkeypatch.setattr(parts.quantities, "of_depths", lambda rows, quantity, drawn: [rows, quantity, drawn])
    monkeypatch.setattr(parts.quantities, "of_grade", lambda rows, quantity: [rows, quantity])
    monkeypatch.setattr(parts, "restored", lambda kind, row: [kind.__name__, row])
    monkeypatch.setattr(parts.report, "of_depths", lambda *given: asked.append(plain(given)))
    monkeypatch.setattr(parts.report, "of_grade", lambda *given: asked.append(plain(given)))
    for settings in ({}, {"openings": "plies:2", "rules": "5x4", "seed": 3}):
        depths, grades = Depths("d", "d", {}, settings, {}), Grades("g", "g", {}, settings, {})
        assert depths.estimates(None, {"q": ("a",)}) == {"q": [["rows of depths"], "q", "openings" in settings]}
        assert grades.estimates(None, {"q": ("a",)}) == {"q": [["rows of grades"], "q"]}
        depths.shown(None)
        grades.shown(None)
    assert asked == [
        [[["Cost", "rows of depths"]], 7], [[["Grade", "rows of grades"]]],
        [[["Cost", "rows of depths"]], 5], [[["Grade", "rows of grades"]]],
    ]  # fmt: skip


def test_what_is_left_of_a_budget_never_goes_below_nothing(monkeypatch):
    monkeypatch.setattr("arena.api.study.parts.time.monotonic", lambda: 100.0)
    left = [Session(1, "", ends, False, print, print).seconds for ends in (None, 90.0, 100.0, 130.5)]
    assert left == [None, 0.0, 0.0, 30.5]


def test_a_new_study_is_the_commented_one_and_takes_no_name_that_is_there(tmp_path):
    path = study.new(tmp_path / "mine.toml")
    assert path == tmp_path / "mine.toml"
    assert path.read_text().startswith("# A study: what is played and measured")
    path.write_text("mine")
    with pytest.raises(InputError, match=r"mine\.toml exists; name another file"):
        study.new(str(path))
    assert path.read_text() == "mine"
