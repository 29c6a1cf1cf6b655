"""Pools that are read from a file of counts or of games."""

import pytest

from agents.errors import InputError
from arena.statistics.pool import Total
from arena.statistics.ratings import rate_totals
from arena.tournament import pool


def csv_of(tmp_path, text):
    path = tmp_path / "counts.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_counts_are_read_by_the_names_of_their_columns(tmp_path):
    text = "losses, b, note, wins, a, draws\n3, B, x, 7, A, 0\n2, C, , 8, A, 0\n4, C, , 6, B, 0\n"
    expected = rate_totals([Total("A", "B", 7, 0, 3), Total("A", "C", 8, 0, 2), Total("B", "C", 6, 0, 4)])
    assert pool.of_file(csv_of(tmp_path, text)) == expected
    assert pool.of_file(csv_of(tmp_path, "\ufeff" + text)) == expected


def test_names_may_be_words_that_spreadsheets_take_for_nothing(tmp_path):
    found = pool.of_file(csv_of(tmp_path, 'a,b,wins,draws,losses\nNA,"None, or nan",3,1,2\n'))
    assert [rating.agent for rating in found.ratings] == ["NA", "None, or nan"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no column 'a'; it takes a,b,wins,draws,losses"),
        ("a,b,wins,losses\nA,B,1,2\n", "there is no column 'draws'"),
        ("a,b,wins,draws,losses\n", "needs games between at least two agents"),
        ("a,b,wins,draws,losses\nA,B,0,0,0\n", "needs games between at least two agents"),
        ("a,b,wins,draws,losses\nA,B,1,0,x\n", "line 2: it is not two names and three counts"),
        ("a,b,wins,draws,losses\nA,B,1,0,2\nA,C,1,0\n", "line 3: it is not"),
        ("a,b,wins,draws,losses\nA,,1,0,2\n", "line 2: it is not"),
        ("a,b,wins,draws,losses\nA,B,1.5,0,2\n", "line 2: it is not"),
        ("a,b,wins,draws,losses\nA,B,-1,0,2\n", "line 2: it is not"),
        ("a,b,wins,draws,losses\nA,B,nan,0,2\n", "line 2: it is not"),
        ("a,b,wins,draws,losses\nA,A,1,0,2\n", "A cannot be rated by games against itself"),
        ("a,b,wins,draws,losses\nA,B,1,0,2\nC,D,1,0,2\n", r"2 parts that never met: A, B \| C, D"),
        (b"a,b,wins,draws,losses\n\xff\xfe,B,1,0,2\n", "cannot be read as CSV"),
        ("a,b,wins,draws,losses\n\nA,B,1,0,2\n\nA,C,one,0,2\n", "line 5: it is not"),
        ('a,b,wins,draws,losses\n"A\nA",B,1,0,2\nA,,1,0,2\n', "line 4: it is not"),
    ],
)
def test_counts_that_cannot_be_rated_are_told_in_one_line(tmp_path, text, message):
    with pytest.raises(InputError, match=message) as raised:
        pool.of_file(csv_of(tmp_path, text))
    assert "\n" not in str(raised.value)


def test_names_of_agents_have_no_blanks_around_them_and_games_without_a_result_do_not_count(tmp_path):
    games = [(" ann ", "bob", "1-0"), ("bob", "ann", "1/2-1/2"), ("ann", " bob", "0-1"), ("ann", "bob", "*")]
    text = "".join(f'[White "{a}"]\n[Black "{b}"]\n[Result "{end}"]\n\n{end}\n\n' for a, b, end in games)
    (tmp_path / "games.PGN").write_text(text)
    (tmp_path / "counts.CSV").write_text("a, b, wins, draws, losses\n ann , bob, 1, 1, 1\n")
    for name in ("games.PGN", "counts.CSV"):
        rated = pool.of_file(tmp_path / name).ratings
        assert {(row.agent, row.games, row.score) for row in rated} == {("ann", 3, 0.5), ("bob", 3, 0.5)}
        held = {row.agent: row.elo.value for row in pool.of_file(tmp_path / name, ("bob", 700.0)).ratings}
        assert held == {"ann": pytest.approx(700.0), "bob": 700.0}
