import csv
import json
import re
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from changed import connect
from hand_made import run_of

from arena.games import openings
from arena.store.schema import AUDIT
from arena.table import parts
from arena.table.render import write
from arena.table.styles import STYLES, Style, csv_grid
from arena.tournament import game_tables as report_games
from arena.tournament import games

FIELDS = ["game", "first", "second", "opening", "moves", "result", "termination", "detail", "plies", "blunders"]
GAMES = [(0, 1, 0, "1", "1212121", (5, 6, 7, 8, 9)), (1, 0, 0, "0", "12131475", (5, 6, 7, 8, 9, 10))]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return run_of(tmp_path_factory.mktemp("games") / "run.sqlite", ["greedy", "random"], GAMES, openings=("12",))


@pytest.fixture(scope="module")
def audited(path):
    """The same; in the second game the first player threw away a draw and then the second a win."""
    copy = path.with_name("audited.sqlite")
    copy.write_bytes(path.read_bytes())
    connection = connect(copy)
    with connection:
        connection.execute(AUDIT)
        connection.execute("INSERT INTO audit SELECT game, ply, 0, 0, 7, 7, '1 2 3 4 5 6 7' FROM move")
        connection.execute("UPDATE audit SET after = -1, keeping = 2, keepers = '4 6' WHERE game = 2 AND ply = 2")
        connection.execute(
            "UPDATE audit SET value = 1, after = -1, keeping = 1, keepers = '5' WHERE game = 2 AND ply = 3"
        )
    connection.close()
    return copy


def test_json_has_the_fields_of_every_game(arena, path):
    found = json.loads(arena("games", path, "--json").out)
    assert [list(game) for game in found] == [FIELDS] * 2
    assert found[0] == {
        "game": 1, "first": "greedy", "second": "random", "opening": "12", "moves": "1212121", "result": "1-0",
        "termination": "line completed", "detail": "", "plies": 7, "blunders": None,
    }  # fmt: skip


def test_json_is_one_document_whether_any_game_is_found_or_more_than_are_written_at_once(arena, path, tmp_path):
    assert arena("games", path, "--result", "draw", "--json").out == "[]\n"
    many = run_of(tmp_path / "many.sqlite", ["greedy", "random"], [
        (0, 1, number, "1", "1212121", (5,)) for number in range(1_001)
    ], openings=["12"] * 1_001)  # fmt: skip
    assert [game["game"] for game in json.loads(arena("games", many, "--json").out)] == list(range(1, 1_002))


def test_a_limit_lists_the_first_games_of_those_that_are_wanted(arena, path):
    done = arena("games", path, "--limit", 1)
    assert [line.split()[0] for line in done.out.splitlines()[2:] if line] == ["1"]
    assert done.err == "the first 1 game\n"
    assert [game["game"] for game in json.loads(arena("games", path, "--json", "--limit", 1).out)] == [1]
    assert [
        game["game"] for game in json.loads(arena("games", path, "--result", "loss", "--limit", 1, "--json").out)
    ] == [2]
    assert arena("games", path, "--limit", 9).err == "2 games\n"
    assert arena("games", path, "--limit", 0).code == 2


@pytest.mark.parametrize(("style", "lines"), [("plain", 1), ("github", 1), ("csv", 2)])
def test_a_table_of_many_games_has_the_first_and_csv_has_all(arena, audited, monkeypatch, style, lines):
    monkeypatch.setattr(report_games, "LONGEST", 1)
    monkeypatch.setattr(parts, "LONGEST", 1)
    monkeypatch.setattr(games, "PIECE", 1)
    done = arena("games", audited, "--style", style)
    assert sum("random" in line for line in done.out.splitlines()) == lines
    assert ("the first 1 of 2 rows: --style csv has all" in done.out) == (lines == 1)
    assert done.err == "2 games\n"


def test_a_style_of_a_package_for_programs_has_all_games(arena, audited, monkeypatch):
    monkeypatch.setattr(report_games, "LONGEST", 1)
    monkeypatch.setitem(STYLES, "lines", Style(csv_grid, data=True))
    assert arena("games", audited, "--style", "lines").out == arena("games", audited, "--style", "csv").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "2 games"), (["--agent", "greedy"], "2 games"), (["--result", "win"], "1 game won by the first player"),
        (["--agent", "greedy", "--result", "win"], "2 games won by greedy"),
        (["--result", "loss", "--limit", 1], "the first 1 game lost by the first player"),
        (["--agent", "random", "--result", "draw"], "0 games drawn by random"),
        (["--opponent", "greedy", "--result", "loss"], "1 game lost by the first player"),
    ],
)  # fmt: skip
def test_the_last_line_counts_the_games_and_says_how_they_ended_for_whom(arena, path, words, said):
    assert arena("games", path, *words).err == f"{said}\n"


def test_of_many_games_that_were_thrown_away_the_worst_are_shown_and_the_others_counted(audited, monkeypatch):
    game = games.Game(1, "a:depth=1", "b:depth=1", "", "12", "1-0", "line completed", "", 2, ())
    lost = {1: (1, 0), 2: (1, -1), 3: (0, -1), 4: (1, -1)}
    rows = [
        replace(game, game=number, blunders=(games.Blunder(number, 3, "a:depth=1", value, after),))
        for number, (value, after) in lost.items()
    ]
    rows[1] = replace(rows[1], blunders=(*rows[1].blunders, games.Blunder(9, 1, "b:depth=1", 1, 0)))
    assert [row.game for row in report_games.worst_first(rows)] == [2, 4, 1, 3]
    monkeypatch.setattr(report_games, "MOST", 2)
    table, shared, more = report_games.thrown(rows, ["a:depth=1", "b:depth=1"], Path("a run.sqlite"))
    assert table.title == "Games thrown away: those in which both sides' blunders cost most"
    assert (shared, more) == ("all agents have depth=1", "and 2 more: arena games 'a run.sqlite' --blunders")
    lines = write([table], "csv", "thrown").splitlines()
    assert [line.split(",")[0] for line in lines[1:] if line] == ["2", "4"]
    shown = {column.header: column.cells for column in parts.cells(table.rows, table.columns)}
    assert [column.header for column in table.columns] == [
        "game", "first", "second", "result", "blunders", "first", "replay",
    ]  # fmt: skip
    assert shown["blunders"] == ["2", "1"]
    assert shown["replay"] == [f"arena replay 'a run.sqlite' {number} --ply {number}" for number in (2, 4)]
    monkeypatch.setattr(report_games, "MOST", 4)
    assert report_games.thrown(rows, [], Path("a"))[-1] == ""


def test_an_audited_game_has_its_blunders(arena, audited):
    first, second = json.loads(arena("games", audited, "--json").out)
    assert first["blunders"] == []
    assert second["blunders"] == [
        {"ply": 2, "column": 1, "agent": "random", "value": 0, "after": -1},
        {"ply": 3, "column": 3, "agent": "greedy", "value": 1, "after": -1},
    ]


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--agent", "greedy", "--result", "win"], [1, 2]),
        (["--agent", "random", "--opponent", "greedy", "--result", "win"], []),
        (["--agent", "greedy", "--opponent", "random"], [1, 2]),
        (["--agent", "greedy", "--opponent", "greedy"], []),
        (["--blunders", "--agent", "greedy"], [2]),
        (["--faults"], []),
    ],
)
def test_games_are_filtered(arena, audited, options, found):
    assert [game["game"] for game in json.loads(arena("games", audited, *options, "--json").out)] == found


def test_the_table_has_a_line_a_game_and_its_first_blunder(arena, audited):
    done = arena("games", audited)
    lines = done.out.splitlines()
    assert lines[0].split() == ["game", "first", "second", "moves", "result", "end", "plies", "first", "blunder"]
    assert lines[3].rstrip().endswith("ply 2: column 1, draw to loss")
    assert done.err == "2 games\n"


def test_games_that_were_thrown_away_come_worst_first_with_the_way_to_see_it(arena, audited, tmp_path):
    done = arena("show", audited, "--table", "blunders")
    assert done.out.count("arena replay") == 1
    assert f"arena replay {audited} 2 --ply 2" in done.out
    with closing(connect(shutil.copy(audited, tmp_path / "both.sqlite"))) as file, file:
        file.execute("UPDATE audit SET value = 1 WHERE game = 1 AND ply = 2")
    rows = json.loads(arena("show", tmp_path / "both.sqlite", "--table", "blunders", "--json").out)
    assert [game["game"] for game in rows] == [2, 1]


def test_a_replay_as_a_document_has_the_audit(arena, audited):
    [move] = json.loads(arena("replay", audited, 2, "--ply", 3, "--json").out)["moves"]
    assert (move["value"], move["after"]) == (1, -1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--agent", "gredy"], "did you mean greedy"),
        (["--blunders"], "is not audited"),
        (["--result", "victory"], "victory"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_line(arena, path, options, message):
    done = arena("games", path, *options)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


def test_an_agent_goes_by_its_label_too(arena, tmp_path):
    agents = ["minimax:depth=2,order=centre", "minimax:depth=2,order=left-to-right"]
    path = run_of(tmp_path / "run.sqlite", agents, [(0, 1, 0, "1"), (1, 0, 0, "1")])
    options = ("--agent", "minimax:order=centre", "--result", "win", "--json")
    assert [game["first"] for game in json.loads(arena("games", path, *options).out)] == agents[:1]


def test_csv_has_all_blunders_of_a_game_in_a_cell_as_json(arena, audited):
    as_json, as_csv = (arena("games", audited, *words).out for words in (["--json"], ["--style", "csv"]))
    header, *rows = csv.reader(as_csv.splitlines())
    assert header == FIELDS
    assert [json.loads(row[-1]) for row in rows] == [game["blunders"] for game in json.loads(as_json)]
    assert [row[:-1] for row in rows] == [[*map(str, game.values())][:-1] for game in json.loads(as_json)]


@pytest.mark.parametrize("style", ["csv", "json", "pgn", "plain"])
def test_games_that_are_read_in_pieces_are_one_document(arena, audited, monkeypatch, style):
    whole = arena("games", audited, "--style", style)
    monkeypatch.setattr(games, "PIECE", 1)
    assert arena("games", audited, "--style", style) == whole


def test_no_sequence_that_an_agent_printed_reaches_a_terminal_and_json_keeps_what_it_was(arena, path):
    said, copy = "it\x1b[2J failed\u202e \x9b1m so", path.with_name("printed.sqlite")
    copy.write_bytes(path.read_bytes())
    connection = connect(copy)
    with connection:
        connection.execute("UPDATE game SET termination = 'exception', detail = ? WHERE id = 1", [said])
    connection.close()
    for words in (["games", copy, "--json"], ["games", copy, "--wide"], ["show", copy, "--table", "faults"]):
        shown = arena(*words).out
        assert "failed" in shown or "--wide" in words
        assert not {"\x1b", "\u202e", "\x9b"} & {*shown}, words
    assert json.loads(arena("games", copy, "--json").out)[0]["detail"] == said


def test_games_are_written_as_pgn_and_read_back_and_rated(arena, path, tmp_path):
    done = arena("games", path, "--style", "pgn")
    assert (done.code, done.err) == (0, "")
    first, second = done.out.split("[Event ")[1:]
    assert '[Round "1"]' in first
    for tag in ('[White "greedy"]', '[Black "random"]', '[Result "1-0"]', '[Variant "cfour"]', '[PlyCount "7"]'):
        assert tag in first
    assert "1. P@a1 P@b1 {the opening ends here}" in first.replace("\n", " ")
    assert "{line completed} 1-0" in first.replace("\n", " ")
    assert '[White "random"]' in second
    book = tmp_path / "games.pgn"
    book.write_text(done.out)
    assert [board.text for board in openings.candidates(f"{book};plies=4")] == ["1212", "1213"]
    counted = {row["agent"]: (row["games"], row["score"]) for row in json.loads(arena("rate", book, "--json").out)}
    played = {row["agent"]: (row["games"], row["score"]) for row in json.loads(arena("rate", path, "--json").out)}
    assert counted == played
    assert "pgn" in arena("games", "--help").out
    assert "pgn" not in arena("list", "--help").out
    assert arena("show", path, "--style", "pgn").code == 2


@pytest.mark.parametrize(("text", "message"), [
    ("1. P@a1 1-0", "line 1: the game has no tags White and Black"),
    ('[White "a"]\n[Black "b"]\n\n1. e4 *', "line 4: e4 is no legal drop"),
    ('[White "a"]\n[Black "b"]\n\n*', "two agents|nothing|no games"),
])  # fmt: skip
def test_pgn_that_cannot_be_rated_is_one_line(arena, tmp_path, text, message):
    (tmp_path / "bad.pgn").write_text(text)
    done = arena("rate", tmp_path / "bad.pgn")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert re.search(message, done.err)
