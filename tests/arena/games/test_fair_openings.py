import pytest

from agents.board import Rules
from agents.errors import InputError
from arena.games.openings import candidates, draw, strata, values
from arena.games.plan import Plan
from arena.games.run import Run
from arena.tournament.frames import Frames


@pytest.mark.parametrize(("plies", "openings"), [(3, 29), (4, 101), (6, 972)])
def test_fair_openings_are_the_drawn_ones(plies, openings):
    boards = candidates(f"fair:{plies}")
    assert len(boards) == openings
    assert set(values(boards)) == {0}


@pytest.mark.parametrize(("plies", "number"), [(3, 36), (4, 100)])
def test_pairs_give_each_colour_as_many_won_openings(plies, number):
    boards = draw(f"fair:{plies}:pairs", number, seed=3)
    first_wins = [value if board.mover == 0 else -value for board, value in zip(boards, values(boards), strict=True)]
    assert first_wins == [1, -1] * (number // 2)
    assert len({board.key for board in boards}) == number


def test_a_file_is_read_that_is_called_as_a_set_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fair:2:pairs").write_text("44\n12\n123\n")
    assert strata("fair:2:pairs") == [3]


def test_there_are_as_many_pairs_as_the_rarer_kind_has():
    with pytest.raises(InputError, match="fair:4:pairs has 236"):
        draw("fair:4:pairs", 237, seed=1)


def test_openings_that_take_turns_are_counted_by_who_wins_them():
    assert strata("fair:4:pairs") == [349, 118]
    assert strata("fair:4") == [101]
    assert strata("plies:2") == [25]


@pytest.mark.parametrize(
    ("text", "kinds", "won"),
    [
        ("fair:4:pairs", [349, 118], "the first player wins 2, 0 are drawn, the second wins 2"),
        ("fair:3:pairs", [18, 74], "the first player wins 2, 0 are drawn, the second wins 2"),
        ("fair:4", [101], "the first player wins 0, 4 are drawn, the second wins 0"),
    ],
)
def test_a_run_tells_of_how_many_openings_of_all_kinds_together_its_own_were_drawn(arena, tmp_path, text, kinds, won):
    path = tmp_path / "run.sqlite"
    whole = len(candidates(text))
    Run.begin(Plan(("alphabeta:depth=1", "alphabeta:depth=2"), openings=text, rounds=4), path).store.close()
    found = Frames.read(path)
    assert (found.plan["population"], found.plan["strata"], found.population) == (whole, kinds, tuple(kinds))
    line = f"4 openings of the {whole} of {text}, each played twice; with perfect play {won}"
    assert line in arena("show", path).out.splitlines()


def test_the_values_of_plain_openings_are_the_published_mix():
    boards = candidates("plies:4")
    assert [values(boards).count(value) for value in (1, 0, -1)] == [349, 101, 118]  # four plies: the first moves next


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fair:4:both", "it is fair:N or fair:N:pairs"),
        ("fair:4:", "it is fair:N or fair:N:pairs"),
        ("fair:x", "openings fair:x: N is a whole number from 0 to 8"),
        ("fair:", "openings fair:: N is a whole number"),
        ("fair:9", "openings fair:9: N is a whole number from 0 to 8"),
        ("fair:0", "no position of 0 plies is a draw"),
        ("fari:4", "did you mean fair:4"),
        ("FAIR:4:pairs", "did you mean fair:4:pairs"),
    ],
)
def test_a_set_that_is_none_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        candidates(text)


def test_pairs_need_openings_that_either_player_wins():
    with pytest.raises(InputError, match="one of the players wins none of them"):
        draw("fair:0:pairs", 1, seed=1)


def test_without_a_book_nothing_is_known_to_be_fair():
    rules = Rules(6, 5)
    assert set(values(candidates("plies:2", rules))) == {None}
    for text in ("fair:2", "fair:2:pairs", "fair:0:pairs"):
        said = f"^openings {text}: no opening book knows the positions of {text[5]} plies on 6x5x4$"
        with pytest.raises(InputError, match=said):
            candidates(text, rules)
        with pytest.raises(InputError, match=said):
            strata(text, rules)
