"""Commands where most fours win: what they print, what a run keeps, and who refuses."""

import json

import pytest

import arena as package
from agents.board import Rules
from agents.errors import InputError
from agents.score import WIN
from arena.store.run_file import Store

BOT = """
class Bot:
    def choose(self, board, limits):
        assert board.rules.most_fours
        return max(board.legal_moves(), key=lambda column: sum(board.play(column).fours))
"""


def document(found):
    assert found.code == 0, found.err
    return json.loads(found.out)


def test_move_depths_and_python_give_the_published_answer(arena):
    spec = "smart-connect4:depth=4,heuristic=simple"
    made = document(arena("move", spec, "424717651361271", "--rules", "most-fours", "--json"))
    [row] = document(
        arena("depths", spec, "--depth", "4", "--position", "424717651361271", "--rules", "most-fours", "--json", "-q")
    )
    assert (row["move"], row["score"], row["nodes"]) == (made["move"], made["score"], made["nodes"])
    same = package.move(spec, "424717651361271", rules="most-fours")
    assert (same.move, same.score, same.nodes) == (made["move"], made["score"], made["nodes"])
    assert made["score"] != document(arena("move", spec, "424717651361271", "--json"))["score"]


def test_the_board_may_say_the_rules_or_the_option(arena):
    given = [("--rules", "most-fours"), ("--board", "7x6:most-fours"), ("--rules", "most-fours", "--board", "7x6")]
    counts = [document(arena("perft", "8", "--json", *words)) for words in given]
    assert counts[0]["sequences"] == 7**8 - 7**3  # no line ends a game; no column takes seven or eight
    assert counts[1:] == counts[:1] * 2
    small = document(arena("perft", "5", "--board", "3x2x2", "--rules", "most-fours", "--json"))
    assert small == {"depth": 5, "sequences": 90, "nodes": 1 + 3 + 9 + 24 + 54 + 90}


def test_eval_values_a_position_beyond_a_four(arena):
    rows = document(arena("eval", "12121212", "--rules", "most-fours", "--json"))
    assert {row["heuristic"] for row in rows if row["mover"] is None} == set()
    assert arena("eval", "12121212").code == 2
    table = package.evaluate("17273741", ["powers-of-ten"], rules="most-fours")
    assert table["first"][0] > 900


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    bot = folder / "bot.py"
    bot.write_text(BOT, encoding="utf-8")
    path = folder / "run.sqlite"
    agents = ["greedy", f"{bot}", "alphabeta:depth=2", "mcts:playouts=50"]
    package.run(agents, rounds=2, rules="4x4x3:most-fours", openings="plies:2", out=path)
    return path


def test_a_run_keeps_its_rules_and_every_game_fills_the_board(run):
    with Store.read(run) as store:
        assert store.rules() == Rules(4, 4, 3, most_fours=True)
        games = store.select("SELECT moves, result, termination FROM game")[1]
    assert {termination for _, _, termination in games} == {"board full"}
    assert {len(moves) for moves, _, _ in games} == {16}
    assert {result for _, result, _ in games} >= {"1-0", "0-1"}


def test_a_stored_run_is_shown_replayed_resumed_and_reported(arena, run, tmp_path):
    assert document(arena("show", run, "--json"))["games"]["played"] == 24
    replayed = arena("replay", run, "1", "--ply", "16")
    assert replayed.code == 0, replayed.err
    assert "*" in replayed.out
    assert arena("games", run).code == 0
    assert arena("run", "--resume", run, "--quiet").code == 0
    assert arena("report", run, "--out", tmp_path / "page.html").code == 0
    assert '"most_fours": true' in (tmp_path / "page.html").read_text(encoding="utf-8").replace('":true', '": true')


def test_perfect_play_is_refused_for_a_stored_run(arena, run):
    found = arena("audit", run, "-q")
    assert found.code == 2
    assert found.err.count("\n") == 1
    assert "the solver knows the standard rules alone, not most-fours" in found.err
    with pytest.raises(InputError, match="the solver knows"):
        package.load(run).audit()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("solve", "44"), "the solver knows the standard rules alone"),
        (("solve", "--random", "3"), "the solver knows the standard rules alone"),
        (("grade", "greedy"), "the solver knows the standard rules alone"),
        (("move", "perfect"), "the solver knows the standard rules alone"),
        (("move", "oneil"), "oneil knows the standard rules alone"),
        (("move", "itu-2012"), "itu-2012 knows the standard rules alone"),
        (("run", "greedy", "random", "--audit"), "the audit knows the standard rules alone"),
        (("compare", "zero", "parity", "--audit"), "the audit knows the standard rules alone"),
        (("run", "greedy", "oneil", "--out", "none.sqlite"), "oneil knows the standard rules alone"),
        (("run", "greedy", "random", "--openings", "fair:4"), "no opening book knows the positions of 4 plies"),
        (("move", "uci:true"), "UCI knows the board 7x6x4 alone, not 7x6x4:most-fours"),
        (("run", "--resume", "latest"), "there is no"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[1],
)
def test_who_knows_other_rules_alone_says_so_in_one_line(arena, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    found = arena(*words, "--rules", "most-fours")
    assert found.code == 2
    assert message in found.err
    assert found.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_options_that_contradict_each_other_are_refused(arena, run):
    found = arena("move", "greedy", "--board", "7x6:most-fours", "--rules", "standard")
    assert (found.code, found.err) == (2, "arena: --rules standard and --board 7x6x4:most-fours say different things\n")
    assert "'most-four' is not one of 'standard', 'most-fours'" in arena("move", "greedy", "--rules", "most-four").err
    resumed = arena("run", "--resume", run, "--rules", "most-fours")
    assert (resumed.code, resumed.err.count("--rules cannot change it")) == (2, 1)


def test_a_game_in_a_terminal_ends_with_the_board_and_says_the_fours(arena):
    found = arena("play", "--board", "3x2x2", "--rules", "most-fours", "greedy", "random", "--delay", "0", "--json")
    record = document(found)
    assert len(record["moves"]) == 6
    assert f"Fours: {record['fours'][0]} to {record['fours'][1]}." in found.err


def test_a_tree_shows_what_full_boards_are_worth(arena):
    moves = "347237156157356646336236215214552244477117"[:-3]
    for spec in ("alphabeta:depth=4", "smart-connect4:depth=3", "smart-connect4:depth=4", "mollerhoj"):
        made = document(arena("move", spec, moves, "--rules", "most-fours", "--json"))
        tree = document(arena("tree", spec, moves, "--rules", "most-fours", "--json"))
        assert (tree["value"], tree["move"], tree["nodes"]) == (made["score"], made["move"], made["nodes"])
    assert document(arena("move", "alphabeta:depth=4", moves, "--rules", "most-fours", "--json"))["score"] == 3 - WIN
