"""A stored run is checked where it is read: nothing wrong goes into a table without a word."""

import random
import shutil
import sqlite3
from contextlib import closing, nullcontext

import pytest

from agents import failure
from agents.board import Board, Rules
from agents.errors import InputError
from agents.language.replies import Status
from arena.records import Termination, is_termination
from arena.store import validation
from arena.store.run_file import Store
from arena.store.schema import AUDIT
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
    change(run_path, "UPDATE game SET termination = 'a' WHERE id IN (7, 9)")
    refused(read(arena, run_path, "show RUN"), f"game 5: it is damaged: no game ends by {word!r}")


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
        ("DELETE FROM move WHERE game = 4", "game 4: its decisions are not its moves"),
        (
            "DELETE FROM move WHERE game = 4 AND ply = (SELECT max(ply) FROM move WHERE game = 4)",
            "game 4: its decisions are not its moves",
        ),
        ("UPDATE move SET ply = 99 WHERE (game, ply) = (4, 9)", "game 4: its decisions are not its moves"),
        ("UPDATE move SET nodes = -5 WHERE (game, ply) = (4, 9)", "game 4: it is damaged: a decision has fewer"),
        ("UPDATE move SET depth = -1 WHERE (game, ply) = (4, 9)", "game 4: it is damaged: a decision has fewer"),
        ("UPDATE move SET nanoseconds = -1 WHERE (game, ply) = (4, 9)", "game 4: it is damaged: a decision has fewer"),
        ("UPDATE game SET second = 99 WHERE id = 4", "game 4: it is damaged: its result, agents or opening"),
        ("UPDATE game SET opening = 99 WHERE id = 4", "game 4: it is damaged: its result, agents or opening"),
        ("UPDATE game SET result = '2-0' WHERE id = 4", "game 4: it is damaged: its result, agents"),
        ("UPDATE agent SET parameters = '{' WHERE id = 2", "the parameters of agent 2 cannot be read"),
        ("UPDATE run SET versions = '{'", "what it was made with cannot be read"),
        ("UPDATE run SET machine = '{'", "what it was made with cannot be read"),
        ("UPDATE run SET plan = '{'", "its plan cannot be read"),
    ],
)
def test_what_cannot_have_been_played_is_named(arena, run_path, statement, said):
    change(run_path, "PRAGMA foreign_keys = OFF", statement)
    for command in ("show RUN", "games RUN"):
        refused(read(arena, run_path, command), str(run_path), said)


@pytest.mark.parametrize("change_of", [
    "replace(sql, 'TABLE move', 'TABLE \"move\"')", "replace(sql, 'nodes', '\"nodes\"')", "replace(sql, ',', ' ,\n')",
])  # fmt: skip
def test_a_table_whose_names_are_quoted_or_set_apart_is_the_same(run_path, change_of):
    change(run_path, "PRAGMA writable_schema = 1", f"UPDATE sqlite_schema SET sql = {change_of} WHERE name = 'move'")
    with Store.read(run_path) as store:
        refuse_damaged(store)


def test_columns_that_only_some_versions_have_are_no_damage_and_others_are(run_path):
    more = [f"ALTER TABLE audit ADD COLUMN {name} INTEGER" for name in ("score", "after_score", "best")]
    for statements in (
        ["ALTER TABLE game DROP COLUMN round"], [AUDIT], ["ALTER TABLE audit DROP COLUMN keepers"], more,
        ["ALTER TABLE game ADD COLUMN round INTEGER", "ALTER TABLE audit ADD COLUMN keepers TEXT"],
    ):  # fmt: skip
        change(run_path, *statements)
        with Store.read(run_path) as store:
            validation._refuse_other_tables(store, sealed=True)
    change(run_path, "ALTER TABLE game ADD COLUMN rounds INTEGER")
    with Store.read(run_path) as store, pytest.raises(InputError, match=r"its table game is defined in another way$"):
        validation._refuse_other_tables(store, sealed=True)


@pytest.mark.parametrize("name", sorted(validation.tables_of_runs()))
def test_a_table_with_other_columns_is_damage_and_so_is_one_that_is_not_there(run_path, name):
    needed, _ = validation._definitions()
    kind = "VIEW" if name == "search" else "TABLE"
    with Store.read(run_path) as store:
        change(run_path, "PRAGMA foreign_keys = OFF", f"DROP {kind} IF EXISTS {name}")
        for sealed in (True, False):  # a file without digests may lack their table
            lacks = name in needed and (sealed or name != "digest")
            with pytest.raises(InputError, match=f"is damaged: it has no table {name}$") if lacks else nullcontext():
                validation._refuse_other_tables(store, sealed=sealed)
        change(run_path, f"CREATE {kind} {name} AS SELECT 1 AS id")
        with pytest.raises(InputError, match=f"^{run_path} is damaged: its table {name} is defined in another way$"):
            refuse_damaged(store)


def test_flipped_bits_are_refused_in_a_line_or_change_nothing_that_sqlite_checks(arena, run_path):
    whole, chance, seen = run_path.read_bytes(), random.Random(5), 0
    for _ in range(80):
        place = chance.randrange(100, len(whole))
        changed = bytearray(whole)
        changed[place] ^= 1 << chance.randrange(8)
        run_path.write_bytes(changed)
        done = read(arena, run_path, "games RUN")  # which checks a file as all do, and computes the least
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
    others = [f"{word}{more}" for word in written for more in ("x", " ", "\n", ", it says")]
    others += [f"x{word}" for word in written]
    others += ["", "crashed", "crashed ()", "crashed (sigsegv)", "left (exit code )", "late reply", "out of"]
    assert [word for word in others if is_termination(word)] == []


FOUR = "1212121"


@pytest.mark.parametrize(("moves", "result", "termination"), [
    (FOUR, "1-0", "line completed"), ("31212121", "0-1", "line completed"),
    ("1", "1-0", "illegal move"), ("12", "0-1", "exception"), ("", "0-1", "time limit"),
    ("12", "1-0", "worker killed"), ("12", "0-1", "worker killed"),
])  # fmt: skip
def test_moves_that_give_a_result_are_a_board(moves, result, termination):
    assert final_board("a game", Rules(), moves, result, termination) == Board.from_moves(moves, Rules())
    assert final_board("a game", Rules(5, 4), "33", "0-1", "exception") == Board.from_moves("33", Rules(5, 4))


@pytest.mark.parametrize(("moves", "result"), [("112233", "1/2-1/2"), ("123132", "0-1")])
def test_where_most_fours_win_a_full_board_ends_a_game_and_no_line_does(moves, result):
    rules = Rules(3, 2, 2, most_fours=True)
    assert final_board("a game", rules, moves, result, "board full") == Board.from_moves(moves, rules)
    with pytest.raises(InputError, match=r"^a game: it is damaged: its last move does not end it by 'line completed'$"):
        final_board("a game", rules, moves, result, "line completed")


@pytest.mark.parametrize(("moves", "result", "termination", "line"), [
    (FOUR, "0-1", "line completed", "its result is 0-1, but after its moves it is 1-0"),
    (FOUR, "1/2-1/2", "board full", "its result is 1/2-1/2, but after its moves it is 1-0"),
    ("121212", "1-0", "line completed", "its result is 1-0, but after its moves it is not over"),
    ("121212", "1/2-1/2", "board full", "its result is 1/2-1/2, but after its moves it is not over"),
    ("12", "1-0", "time limit", "its result is 1-0, but after its moves it is 0-1"),
    ("12", "1/2-1/2", "gave up", "its result is 1/2-1/2, but after its moves it is 0-1"),
    ("12", "1/2-1/2", "worker killed", "its result is 1/2-1/2, but after its moves it is 0-1"),
    (FOUR, "1-0", "illegal move", "it ends by a fault, but its moves had already ended it (first player won)"),
    ("8", "1-0", "line completed", "move 1: column 8 does not exist (1 to 7)"),
    ("1111111", "1-0", "exception", "move 7: column 1 is full"),
    ("x", "1-0", "line completed", "move 1: 'x' is not a column (1 to 7)"),
    (FOUR, "1-0", "board full", "it is damaged: its last move does not end it by 'board full'"),
])  # fmt: skip
def test_moves_that_cannot_give_a_result_are_named_with_what_they_give(moves, result, termination, line):
    with pytest.raises(InputError) as raised:
        final_board("a game", Rules(), moves, result, termination)
    assert str(raised.value) == f"a game: {line}"


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
        try:
            sound = final_board("a", rules, text, result, "line completed").text == text
        except InputError:
            sound = False
        assert validation._is_won_at_last(rules, text, result, "line completed") == sound
        passed += sound
    assert passed > 50
