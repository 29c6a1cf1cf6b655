from hand_made import frames, pairs_of, run_of

from arena.tournament.frames import Frames
from arena.tournament.rounds import Met, Rounds, rounds
from arena.tournament.tables import rounds_parts

AGENTS = ["greedy", "random", "mcts"]


def of(path, games, agents=AGENTS, **plan):
    return rounds(frames(run_of(path, agents, games, **plan)))


def matches(*ends):
    """Return matches of two openings, each of two places and the ends of their pairs of games."""
    return [game for one, two, *pairs in ends for game in pairs_of(*pairs, one=one, two=two)]


def test_a_match_has_the_points_of_both_and_the_places_stand_at_the_end(tmp_path):
    found = of(tmp_path / "run", matches((1, 0, "1=", "11")), AGENTS[:2], format="knockout", rounds=2)
    assert found.matches == (Met(1, "random", "greedy", 2, 3.5, 0.5),)
    assert found.places == ("random", "greedy")
    turned = of(tmp_path / "turned", matches((1, 0, "00", "0=")), AGENTS[:2], format="knockout", rounds=2)
    assert turned.matches == (Met(1, "random", "greedy", 2, 0.5, 3.5),)
    assert turned.places == ("greedy", "random")


def test_games_count_that_are_not_read_with_their_moves(tmp_path):
    path = run_of(tmp_path / "run", AGENTS[:2], matches((1, 0, "1=", "11")), format="knockout", rounds=2)
    assert rounds(Frames.read(path, most=1)) == rounds(Frames.read(path)) != Rounds()


def test_a_tournament_that_goes_on_has_no_places_yet(tmp_path):
    some = matches((1, 0, "1=", "11"))[:-1]
    found = of(tmp_path / "run", some, AGENTS[:2], format="knockout", rounds=2)
    assert found.matches == (Met(1, "random", "greedy", 1, 2.5, 0.5),)
    assert found.places == ()


def test_where_pairings_were_known_beforehand_there_are_no_rounds(tmp_path):
    for number, plan in enumerate(({"format": "round-robin"}, {}, {"format": "knockout", "pairs": [[0, 1]]},
                                   {"format": "mine.py:Knockout"})):  # fmt: skip
        assert of(tmp_path / str(number), pairs_of("11", "11"), AGENTS[:2], **plan, rounds=2) == Rounds()


def test_a_swiss_tournament_is_told_round_by_round(tmp_path):
    agents = ["greedy", "random", "mcts", "minimax"]
    ends = [(one, two) for one in range(4) for two in range(one)]
    games = [game for one, two in ends for game in pairs_of("11", one=one, two=two)]
    found = of(tmp_path / "run", games, agents, format="swiss", rounds=1, seed=3)
    assert [met.round for met in found.matches] == [1, 1, 2, 2]
    drawn = [(met.one, met.two) for met in found.matches[:2]]
    assert drawn == [("minimax", "greedy"), ("mcts", "random")]  # by the seed
    assert {(met.pairs, met.points_one, met.points_two) for met in found.matches} == {(1, 2.0, 0.0)}
    assert all(agents.index(met.one) > agents.index(met.two) for met in found.matches)
    assert found.places[0] == "minimax"


def test_the_places_are_told_by_the_kind_of_the_tournament_without_its_number_of_rounds(tmp_path):
    games = matches((1, 0, "11"))
    table, places = rounds_parts(frames(run_of(tmp_path / "run", AGENTS[:2], games, format="swiss:1", rounds=1)))
    assert table.title == "Rounds: swiss:1, in the order of play"
    assert places == "Places by the swiss: 1. random, 2. greedy"
