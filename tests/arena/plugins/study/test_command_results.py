"""What the commands of studies print of results that are rare, and the codes they end with."""

import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.plugins.study import differences as again
from arena.plugins.study import job as study


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
    said = done.out + done.err
    assert all(words in said for words in ("A title", "x > y", *problems))
    assert ("1,234 games at most" in said) == (not style)
    assert ("cannot be played" in said) == (not style)


def test_a_new_study_is_told_what_comes_next(printed):
    done = printed("study new 'a b.toml'", "new", "a b.toml")
    assert (done.code, "arena study check 'a b.toml'" in done.err) == (0, True)


@pytest.mark.parametrize("style", ["", "--json"])
def test_a_study_that_is_played_says_where_it_is(printed, style):
    played = study.Played([], SimpleNamespace, {}, folder=Path("new/mine"))
    done = printed(f"study play a.toml {style}", "play", played)
    assert (done.code, "written to new/mine: report.html" in done.err) == (0, True)
    assert ('"folder": "new/mine"' in done.out) == (style != "")


@pytest.mark.parametrize("style", ["", "--json", "--style github"])
@pytest.mark.parametrize("number", [0, 2])
def test_a_study_that_is_verified_says_what_differs(printed, number, style):
    row = again.Difference("runs/a.sqlite", "0-1-2", "result", "1-0", "0-1")
    verified = study.Verified((row,) * number, again.Difference, {}, games=1234, remarks=("one", "two"))
    done = printed(f"study verify a {style}", "verify", verified)
    assert done.code == (number > 0)
    assert done.out.count("runs/a.sqlite") == number
    assert ("nothing differs" in done.out + done.err) == (not number and style != "--json")
    assert "two" in done.out + done.err
