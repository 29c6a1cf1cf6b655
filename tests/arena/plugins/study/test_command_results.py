"""What the commands of studies print of results that are rare, and the codes they end with."""

import json
import shlex
from pathlib import Path

import pytest

from arena.plugins.study import differences as again
from arena.plugins.study import job as study
from arena.plugins.study.claims import Verdict


@pytest.fixture
def printed(arena, tmp_path, monkeypatch):
    """A function that runs a command while a function of the API returns a result: its code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(line, name, result):
        monkeypatch.setattr(study, name, lambda *given, **named: result)
        return arena(*shlex.split(line))

    return run


@pytest.mark.parametrize("style", ["", "--json"])
@pytest.mark.parametrize("problems", [[], ["no run", "no claim"]])
def test_a_study_that_is_checked_says_its_games_and_what_is_wrong(printed, problems, style):
    runs = [{"name": "one", "agents": ["a", "b"], "games": 1234}, {"name": "two", "agents": ["a"], "games": None}]
    claims = [{"text": "it is so", "check": "x > y", "of": ["one", "two"]}]
    done = printed(
        f"study check a.toml {style}", "check", study.Checked("A title", "0", ["a", "b"], runs, claims, problems)
    )
    assert done.code == bool(problems)
    if style:
        document = json.loads(done.out)
        assert (document["runs"], document["claims"], document["problems"]) == (runs, claims, problems)
    else:
        assert done.out.splitlines() == [
            "A title", "agents: a, b", "one: 2 agents, 1,234 games at most", "two: 1 agent, cannot be played",
            "claim 1: x > y, from one, two", *([f"problem: {line}" for line in problems] or ["no problems"]),
        ]  # fmt: skip


def test_a_new_study_is_told_what_comes_next(printed):
    done = printed("study new 'a b.toml'", "new", "a b.toml")
    assert (done.code, done.err) == (0, "written to a b.toml; next: arena study check 'a b.toml'\n")


@pytest.mark.parametrize("style", ["", "--json", "--style github"])
@pytest.mark.parametrize("number", [0, 2])
def test_a_study_that_is_played_says_what_its_claims_come_to_and_where_it_is(printed, number, style):
    row = Verdict(1, "it is so", "x > y", None, "falls", None, "not measured", "", "")
    done = printed(
        f"study play a.toml {style}", "play", study.Played([row] * number, Verdict, {}, folder=Path("new/mine"))
    )
    assert (done.code, done.err) == (0, "written to new/mine: report.html, verdicts.json, runs, measured\n")
    assert done.out.count("it is so") == done.out.count("falls") == number
    if style == "--json":
        document = json.loads(done.out)
        assert (document["folder"], len(document["claims"])) == ("new/mine", number)
    else:
        assert (done.out == "") == (number == 0)


@pytest.mark.parametrize("style", ["", "--json", "--style github"])
@pytest.mark.parametrize("number", [0, 2])
def test_a_study_that_is_verified_says_what_differs(printed, number, style):
    row = again.Difference("runs/a.sqlite", "0-1-2", "result", "1-0", "0-1")
    verified = study.Verified((row,) * number, again.Difference, {}, games=1234, remarks=("one", "two"))
    done = printed(f"study verify a {style}", "verify", verified)
    assert done.code == (number > 0)
    assert done.out.count("runs/a.sqlite") == number
    if style == "--json":
        document = json.loads(done.out)
        assert (len(document["differences"]), document["games"], document["remarks"]) == (number, 1234, ["one", "two"])
    else:
        assert done.out.endswith(f"\n1,234 games played again: {'2 differences' if number else 'nothing differs'}\n")
        assert done.err == "one\ntwo\n"
