from hand_made import frames, run_of

from arena.table.parts import cells
from arena.table.rows import columns
from arena.tournament.rounds import Opening, openings
from arena.tournament.standings import start


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
    first, draw, second = "first player wins", "draw", "second player wins"
    assert {column.header: column.cells for column in cells(rows, columns(Opening))} == {
        "opening": [moves for moves, _ in starts], "with perfect play": [first, second, second, draw, "-", first],
        "games": ["2", "1", "1", "0", "0", "0"], "first wins": ["1", "0", "1", "0", "0", "0"],
        "draws": ["1", "0", "0", "0", "0", "0"], "second wins": ["0", "1", "0", "0", "0", "0"],
        "first player's score": ["75.0 %", "0.0 %", "100.0 %", "-", "-", "-"],
    }  # fmt: skip


def test_on_wide_boards_moves_are_counted_as_moves_be_it_one_alone(tmp_path):
    starts = (("10,1", 1), ("10,11,1", 1), ("1,2", -1), ("12", 1), ("11", -1))
    rules = {"columns": 12, "rows": 4, "connect": 4}
    found = frames(run_of(tmp_path / "run", ["greedy", "random"], [], openings=starts, rules=rules, strata=[9, 9]))
    assert [row.worth for row in openings(found)] == [1, -1, -1, -1, 1]
    assert found.winners == {"1": True, "2": False, "3": False, "4": False, "5": True}
    assert (start(found).first_wins, start(found).draws, start(found).second_wins) == (2, 0, 3)
