import pytest
from hand_made import audit_of, frames, pairs_of, run_of

from arena.comparison import of_run
from arena.comparison.ratings import comparison
from arena.tournament.pairings import duel

AGENTS = [f"alphabeta:heuristic={name},depth={depth}" for depth in (1, 2) for name in ("zero", "smart-simple")]
LEVELS = {f"depth {depth}": dict(zip(AGENTS[2 * depth - 2 : 2 * depth], ("zero", "smart-simple"), strict=True))
          for depth in (1, 2)}  # fmt: skip
OPENINGS = [f"{one}{two}" for one in "12" for two in "12345"]


def compared(path, *ends, rows=(), **given):
    games = [game for level, each in enumerate(ends) for game in pairs_of(*each, one=2 * level, two=2 * level + 1)]
    plan = {"levels": LEVELS, "search": "alphabeta"}
    run = run_of(path, AGENTS, games, openings=OPENINGS, population=900, comparison=plan)
    found = frames(audit_of(run, rows) if rows else run)
    return comparison(found, **given), found


def test_a_pairing_is_told_from_the_winners_side_level_by_level(tmp_path):
    found, run = compared(tmp_path / "run", ["00"] * 9 + ["10"], ["1=", "10", "01", "11"])
    one, two = found.pairings
    assert (one.at, one.heuristic, one.against) == ("depth 1", "smart-simple", "zero")
    turned = duel(run, AGENTS[1], AGENTS[0])
    assert (one.counts, one.elo) == (turned.counts, turned.elo)
    assert one.verdict.startswith("smart-simple beats zero ")
    assert " at depth 1 (" in one.verdict
    assert (two.at, two.heuristic, two.against) == ("depth 2", "zero", "smart-simple")
    assert two.verdict.startswith("no difference seen between zero and smart-simple: ")
    assert [met.pairs for met in found.pairings] == [10, 4]


def test_each_level_is_a_pool_of_its_own_with_the_best_first(tmp_path):
    found, _ = compared(tmp_path / "run", ["00"] * 9 + ["10"], ["1=", "10", "01", "11"])
    assert [(row.at, row.heuristic, row.pool) for row in found.ratings] == [
        ("depth 1", "smart-simple", 1), ("depth 1", "zero", 1), ("depth 2", "zero", 1), ("depth 2", "smart-simple", 1),
    ]  # fmt: skip
    assert [(row.games, row.distinct, row.kept) for row in found.ratings] == [
        (20, 20, None), (20, 20, None), (8, 8, None), (8, 8, None),
    ]  # fmt: skip
    assert sum(row.elo.value for row in found.ratings[:2]) == pytest.approx(0.0, abs=1e-9)


def test_an_anchor_holds_its_heuristic_at_every_level_and_the_margin_says_who_is_level(tmp_path):
    even = ["10"] * 10
    found, run = compared(tmp_path / "run", even, even, anchor=("zero", 100.0), margin=400.0)
    assert {row.elo.value for row in found.ratings if row.heuristic == "zero"} == {100.0}
    assert all(row.elo.low == row.elo.high == 100.0 for row in found.ratings if row.heuristic == "zero")
    assert {met.level for met in found.pairings} == {True}
    assert found.answer.startswith("zero is level with smart-simple, ")
    parts = of_run.parts(run, ("zero", 100.0), 400.0)
    assert (parts[0], parts[-1]) == (f"{found.answer}.", "Elo: zero is 100 at every level")
    levels = {
        "depth 1": LEVELS["depth 1"],
        "depth 2": dict(zip(AGENTS[2:], ("line-runs", "smart-simple"), strict=True)),
    }
    games = [game for one in (0, 2) for game in pairs_of(*["11", "10"], one=one, two=one + 1)]
    some = comparison(frames(run_of(tmp_path / "some", AGENTS, games, comparison={"levels": levels})), ("zero", 100.0))
    assert next(row.elo.value for row in some.ratings if row.heuristic == "zero") == 100.0
    assert sum(row.elo.value for row in some.ratings if row.at == "depth 2") == pytest.approx(0.0, abs=1e-9)
    narrow, _ = compared(tmp_path / "narrow", even, even, margin=1.0)
    assert {met.level for met in narrow.pairings} == {False}
    assert narrow.answer.startswith("neither zero nor smart-simple is shown to be better ")
    assert all(" would tell 1 Elo from none" in met.verdict for met in narrow.pairings)


def test_a_heuristics_moves_that_kept_the_value_stand_beside_it_where_they_are_known(tmp_path):
    games = [(0, 1, 0, "1", "1123", (5, 5)), (1, 0, 0, "1", "1124", (5, 5))]
    run = run_of(tmp_path / "run", AGENTS, games, comparison={"levels": LEVELS})
    rows = [(1, 2, 1, 0, 7, 3), (1, 3, 0, 0, 7, 7), (2, 2, 1, 1, 7, 3), (2, 3, 0, 0, 7, 7)]
    found = comparison(frames(audit_of(run, rows)))
    assert {row.heuristic: row.kept for row in found.ratings if row.at == "depth 1"} == {"zero": 0.5, "smart-simple": 1}


def test_the_margin_holds_where_a_pairing_is_told_from_the_winners_side(tmp_path):
    behind, ahead = ["00"] * 7 + ["10"] * 3, ["11"] * 7 + ["10"] * 3
    for margin, level in ((30.0, False), (1000.0, True)):
        found, _ = compared(tmp_path / f"{margin:g}", behind, ahead, margin=margin)
        one, two = found.pairings
        assert (one.heuristic, one.level) == ("smart-simple", level)
        assert (two.heuristic, two.level) == ("zero", level)


def test_the_zero_of_the_ratings_is_told_by_the_anchor_or_by_who_is_in_the_mean(tmp_path):
    sure, open_ended = ["10", "1=", "01", "11"], ["11"] * 4
    for number, (ends, given, said) in enumerate((
        ((sure, sure), {}, "0 is the mean of all heuristics at the same level"),
        ((open_ended, sure), {}, "0 is the mean of the heuristics without a mark at the same level"),
        ((sure, open_ended), {"anchor": ("smart-simple", -12.5)}, "smart-simple is -12.5 at every level"),
    )):  # fmt: skip
        found, _ = compared(tmp_path / str(number), *ends, **given)
        assert found.zero == said
        assert [row.marked for row in found.ratings] == [each is open_ended for each in ends for _ in (0, 1)]
