"""Studies: the file, the language of claims, playing and going on."""

import json
import math

import pytest

from agents.errors import InputError
from arena.api import study
from arena.measure.study.claims import Claim, Estimate, verdicts
from arena.measure.study.file import read

SMALL = """
title = "Greedy beats random"
hypotheses = ["greedy is stronger"]

[agents]
a = "greedy"
b = "random"
c = "alphabeta:depth=1..2"

[games]
agents = ["a", "b"]
openings = "plies:2"
rounds = 12

[depths]
agents = ["c"]
depth = "1..3"

[[claims]]
text = "greedy is stronger"
check = "elo('a', 'b') > 0"

[[claims]]
text = "a search to depth 1 visits 8 positions"
check = "states('c', depth=1) == 8"
"""


@pytest.fixture
def written(tmp_path):
    def write(text, name="small.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


def test_a_study_is_played_into_a_folder_and_says_what_its_claims_come_to(written):
    file = written(SMALL)
    found = study.play(file, workers=1)
    assert [row.verdict for row in found.rows] == ["stands", "stands"]
    assert found.rows[0].low > 0.0
    assert found.rows[1].value == 8.0
    assert found.rows[1].p is None
    assert found.folder == file.with_suffix("")
    assert json.loads((found.folder / "study.json").read_text())["done"] == ["games", "depths-c"]


def test_a_changed_study_is_refused_until_it_is_amended_and_both_are_kept(written):
    file = written(SMALL)
    folder = study.play(file, workers=1).folder
    written(SMALL.replace("rounds = 12", "rounds = 10"))
    with pytest.raises(InputError, match="was changed since it was first played"):
        study.play(file, workers=1)
    study.play(file, workers=1, amend=True)
    state = json.loads((folder / "study.json").read_text())
    assert state["amendments"][0]["again"] == ["games"]
    assert (folder / "amended" / "1" / "study.toml").read_text() == SMALL
    assert {path.name for path in (folder / "amended" / "1").iterdir()} >= {"games.sqlite"}
    assert "rounds = 10" in (folder / "study.toml").read_text()


def test_ranges_are_named_by_what_varies_and_equal_settings_meet(written):
    text = SMALL.replace('b = "random"', 'b = "alphabeta:heuristic=parity,depth=1..2"').replace(
        'agents = ["a", "b"]', 'agents = ["b", "c"]\nstop = "sprt:elo0=0,elo1=30"'
    )
    found = read(written(text.replace("elo('a', 'b')", "elo('b:depth=2', 'c:depth=2')")))
    assert list(found.agents) == ["a", "b:depth=1", "b:depth=2", "c:depth=1", "c:depth=2"]
    assert [run.agents for run in found.runs] == [("b:depth=1", "c:depth=1"), ("b:depth=2", "c:depth=2")]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("rounds = 12", "round = 12", "no key 'round': did you mean rounds"),
        ("rounds = 12", "rounds = 'many'", "rounds is a whole number"),
        ("elo('a', 'b')", "elo('a', 'd')", "no agent that plays 'd'"),
        ("elo('a', 'b')", "elo('a', 'c:depth=1')", "no agent that plays 'c:depth=1'"),
        ("elo('a', 'b') > 0", "__import__('os')", "compares nothing"),
        ("elo('a', 'b')", "elo('a', 'b').real", "has no meaning here"),
        ("elo('a', 'b')", "eloo('a', 'b')", "no quantity 'eloo': did you mean elo"),
        ("elo('a', 'b') > 0", "1 > 0", "measures nothing"),
        ("states('c', depth=1)", "states('c')", "states needs a depth"),
        ("states('c', depth=1)", "share('c:depth=1')", "is taken from [grade]"),
        ('a = "greedy"', 'a = "greedi"', "did you mean greedy"),
        ('agents = ["c"]', 'agents = ["x"]', "no agent 'x'"),
    ],
)
def test_a_mistake_in_a_study_is_named_with_what_is_near(written, old, new, line):
    with pytest.raises(InputError) as error:
        read(written(SMALL.replace(old, new)))
    assert line in str(error.value)
    assert "\n" not in str(error.value)


def normal(value, error):
    """Return an estimate whose interval is that of a normal distribution."""
    from arena.statistics.intervals import normal_width

    return Estimate(value, lambda alpha: (value - normal_width(alpha) * error, value + normal_width(alpha) * error), "")


def told(*pairs):
    """Return the verdicts of claims that a quantity is above 0, of which each has a value and an error."""
    claims = [Claim.of(n, {"check": f"nodes('{n}') > 0"}) for n in range(1, len(pairs) + 1)]
    known = {claim.quantities[0]: normal(*pair) for claim, pair in zip(claims, pairs, strict=True)}
    return verdicts(claims, known)


def test_p_is_the_two_sided_chance_of_a_normal_estimate():
    [row] = told((2.5, 1.0))
    assert math.isclose(row.p, math.erfc(2.5 / math.sqrt(2.0)), rel_tol=1e-6)


def test_holm_lets_the_clearest_claims_count_among_several():
    rows = told((2.1, 1.0), (3.5, 1.0), (-4.0, 1.0), (0.1, 1.0))
    assert [row.alone for row in rows] == ["stands", "stands", "falls", "cannot tell"]
    assert [row.verdict for row in rows] == ["cannot tell", "stands", "falls", "cannot tell"]


def test_sums_and_products_take_the_worst_ends_and_share_the_level():
    claim = Claim.of(1, {"check": "nodes('a') < 0.5 * nodes('b')"})
    one, other = claim.quantities
    known = {one: normal(40.0, 1.0), other: normal(100.0, 2.0)}
    shown = claim.shown(known)
    assert math.isclose(shown[0], -10.0)
    assert math.isclose(shown[2], -10.0 + 2.2414 * 2.0, abs_tol=1e-3)  # both at 97.5 %
    assert claim.holds(known, 0.05) is True
    assert claim.holds({**known, one: normal(47.0, 1.0)}, 0.05) is None
    assert claim.holds({**known, one: normal(60.0, 1.0)}, 0.05) is False


def test_a_chain_stands_within_its_bounds_and_falls_outside():
    claim = Claim.of(1, {"check": "0.6 < score('a') < 0.8"})
    [score] = claim.quantities
    assert claim.holds({score: normal(0.7, 0.01)}, 0.05) is True
    assert claim.holds({score: normal(0.9, 0.01)}, 0.05) is False
    assert claim.holds({score: normal(0.79, 0.01)}, 0.05) is None


def test_a_study_checks_itself(written):
    found = study.check(written(SMALL))
    assert found.problems == []
    assert found.runs == [{"name": "games", "agents": ["a", "b"], "games": 24}]
    assert study.check(written(SMALL.replace("rounds = 12", "rounds = 1000"))).problems
    study.new(written("", "x.toml").with_name("new.toml"))
    assert study.check(file := written("", "x.toml").with_name("new.toml")).problems == [], file
