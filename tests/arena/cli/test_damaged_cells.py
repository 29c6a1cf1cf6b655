"""A stored run with one wrong cell: every command reads it, or says in a line what is wrong with it."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from damaged import COMMANDS, at_most, damage, every_damage, loosened, words

from agents.errors import InputError
from arena import load
from arena.cli import main
from arena.store.damage import find
from arena.store.run_file import Store

pytestmark = pytest.mark.process

DATA = Path(__file__).parents[2] / "data"
NEVER = """class Never:
    def choose(self, board, limits):
        raise ValueError("never")
"""


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A run with everything that a run can have: an audit, times, faults, games played again."""
    folder = tmp_path_factory.mktemp("damaged")
    (folder / "bad.py").write_text(NEVER, encoding="utf-8")
    path = folder / "sound.sqlite"
    field = ["random", "alphabeta:depth=2", folder / "bad.py", "--rounds", 2, "--board", "5x4x4", "--audit"]
    with pytest.MonkeyPatch.context() as patch:
        for line in ([*field, "--times", "alone", "--out", path], ["--resume", path, "--replay", "random"]):
            patch.setattr("sys.argv", ["arena", "run", "-q", "-j", "1", *map(str, line)])
            with pytest.raises(SystemExit) as ended:
                main()
            assert ended.value.code == 0
    loosened(shutil.copy(path, folder / "loose.sqlite"))
    return path


@pytest.fixture
def box(sound, tmp_path):
    """Files for one wrong cell: where it may stand, a sound run, and a place for what commands write."""
    return SimpleNamespace(
        run=tmp_path / "run.sqlite", sound=sound, loose=sound.with_name("loose.sqlite"), out=tmp_path
    )


def refused_or_read(arena, box, command):
    """Give a command the damaged run; it succeeds, or fails with one line that names the file, and obeys no text."""
    for each in box.out.iterdir():
        if each != box.run:
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    run = shutil.copy(box.run, box.out / "copy.sqlite") if command.startswith("audit") else box.run
    Store.opened.clear()
    with at_most(60):
        done = arena(*words(command, run, box.sound, box.out))
    assert done.code in {0, 1, 2}
    assert done.code < 2 or (done.err.count("\n") == 1 and str(box.out) in done.err), done
    assert "\x1b" not in done.out + done.err
    return done


@pytest.mark.parametrize("seed", range(10))
def test_a_wrong_cell_is_read_or_named(arena, box, seed):
    chance = random.Random(seed)
    cases = list(every_damage(box.loose))
    while not damage(box.loose, box.run, *chance.choice(cases)):
        pass
    for command in chance.sample(COMMANDS, 2):
        refused_or_read(arena, box, command)


@pytest.mark.slow
def test_every_wrong_cell_is_read_or_named(arena, box):
    chance = random.Random(1)
    for case in every_damage(box.loose):
        if damage(box.loose, box.run, *case):
            for command in chance.sample(COMMANDS, 8):
                refused_or_read(arena, box, command)


@pytest.mark.parametrize(
    ("cell", "command", "said"),
    [
        (("load", "others", 0, None), "show RUN", "table load: others is None"),
        (("iteration", "ply", 0, "null"), "show RUN", "table iteration, game 5, depth "),
        (("audit", "after", 0, -(2**63)), "show RUN --table blunders", "table audit, game 5, ply 4: after is -9223"),
        (("opening", "value", 0, float("inf")), "show RUN --table openings", "table opening, id 1: value is inf"),
        (("run", "created", 0, None), "list FOLDER", "table run, id 1: created is None"),
        (("agent", "name", 0, None), "list FOLDER", "table agent, id 1: name is None"),
        (("agent", "parameters", 0, "[" * 10_000), "show RUN", "table agent, id 1: parameters is '[[[["),
    ],
)  # fmt: skip
def test_a_wrong_cell_is_named_with_its_place(arena, box, cell, command, said):
    assert damage(box.loose, box.run, *cell)
    done = refused_or_read(arena, box, command)
    assert f"{box.run} is damaged: {said}" in done.err, done
    assert len(done.err) < 300


def test_a_python_call_names_the_wrong_cell(box):
    damage(box.loose, box.run, "load", "others", 0, None)
    with pytest.raises(InputError, match="table load: others is None"):
        load(box.run).report(box.out / "page.html")


def test_a_sound_run_has_no_wrong_cell(sound, box):
    assert find(sound) is None
    assert find(box.loose) is None
    for name in ("version-1.sqlite", "version-2.sqlite"):
        assert find(DATA / name) is None


def test_a_row_of_a_game_that_is_gone_is_named(box, sound):
    shutil.copy(sound, box.run)
    with closing(sqlite3.connect(box.run)) as file:
        file.execute("DELETE FROM game WHERE id = 5")
        file.commit()
    assert find(box.run).endswith("names rows that are not in table game")


OBEYED = "\x1b]0;x\x07\x9b31m\u202e"
HELD = (
    "UPDATE agent SET name = name || ?1, spec = spec || ?1, author = ?1",
    "UPDATE game SET termination = termination || ?1, detail = detail || ?1 WHERE termination = 'exception'",
    "UPDATE fault SET traceback = traceback || ?1, output = ?1",
    "UPDATE run SET command = ?1, versions = json_set(versions, '$.numba', ?1)",
    "UPDATE session SET command = ?1",
)


@pytest.mark.parametrize(
    "command",
    ["show RUN", "show RUN --json", "show RUN --table faults", "games RUN", "games RUN --json",
     "games RUN --agent none", "replay RUN 5", "replay RUN 5 --json", "list FOLDER", "list FOLDER --json",
     "rate RUN --anchor none=1",
     "show RUN --style github", "show RUN --style csv --table agents", "show RUN --style latex",
     "diff RUN WHOLE"],
)  # fmt: skip
def test_stored_texts_cannot_command_a_terminal(arena, box, command):
    shutil.copy(box.sound, box.run)
    with closing(sqlite3.connect(box.run)) as file:
        for statement in HELD:
            file.execute(statement, (OBEYED,))
        file.commit()
    done = arena(*words(command, box.run, box.sound, box.out))
    assert not [sign for sign in OBEYED if not sign.isprintable() and sign in done.out + done.err], done


def test_a_loop_of_links_is_one_line(arena, box):
    shutil.copy(box.sound, box.run)
    loop = box.out / "a"
    loop.symlink_to("b")
    loop.with_name("b").symlink_to("a")
    for name in ("show", "games", "rate", "serve"):
        done = arena(name, loop)
        assert (done.code, done.err.count("\n")) == (2, 1), done


@pytest.mark.parametrize("digits", ["9" * 19, "9" * 5000])
def test_a_number_of_any_length_is_no_game(arena, box, digits):
    done = arena("replay", box.sound, digits)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "has no game 999" in done.err
    assert len(done.err) < 400
