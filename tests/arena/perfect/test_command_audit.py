"""Runs audited on the command line."""

import json
import re

import pytest
from audited import AGENTS, audit_rows, by_agent
from command import STYLES

from arena.perfect import command_audit
from arena.perfect import solved as solving


@pytest.mark.parametrize("style", STYLES)
def test_the_tables_are_written_in_every_style(arena, audited, style):
    path = audited.rename(audited.with_name("my run.sqlite"))
    result = arena("audit", path, "--style", style)
    assert (result.code, result.err) == (0, f"next: arena show '{path}' --table blunders\n")
    for agent in ("perfect", "random", "greedy"):
        assert agent in result.out
    cells = {"csv": [",1.0,"], "latex": [r"100.0 \%", "% audited games 72 of 72"]}
    assert all(cell in result.out for cell in cells.get(style, ["100.0 %", "audited games 72 of 72", "Thrown away"]))


@pytest.mark.parametrize("words", [["audit"], ["show", "--table", "audit"], ["audit", "--table", "audit"]])
def test_for_programs_each_agent_has_one_row(arena, audited, words):
    rows = json.loads(arena(words[0], audited, *words[1:], "--style", "json").out)
    rows = rows["agents"] if words == ["audit"] else rows
    assert sorted(row["agent"].split(":")[0] for row in rows) == ["greedy", "perfect", "random"]
    done = arena(words[0], audited, *words[1:], "--style", "csv")
    assert ("next: " in done.err) == (words == ["audit"])
    lines = done.out.splitlines()
    assert [line.split(",")[0] for line in lines] == ["agent", *(row["agent"] for row in rows)]


def test_the_command_audits_prints_and_then_only_prints(arena, unaudited, monkeypatch):
    first = arena("audit", unaudited, "-j", 1, "--json", "-q")
    assert (first.code, first.err) == (0, "")
    document = json.loads(first.out)
    assert [row["agent"] for row in document["agents"]] == [AGENTS[0], *document_order(document)]
    assert document["audited"]["games"] == 72
    monkeypatch.setattr(solving, "solve_all", None)
    assert arena("audit", unaudited, "--json").out == first.out
    shown = json.loads(arena("show", unaudited, "--json").out)
    assert shown["audit"] == document["agents"]
    assert "Value kept" in arena("show", unaudited).out


def document_order(document):
    return sorted({"random", "greedy"}, key=lambda name: -clear_kept(document, name))


def clear_kept(document, name):
    return next(row["clear_kept"] for row in document["agents"] if row["agent"] == name)


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(arena, unaudited, monkeypatch):
    solve = solving.solve_all

    def interrupted(*rest, **settings):
        answers = solve(*rest, **settings)
        for _ in range(30):
            yield next(answers)
        answers.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, "solve_all", interrupted)
    path = unaudited.rename(unaudited.with_name("my run.sqlite"))
    result = arena("audit", path, "-q", "-j", 1)
    assert result.code == 130
    assert result.err == f"interrupted; to audit the rest: arena audit '{path}'\n"
    assert len(audit_rows(path)) >= 30
    whole = len({(game, ply) for game, ply, *_ in audit_rows(path)})
    assert re.search(r"audited games \d+ of 72, moves \d+, clear-cut \d+\n$", result.out)
    document = arena("audit", path, "-q", "-j", 1, "--json")
    assert (document.code, json.loads(document.out)["audited"]["games"] < 72) == (130, True)
    assert len(audit_rows(path)) > whole


def test_a_run_can_be_audited_at_once(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    words = ["random", "greedy", "--board", "4x4", "--openings", "plies:4", "--rounds", 2, "-q", "-j", 1]
    result = arena("run", *words, "--audit", "--json", "--out", path)
    assert result.code == 0
    assert {row["agent"] for row in json.loads(result.out)["audit"]} == {"random", "greedy"}
    assert "audit" not in json.loads(arena("run", *words, "--json", "--out", tmp_path / "other.sqlite").out)


def test_a_comparison_says_what_was_kept(arena, tmp_path):
    words = ["zero", "powers-of-ten", "--depth", 1, "--board", "4x4", "--openings", "plies:4", "--rounds", 3, "-q"]
    found = json.loads(arena("compare", *words, "-j", 1, "--audit", "--json", "--out", tmp_path / "a.sqlite").out)
    agents = by_agent(tmp_path / "a.sqlite")
    kept = {row["heuristic"]: row["kept"] for row in found["ratings"]}
    assert kept == {name: agents[f"alphabeta:order=centre,heuristic={name},depth=1"].kept.value for name in words[:2]}
    plain = arena("compare", *words, "-j", 1, "--out", tmp_path / "b.sqlite").out
    assert "kept" not in plain


def test_what_is_no_run_is_refused_in_a_line(arena, tmp_path):
    (tmp_path / "text").write_text("no run")
    for path in (tmp_path / "none.sqlite", tmp_path / "text"):
        result = arena("audit", path)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("arena: ")
        assert result.err.count("\n") == 1


def test_the_audit_after_a_run_has_the_workers_of_the_run(arena, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(command_audit, "run_audit", lambda path, workers, _: asked.append((path, workers)) or 2)
    few = ("--rounds", 1, "--openings", "plies:0", "--board", "4x4", "-j", 1, "--audit", "-q", "--out")
    assert arena("run", "random", "greedy", *few, tmp_path / "a.sqlite").code == 2
    assert arena("compare", "zero", "parity", "--depth", 1, *few, tmp_path / "b.sqlite").code == 2
    assert asked == [(tmp_path / "a.sqlite", 1), (tmp_path / "b.sqlite", 1)]
