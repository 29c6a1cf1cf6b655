import json

import pytest
from hand_made import run_of


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    games = [(0, 1, 0, "1", "1212121", (5, 6, 7, 8, 9))]
    return run_of(tmp_path_factory.mktemp("runs") / "run.sqlite", ["greedy", "random"], games, openings=("12",))


def test_a_game_is_shown_all_at_once_where_nobody_can_press_a_key(arena, path):
    done = arena("replay", path, 1)
    assert done.code == 0
    assert "X: greedy" in done.out
    assert [line for line in done.out.splitlines() if line.startswith("ply")] == [
        "ply 2: X to move", "ply 3: O to move", "ply 4: X to move", "ply 5: O to move", "ply 6: X to move",
        "ply 7: first player won",
    ]  # fmt: skip
    assert "X plays 1, depth 1, 9 nodes, score 0, 9 ms" in done.out.replace("\n", " ")


def test_one_position_alone(arena, path):
    done = arena("replay", path, 1, "--ply", 1)
    assert done.out.splitlines()[0] == "ply 1: O to move"
    assert done.out.splitlines()[-1] == "opening: O plays 2"


def test_json_has_every_move_of_the_game(arena, path):
    found = json.loads(arena("replay", path, 1, "--json").out)
    assert {key: found[key] for key in ("game", "first", "second", "result")} == {
        "game": 1, "first": "greedy", "second": "random", "result": "1-0",
    }  # fmt: skip
    assert list(found["moves"][2]) == ["ply", "column", "agent", "score", "depth", "nodes", "seconds", "value", "after"]
    assert "".join(str(move["column"]) for move in found["moves"]) == "1212121"


def test_solved_the_columns_have_their_exact_scores(arena, path):
    found = json.loads(arena("replay", path, 1, "--ply", 6, "--solve", "--json").out)
    [move] = found["moves"]
    assert move["scores"][0] == 18  # four at once, with 36 cells left: half of them are mine
    assert max(score for score in move["scores"] if score is not None) == 18
    shown = arena("replay", path, 1, "--ply", 6, "--solve").out
    assert "18" in next(line for line in shown.splitlines() if line.endswith("exact"))


def test_a_ply_beyond_the_end_is_refused(arena, path):
    done = arena("replay", path, 1, "--ply", 8)
    assert (done.code, done.out) == (2, "")
    assert "--ply goes from 0 to 7" in done.err


def press(monkeypatch, keys):
    """Let a person press these keys in a terminal."""
    keys = iter(keys)
    monkeypatch.setattr("click.getchar", lambda: next(keys))
    monkeypatch.setattr("click.clear", lambda: None)


def browse(path, monkeypatch, capsys, keys):
    """Return the plies that were shown after each key, the last of which is to quit."""
    from arena.analysis.games import replay
    from arena.cli.terminal.play import Screen
    from arena.cli.terminal.viewer import Viewer
    from arena.store.run_file import Store

    press(monkeypatch, keys)
    with Store.read(path) as store:
        viewer = Viewer(replay(store, 1), Screen(err=False, colour=False), solved=False)
    viewer.browse()
    return [int(line[4 : line.index(":")]) for line in capsys.readouterr().out.splitlines() if line.startswith("ply ")]


def test_keys_go_through_the_game_and_never_beyond_its_ends(path, monkeypatch, capsys):
    keys = ["n", "\x1b[C", "b", "e", "n", "s", "b", "?", "q"]
    assert browse(path, monkeypatch, capsys, keys) == [2, 3, 4, 3, 7, 7, 0, 0, 0]


def test_a_person_plays_on_from_here(path, monkeypatch, capsys):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("1\nquit\n"))
    shown = browse(path, monkeypatch, capsys, ["n", "n", "n", "n", "p", "2", "q"])
    assert shown[-1] == 6


def test_a_key_says_why_a_move_lost_and_that_another_lost_nothing(tmp_path, monkeypatch, capsys):
    from arena.analysis.games import replay
    from arena.cli.terminal.play import Screen
    from arena.cli.terminal.viewer import Viewer
    from arena.store.run_file import Store

    path = run_of(
        tmp_path / "run.sqlite", ["greedy", "random"], [(0, 1, 0, "1", "4455362", (1,) * 4)], openings=("445",)
    )
    press(monkeypatch, ["w", "n", "w", "e", "w", "q"])
    monkeypatch.setattr("click.pause", lambda: None)
    with Store.read(path) as store:
        Viewer(replay(store, 1), Screen(err=False, colour=False), solved=False).browse()
    shown = capsys.readouterr().out.split("w why  p play on  q quit")
    assert "X forces it: 3, and 2 or 6 wins\n" in shown[1]
    assert "This move kept the value" in shown[3]
    assert "there is no move at ply 7" in shown[5]


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        ("30", ["X plays 1, depth 1, 9 nodes, score 0, 9", "ms"]),  # 40 columns are served at least
        ("80", ["X plays 1, depth 1, 9 nodes, score 0, 9 ms"]),
    ],
)
def test_a_move_takes_the_width_of_the_terminal(arena, path, monkeypatch, columns, lines):
    monkeypatch.setenv("COLUMNS", columns)
    assert arena("replay", path, 1, "--ply", 6).out.splitlines()[-len(lines) :] == lines
