from hand_made import frames, run_of

from arena.analysis.rounds import Opening, openings


def test_an_opening_is_worth_what_it_is_to_the_first_player_whoever_moves(tmp_path):
    starts = (("44", 3), ("441", 2), ("12", -1), ("121", 0), ("13", None), ("14", 1))
    games = [(0, 1, 0, "1"), (1, 0, 0, "="), (0, 1, 1, "0"), (1, 0, 2, "1")]
    rows = openings(frames(run_of(tmp_path / "run", ["greedy", "random"], games, openings=starts)))
    assert rows == [
        Opening("44", 1, 2, 1, 1, 0, 0.75),
        Opening("441", -1, 1, 0, 0, 1, 0.0),
        Opening("12", -1, 1, 1, 0, 0, 1.0),
        Opening("121", 0, 0, 0, 0, 0, None),
        Opening("13", None, 0, 0, 0, 0, None),
        Opening("14", 1, 0, 0, 0, 0, None),
    ]
