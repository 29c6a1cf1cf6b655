"""A stored run is checked where it is read: nothing wrong goes into a table without a word."""

import random
import shutil
import sqlite3
from contextlib import closing

import pytest
from recorded import tried

from agents import failure
from agents.board import Board, Rules
from agents.errors import InputError
from agents.language.replies import Status
from arena.records import Termination, is_termination
from arena.store import validation
from arena.store.run_file import Store
from arena.store.validation import final_board, refuse_damaged

READERS = ("show RUN", "games RUN", "report RUN --out PAGE", "diff RUN OTHER", "elo RUN", "rate RUN", "replay RUN 1",
           "show RUN --table faults", "audit RUN", "run --resume RUN -j 1 -q")  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Play 40 games, and return their file."""
    from arena import run

    path = tmp_path_factory.mktemp("played") / "run.sqlite"
    run(["greedy", "random", "alphabeta:depth=2"], rounds=7, out=path, seed=4, progress=False)
    return path


@pytest.fixture
def run_path(played, tmp_path):
    return shutil.copy(played, tmp_path / "run.sqlite")


def change(path, *statements):
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("PRAGMA ignore_check_constraints = 1")
        for statement in statements:
            file.execute(statement)


def read(arena, path, command):
    places = {"RUN": str(path), "OTHER": str(path), "PAGE": str(path.parent / "page.html")}
    return arena(*(places.get(word, word) for word in command.split()))


def refused(done, *said):
    assert (done.code, done.err.count("\n")) == (2, 1), done
    assert all(text in done.err for text in said), done.err


@pytest.mark.parametrize("command", [each for each in READERS if each != "audit RUN"])  # which takes five seconds
def test_a_sound_run_is_read(arena, run_path, command):
    assert read(arena, run_path, command).code == 0


@pytest.mark.parametrize("command", READERS)
def test_swapped_results_are_named_with_the_file_and_the_game(arena, run_path, command):
    change(run_path, "UPDATE game SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END WHERE id >= 3")
    refused(read(arena, run_path, command), f"{run_path}, game 3: its result is ")


@pytest.mark.parametrize("command", READERS)
def test_a_file_that_lacks_its_last_byte_is_refused(arena, run_path, command):
    run_path.write_bytes(run_path.read_bytes()[:-1])
    refused(read(arena, run_path, command), f"{run_path} is damaged: its end is cut off")


def test_a_file_cut_off_anywhere_is_refused_or_left_out_of_the_list(arena, run_path):
    whole, chance = run_path.read_bytes(), random.Random(1)
    for size in [*(chance.randrange(100, len(whole)) for _ in range(20)), len(whole) - 4096, 4096]:
        run_path.write_bytes(whole[:size])
        refused(read(arena, run_path, "show RUN"), str(run_path))
        done = arena("list", run_path.parent)
        assert (done.err.count(str(run_path)), "Traceback" in done.err) == (1, False), (size, done)


@pytest.mark.parametrize("word", ["illegal mave", "Line completed", "", "line completed ", "crashed (SEGV)"])
def test_an_unknown_ending_is_damage_and_no_fault(arena, run_path, word):
    change(run_path, f"UPDATE game SET termination = '{word}' WHERE id = 5")
    for command in READERS:
        refused(read(arena, run_path, command), f"{run_path}, game 5: it is damaged: no game ends by ")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE game SET moves = '1111111' WHERE id = 4", "game 4: move 7: column 1 is full"),
        ("UPDATE game SET moves = substr(moves, 1, 10) WHERE id = 4", "game 4: its result is"),
        (
            "UPDATE game SET opening = opening % 7 + 1, first = 99 WHERE id = 4",
            "game 4: it is damaged: its result, agents",
        ),
        ("UPDATE opening SET moves = '7654' WHERE id = 2", ": it does not begin with its opening"),
        ('UPDATE move SET "column" = "column" % 7 + 1 WHERE (game, ply) = (4, 9)', "game 4: its decisions are not"),
        ("DELETE FROM move WHERE (game, ply) = (4, 9)", "game 4: its decisions are not its moves"),
        ("UPDATE move SET nodes = -5 WHERE (game, ply) = (4, 9)", "game 4: it is damaged: a decision has fewer"),
        ("UPDATE game SET result = '2-0' WHERE id = 4", "game 4: it is damaged: its result, agents"),
        ("UPDATE agent SET parameters = '{' WHERE id = 2", "the parameters of agent 2 cannot be read"),
        ("UPDATE run SET machine = '{'", "what it was made with cannot be read"),
        ("UPDATE run SET plan = '{'", "its plan cannot be read"),
    ],
)
def test_what_cannot_have_been_played_is_named(arena, run_path, statement, said):
    change(run_path, "PRAGMA foreign_keys = OFF", statement)
    for command in ("show RUN", "games RUN"):
        refused(read(arena, run_path, command), str(run_path), said)


def test_flipped_bits_are_refused_in_a_line_or_change_nothing_that_sqlite_checks(arena, run_path):
    whole, chance, seen = run_path.read_bytes(), random.Random(5), 0
    for _ in range(80):
        place = chance.randrange(100, len(whole))
        changed = bytearray(whole)
        changed[place] ^= 1 << chance.randrange(8)
        run_path.write_bytes(changed)
        done = read(arena, run_path, "show RUN")
        if done.code:
            refused(done, str(run_path))
            seen += 1
        with closing(sqlite3.connect(run_path)) as file:
            try:
                sound = file.execute("PRAGMA quick_check").fetchall() == [("ok",)]
            except sqlite3.Error:
                sound = False
        assert sound or done.code == 2, place
    assert seen > 10


def test_of_more_games_a_sample_is_played_again_and_all_where_all_are_asked_for(run_path, monkeypatch):
    change(run_path, "UPDATE game SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END WHERE id = 9")
    monkeypatch.setattr(validation, "CHECKED", 20)
    with Store.read(run_path) as store:
        games = [row[0] for row in validation.games_to_play_again(store, validation.sample(store, 20))]
        assert 10 < len(games) < 30
        assert 9 not in games
        refuse_damaged(store)
        with pytest.raises(InputError, match="game 9: its result"):
            refuse_damaged(store, whole=True)


def test_every_ending_that_the_arena_writes_is_known():
    written = [*Termination, failure.MEMORY, failure.PROTOCOL, failure.CROWD, failure.TIME, failure.ILLEGAL]
    written += [failure.ended(code) for code in (0, 3, 255, -9, -11, -34, -64, -120)]
    written += [f"{status} reply" for status in Status if status not in (Status.OK, Status.ILLEGAL)]
    assert [word for word in written if not is_termination(word)] == []


FOUR = "1212121"
ENDS = {
    "a line": (FOUR, "1-0", "line completed"), "a line of the second": ("31212121"[:8], "0-1", "line completed"),
    "another result": (FOUR, "0-1", "line completed"), "a draw": (FOUR, "1/2-1/2", "board full"),
    "not over": ("121212", "1-0", "line completed"), "not full": ("121212", "1/2-1/2", "board full"),
    "a fault of the second": ("1", "1-0", "illegal move"), "a fault of the first": ("12", "0-1", "exception"),
    "a fault of the other": ("12", "1-0", "time limit"), "a fault that is drawn": ("12", "1/2-1/2", "gave up"),
    "a fault after the end": (FOUR, "1-0", "illegal move"), "no moves": ("", "0-1", "time limit"),
    "a column too many": ("8", "1-0", "line completed"), "a full column": ("1111111", "1-0", "exception"),
    "no column": ("x", "1-0", "line completed"), "a line said to be a full board": (FOUR, "1-0", "board full"),
    "a worker killed on either move": ("12", "1-0", "worker killed"),
    "killed and drawn": ("12", "1/2-1/2", "worker killed"),
}  # fmt: skip


def test_moves_that_cannot_give_a_result_are_named_with_what_they_give():
    found = {name: tried(lambda end=end: final_board("a game", Rules(), *end).text) for name, end in ENDS.items()}
    assert found == {
        "a line": FOUR,
        "a line of the second": "31212121",
        "another result": "InputError: a game: its result is 0-1, but after its moves it is 1-0",
        "a draw": "InputError: a game: its result is 1/2-1/2, but after its moves it is 1-0",
        "not over": "InputError: a game: its result is 1-0, but after its moves it is not over",
        "not full": "InputError: a game: its result is 1/2-1/2, but after its moves it is not over",
        "a fault of the second": "1",
        "a fault of the first": "12",
        "a fault of the other": "InputError: a game: its result is 1-0, but after its moves it is 0-1",
        "a fault that is drawn": "InputError: a game: its result is 1/2-1/2, but after its moves it is 0-1",
        "a fault after the end": (
            "InputError: a game: it ends by a fault, but its moves had already ended it (first player won)"
        ),
        "no moves": "",
        "a column too many": "InputError: a game: move 1: column 8 does not exist (1 to 7)",
        "a full column": "InputError: a game: move 7: column 1 is full",
        "no column": "InputError: a game: move 1: 'x' is not a column (1 to 7)",
        "a line said to be a full board": (
            "InputError: a game: it is damaged: its last move does not end it by 'board full'"
        ),
        "a worker killed on either move": "12",
        "killed and drawn": "InputError: a game: its result is 1/2-1/2, but after its moves it is 0-1",
    }
    assert final_board("a game", Rules(5, 4), "33", "0-1", "exception") == Board.from_moves("33", Rules(5, 4))


GAMES = [  # the last two have lines of both sides, and a line before the last move
    (Rules(), "1212121", "1-0"), (Rules(), "31212121"[:8], "0-1"), (Rules(), "7162534", "1-0"),
    (Rules(5, 4, 3), "12131", "1-0"), (Rules(12, 4, 4), "1,2,1,2,1,2,1", "1-0"), (Rules(), "12121211", "1-0"),
    (Rules(), "1212121", "0-1"), (Rules(), "", "1-0"), (Rules(), "1111111", "1-0"), (Rules(), "0", "1-0"),
    (Rules(), "121212", "1-0"), (Rules(2, 2, 2, most_fours=True), "1122", "1/2-1/2"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "moves", "result"), GAMES)
def test_the_quick_look_at_a_game_never_passes_what_boards_refuse(rules, moves, result):
    if validation._is_won_at_last(rules, moves, result, "line completed"):
        assert final_board("a game", rules, moves, result, "line completed").text == moves


def test_the_quick_look_agrees_with_boards_on_random_games():
    chance, passed = random.Random(3), 0
    for _ in range(400):
        rules = chance.choice([Rules(), Rules(5, 4, 3), Rules(9, 6, 5)])
        board = Board(rules)
        while board.outcome is None:
            board = board.play(chance.choice(board.legal_moves()))
        moves = list(board.text)
        if chance.random() < 0.5:
            moves[chance.randrange(len(moves))] = chance.choice("123456789")
        result = chance.choice(["1-0", "0-1"])
        text = "".join(moves)
        exact = tried(lambda r=rules, t=text, e=result: final_board("a", r, t, e, "line completed").text)
        assert validation._is_won_at_last(rules, text, result, "line completed") == (exact == text)
        passed += exact == text
    assert passed > 50
