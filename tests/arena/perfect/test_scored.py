import json

import pytest
from slow_solver import SlowSolver

import arena as package
from agents.board import Board, Rules
from agents.errors import InputError
from arena.perfect.exercises import questions
from arena.perfect.scored import read_positions

SMALL = Rules(4, 4)


def test_drawn_positions_have_the_scores_of_a_slow_search_also_in_threads():
    table = package.solve_random(40, seed=3, plies=range(6, 14), rules="4x4", threads=1)
    slow = SlowSolver(SMALL)
    for row in table.itertuples():
        board = Board.from_moves(row.position, SMALL)
        assert (row.score, 6 <= board.ply <= 13) == (slow.score(board.own, board.opp), True)
        after = {column: board.play(column) for column in board.legal_moves()}
        expected = {
            column: -slow.score(each.own, each.opp) if each.outcome is None else row.columns[column]
            for column, each in after.items()
        }
        assert tuple(row.columns) == tuple(expected.get(column) for column in range(4))
        assert row.score == max(expected.values())
    assert table.equals(package.solve_random(40, seed=3, plies=range(6, 14), rules="4x4", threads=3))
    longer = package.solve_random(50, seed=3, plies=range(6, 14), rules="4x4", threads=1)
    assert longer[:40].equals(table)
    assert not package.solve_random(40, seed=4, plies=range(6, 14), rules="4x4", threads=1).equals(table)
    assert len({min(b.key, b.mirror().key) for b in (Board.from_moves(m, SMALL) for m in longer["position"])}) == 50


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        ("a.json", '[{"position": "12", "score": 1, "columns": [1, 0, 0, -2]}, {"position": "2"}]',
         [("12", 1, (1, 0, 0, -2)), ("2", None, None)]),
        ("a.JSON", '\ufeff\n [{"position": "1111", "columns": [null, 1, -2, 0]}]', [("1111", None, (None, 1, -2, 0))]),
        ("a.jsonl", ('{"position": "12", "score": 1, "columns": null}\n\n{"position": "12", "score": 7}\n'
                    '{"position": "", "score": 0}\n'), [("12", 1, None), ("", 0, None)]),
        ("a", "12 1\n\n21   -2 # lost\n1111\n1111 5\n", [("12", 1, None), ("21", -2, None), ("1111", None, None)]),
        ("a.txt", "1 +8\n", [("1", 8, None)]),
        ("a.txt", "\ufeff12 1\n\n 1\n12 1\n", [("12", 1, None), ("", 1, None)]),
        ("a.txt", " 0 -1 0 0 -1 # level\n1111 +1 - +1 -2 0\n",
         [("", 0, (-1, 0, 0, -1)), ("1111", 1, (None, 1, -2, 0))]),
        ("a.txt", "....\n....\nX...\nXOO. # drawn\n", [("1213", None, None)]),
    ],
)  # fmt: skip
def test_a_file_has_each_position_once_with_the_scores_that_it_names_first(name, text, rows, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert [(board.text, *scores) for board, *scores in read_positions(tmp_path / name, SMALL)] == rows


def test_moves_of_wide_boards_have_commas(tmp_path):
    wide = Rules(11, 4)
    (tmp_path / "a.json").write_text(json.dumps([{"position": "11,1,10", "score": 0, "columns": [0] * 11}]))
    (tmp_path / "a.txt").write_text("11,1,10 0 " + " ".join("0" * 11))
    for name in ("a.json", "a.txt"):
        assert [row[0].text for row in read_positions(tmp_path / name, wide)] == ["11,1,10"]
        assert [row[1:] for row in read_positions(tmp_path / name, wide)] == [(0, (0,) * 11)]


def test_positions_of_another_board_or_of_most_fours_are_refused(tmp_path):
    (tmp_path / "a.txt").write_text("6 1\n")
    assert [board.text for board, *_ in read_positions(tmp_path / "a.txt")] == ["6"]
    with pytest.raises(InputError, match="line 1: move 1: column 6 does not exist"):
        read_positions(tmp_path / "a.txt", SMALL)
    with pytest.raises(InputError, match="the standard rules alone, not most-fours"):
        read_positions(tmp_path / "a.txt", Rules(7, 6, most_fours=True))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "44\n48 1\n", r"a\.txt, line 2: move 2: column 8 does not exist"),
        ("a.txt", "1212121\n", r"a\.txt, line 1: the game is already over"),
        ("a.txt", "", "it names no position"),
        ("a.json", "[]", "it names no position"),
        ("a.txt", "44 1\n44 two\n", r"a\.txt, line 2: '44 two' is not moves without blanks"),
        ("a.txt", "44 1 0 0 0 1 0 0\n", "is not moves without blanks"),
        ("a.csv", "position,score,columns\n44,1,\n", r"a\.csv, line 1: "),
        ("a.jsonl", '{"position": "44"', "a.jsonl does not hold positions: JSONDecodeError"),
        ("a.json", "[" * 100_000, "does not hold positions: RecursionError"),
        ("a.jsonl", '\n{"position": "44", "score": 1, "columns": [1, 0]}', "line 2: 2 columns have scores"),
        ("a.json", '[{"position": "44"}, {"position": "44", "columns": [1]}]', "position 2: 1 columns have scores"),
        ("a.jsonl", '{"position": "44", "score": 3, "columns": [0,0,0,1,0,0,0]}', "the score is 3, but not the best"),
        ("a.jsonl", '{"position": "44", "columns": [0,0,0,null,0,0,0]}', "not those that can be played"),
        ("a.jsonl", '{"moves": "44"}', r"a\.jsonl does not hold positions: a row has no 'position'"),
        ("a.jsonl", '{"position": "44", "score": 1.5}', "does not hold positions: .*1.5 is no score"),
        ("a.jsonl", '{"position": "44", "score": true}', "does not hold positions: .*True is no score"),
        ("a.jsonl", '{"position": "44", "score": -21}', "-21 is no score of '44', which is from -20 to 20"),
        ("a.txt", "44 1 0 0 0 99 0 0 0", "99 is no score of '44'"),
        ("a.jsonl", "44", "does not hold positions: AttributeError"),
        ("missing.txt", None, r"missing\.txt cannot be read: No such file"),
        ("", None, "cannot be read: Is a directory"),
        ("a.txt", "44 1\n1212121 0\n", r"line 2: the game is already over \(first player won\)"),
        ("a.jsonl", '{"position": "44", "columns": [0,0,0,1,0,0,0,0]}', "8 columns have scores"),
        ("a.jsonl", '{"position": "444444", "columns": [0,0,0,1,0,0,0]}', "7 columns have scores, which are not those"),
        ("a.jsonl", '{"position": "44", "score": 0, "columns": [-3,-2,-1,-1,-2,-3,-3]}', "the score is 0, but not the"),
    ],
)
def test_what_no_file_of_positions_has_is_refused_with_its_place(name, text, message, tmp_path):
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message) as raised:
        read_positions(tmp_path / name)
    path, reason = str(tmp_path / name), "does not hold positions"
    assert (str(raised.value).startswith(path), str(raised.value).count(path)) == (True, 1)
    assert str(raised.value).count(reason) == message.count(reason)


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".txt", ""])
def test_a_folder_is_no_file_of_positions(tmp_path, suffix):
    path = tmp_path / f"positions{suffix}"
    path.mkdir()
    with pytest.raises(InputError, match=rf"^{path} cannot be read: Is a directory$"):
        read_positions(path)


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".txt"])
def test_a_file_that_is_no_text_is_refused_in_a_short_line(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"SQLite format 3\0\xfb\xae" * 5000)
    with pytest.raises(InputError) as raised:
        read_positions(path)
    assert str(raised.value).startswith(f"{path} does not hold positions: ")
    assert len(str(raised.value)) < len(str(path)) + 300
    assert "\n" not in str(raised.value)


def test_a_grade_takes_positions_from_a_file_and_solves_only_what_it_does_not_know(tmp_path):
    path = tmp_path / "positions.jsonl"
    rows = package.solve_random(40, seed=3, plies=range(6, 14), rules="4x4").to_dict("records")
    lines = [row if place < 30 else {"position": row["position"], "score": row["score"]}
             for place, row in enumerate(rows)]  # fmt: skip
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    boards, scores = questions(path, 1, None, SMALL)
    assert (len(boards), len(scores)) == (40, 30)
    late, _ = questions(path, 1, [12], SMALL)
    assert {board.ply for board in late} == {12}
    with pytest.raises(InputError, match="has no position of 3 to 3 plies"):
        questions(path, 1, [3], SMALL)
