"""A run that is resumed with other data, by another version or on another machine says so."""

import json
import shutil
import warnings
from contextlib import closing
from pathlib import Path

import pytest
from changed import connect
from played import grown, play, played, rows
from samples import DATA

import arena as api
from agents.errors import InputError
from arena.games.extend import Growth
from arena.games.isolation import Isolation
from arena.games.run import Run
from arena.tournament.result import load

BOT = """
from pathlib import Path

class Kim:
    def __init__(self, book=""): self.column = int(Path(__file__).with_name("weights.npz").read_text())
    def choose(self, board, limits): return board.legal_moves()[self.column]
"""
MESSAGE = r"^kim\.py.* has changed since its 2 games; --replay kim\.py.* deletes them and plays again, or --out begins"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("kim.py").write_text(BOT)
    Path("weights.npz").write_text("0")
    return tmp_path


def begun(here, *agents, **plan):
    return played(here / "run.sqlite", *agents, isolation=Isolation(nobody=True, folder=str(here)), games=2, **plan)


def change(path, statement):
    with closing(connect(path)) as connection, connection:
        connection.executescript(statement)


def older(path):
    change(path, "UPDATE session SET versions = json_set(versions, '$.connect4-arena', '0.0.1')")


def sessions(path):
    return rows(path, "SELECT command, json_extract(versions, '$.connect4-arena') FROM session ORDER BY id")


@pytest.mark.parametrize(("agent", "name"), [("kim.py", "weights.npz"), ("kim.py:book=book.txt", "book.txt")])
def test_data_that_has_changed_is_refused_as_a_changed_source_is(here, agent, name):
    Path("book.txt").write_text("e4")
    run = begun(here, "greedy", agent)
    Path(name).write_text("-1")
    with pytest.raises(InputError, match=MESSAGE):
        grown(run)
    assert len(rows(grown(run, replay=(agent,)), "SELECT id FROM game")) == 4
    grown(run, rounds=3)


def test_data_that_was_not_there_is_a_change(here):
    Path("kim.py").write_text(BOT.replace("int(", "len(__file__[:0]) or 0 and int("))
    Path("weights.npz").unlink()
    run = begun(here, "greedy", "kim.py")
    Path("weights.npz").write_text("-1")
    with pytest.raises(InputError, match=MESSAGE):
        grown(run)


def test_agents_of_another_version_do_not_go_on(here):
    run = begun(here, "greedy", "random")
    older(run)
    message = r"greedy, random played with connect4-arena 0\.0\.1, and this is .*--replay NAME .* 0\.0\.1 continues$"
    with pytest.raises(InputError, match=message):
        grown(run)
    again = Run.resume(run, Growth(replay=("greedy",), command="go on"))
    assert "connect4-arena" in again.warning
    assert "times are not comparable" in again.warning
    play(again)
    assert [command for command, _ in sessions(run)] == ["", "go on"]
    assert Run.resume(run).store.close() is None


def test_all_games_played_again_need_no_leave(here):
    run = begun(here, "greedy", "random")
    older(run)
    assert len(rows(grown(run, replay=("greedy",)), "SELECT id FROM game")) == 4


def test_a_whole_run_is_left_as_it_is_by_any_version(here):
    run = played(here / "run.sqlite", "greedy", "random")
    older(run)
    again = Run.resume(run)
    assert (again.store.close(), again.warning) == (None, "")
    assert len(sessions(run)) == 1
    with pytest.raises(InputError, match="played with connect4-arena"):
        grown(run, rounds=3)


def test_agents_of_files_and_other_machines_only_warn(here):
    run = begun(here, "kim.py", "kim.py")
    older(run)
    change(run, "UPDATE session SET machine = json_set(machine, '$.processor', 'Z80')")
    found = Run.resume(run)
    found.store.close()
    assert "processor" in found.warning
    assert "(was Z80)" in found.warning
    assert "\n" not in found.warning
    assert "played in 2 sessions, with different versions and machines" in _shown(run)
    again = Run.resume(run)
    again.store.close()
    assert again.warning == ""


def _shown(path):
    from arena.tournament.tables import parts

    return [part for part in parts(load(path).frames) if isinstance(part, str)]


def test_python_refuses_and_warns_as_the_command_does(here):
    run = begun(here, "greedy", "random")
    older(run)
    with pytest.raises(InputError, match=r"connect4-arena 0\.0\.1 continues"):
        api.run(resume=run)
    with pytest.warns(UserWarning, match="connect4-arena .*: times are not comparable"):
        api.run(resume=run, replay=["random"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api.run(resume=run, rounds=3)


def test_the_command_warns_once_and_shows_all_sessions(here, arena):
    run = begun(here, "greedy", "random")
    older(run)
    words = ("run", "--resume", str(run), "-q", "-j", "1", "--json")
    assert arena(*words).code == 2
    went = arena(*words, "--replay", "greedy")
    assert (went.code, went.err.count("warning:")) == (0, 1)
    assert "2 games deleted, to be played again" in went.err
    assert next(each["versions"]["connect4-arena"] for each in json.loads(went.out)["sessions"]) == "0.0.1"
    assert "Session 2" in Path(load(run).report(here / "page.html")).read_text()


def test_a_run_of_an_early_version_gets_its_session_too_and_its_agents_do_not_go_on(tmp_path):
    path = Path(shutil.copy(DATA / "openings.sqlite", tmp_path / "run.sqlite"))
    Run.resume(path).store.close()
    assert len(sessions(path)) == 1
    with pytest.raises(InputError, match=r"played with connect4-arena 0\.1\.0, and this is"):
        grown(path, rounds=99)
