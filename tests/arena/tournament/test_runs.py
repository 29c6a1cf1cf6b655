"""What is asked of stored runs: games by conditions, the state, and reasons to reject one."""

import inspect
import shutil
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from changed import connect
from played import play, played
from samples import DATA

from agents.board import Rules
from agents.errors import InputError
from arena.games.isolation import Isolation
from arena.games.run import Run
from arena.games.settings import checked
from arena.store import live
from arena.store.run_file import Store
from arena.tournament import runs
from arena.tournament.frames import Frames
from arena.tournament.result import load, opened, run_path

pytestmark = pytest.mark.usefixtures("here")


FIELD, COMPARED, MATCH = (DATA / "runs" / f"{name}.sqlite" for name in ("field", "comparison", "match"))  # fmt: skip
SMALL = Rules(5, 4)
DEEP, SHALLOW = "alphabeta:depth=3,order=centre", "alphabeta:depth=1,order=centre"
FILTERED = [
    ({"limit": 3}, [1, 2, 3]),
    ({"limit": 0}, []),
    ({"result": "draw"}, [57, 79, 99, 100]),
    ({"result": "win", "limit": 4}, [2, 6, 7, 9]),
    ({"agent": "greedy", "limit": 3}, [9, 10, 19]),
    ({"agent": "greedy", "opponent": "random"}, [37, 38, 79, 80, 121, 122, 163, 164]),
    ({"opponent": "random", "limit": 4}, [7, 8, 17, 18]),
    ({"agent": "mine.py", "result": "loss", "limit": 3}, [11, 12, 21]),
    ({"faults": True, "limit": 4}, [21, 29, 35, 39]),
    ({"agent": "mine.py", "faults": True, "limit": 2}, [21, 29]),
    ({"agent": "greedy", "faults": True}, []),
    ({"blunders": True, "limit": 3}, [1, 2, 3]),
    ({"agent": SHALLOW, "opponent": DEEP, "blunders": True}, [3, 4, 45, 46, 87, 88, 129, 130]),
    ({"agent": "greedy", "opponent": "greedy"}, []),
]


def listed(path, **conditions):
    with runs.games(path, **conditions) as (games, names):
        assert len(names) == len(Frames.read(path).agents)
        numbers = [game.game for game in games]
        assert games.count() == len(numbers)
        return numbers


@pytest.mark.parametrize(("conditions", "games"), FILTERED, ids=str)
def test_games_are_those_that_meet_all_conditions(conditions, games):
    assert listed(FIELD, **conditions) == games


@pytest.mark.parametrize("asked", ["agent", "opponent"])
def test_games_of_an_agent_that_is_not_in_the_run_are_refused_with_those_that_are(asked):
    with pytest.raises(InputError, match=r"'nobody': there are alphabeta:depth=1,order=centre, .*, random$"):
        listed(FIELD, **{asked: "nobody"})


def test_an_agent_of_a_condition_is_named_in_full_or_as_in_tables():
    label, name = "alphabeta:heuristic=zero,depth=1", "alphabeta:order=centre,heuristic=zero,depth=1"
    other = "alphabeta:heuristic=smart-aware,depth=1"
    for typed in (label, name):
        assert listed(COMPARED, agent=other, opponent=typed) == [5, 6, 17, 18, 29, 30, 41, 42, 53, 54]
    assert listed(COMPARED, agent=label) == listed(COMPARED, agent=name) != []


def test_games_as_pgn_have_their_run_and_number_as_tags_and_their_fault_beside_their_end():
    with runs.games(FIELD, faults=True, limit=2) as (games, _):
        texts = list(runs.as_pgn(games))
    for text, number, depth in zip(texts, (21, 29), (2, 3), strict=True):
        head, moves = text.rstrip().split("\n\n")
        assert head.splitlines() == [
            '[Event "field"]', '[Site "?"]', '[Date "????.??.??"]', f'[Round "{number}"]',
            f'[White "alphabeta:depth={depth},order=centre"]', '[Black "mine.py"]', '[Result "1-0"]',
            '[Variant "cfour"]', '[PlyCount "11"]', '[Termination "rules infraction"]',
        ]  # fmt: skip
        end = "{illegal move: answered 0 (columns count from 0): column 1 is full} 1-0"
        assert " ".join(moves.split()).endswith(end)
        assert "2. P@f2 {the opening ends here} P@a2" in moves


# The state of a run that is played, decided, stopped, over.


def test_the_state_says_what_is_played_and_what_is_in_progress_until_it_is_done(tmp_path):
    path = played(tmp_path / "run.sqlite", "greedy", "random", rules=SMALL, rounds=2, games=3)
    before = runs.state(path, 2)
    shown = [{name: game[name] for name in ("game", "first", "second")} for game in before["games"]]
    assert {name: before[name] for name in ("agents", "played", "planned", "done", "playing")} == {
        "agents": ["greedy", "random"], "played": 3, "planned": 4, "done": False, "playing": None,
    }  # fmt: skip
    assert before["rules"] == {"columns": 5, "rows": 4, "connect": 4, "most_fours": False}
    assert shown == [
        {"game": 3, "first": "greedy", "second": "random"},
        {"game": 2, "first": "random", "second": "greedy"},
    ]
    assert list(before["games"][0]) == ["game", "first", "second", "moves", "result", "termination"]
    live.write(path, [live.GameInProgress("greedy", "random", "33", 0.5)])
    assert runs.state(path, 0)["playing"] == [{"first": "greedy", "second": "random", "moves": "33", "seconds": 0.5}]
    live.write(path, [])
    assert runs.state(path, 0)["playing"] == []
    play(Run.resume(path))
    live.write(path, [])
    after = runs.state(path, 9)
    assert (after["done"], after["playing"], len(after["games"])) == (True, None, 4)


def test_a_run_that_its_test_has_decided_is_done_though_games_are_left(tmp_path):
    path = shutil.copy(MATCH, tmp_path / "match.sqlite")
    live.write(path, [live.GameInProgress("greedy", "random", "", 0.5)])
    found = runs.state(path, 1)
    assert (found["played"] < found["planned"], found["done"], found["playing"]) == (True, True, None)
    with closing(connect(path)) as file, file:
        file.execute("DELETE FROM sprt WHERE decision <> 'continue'")
    found = runs.state(path, 1)
    assert (found["done"], len(found["playing"])) == (False, 1)


# Reasons to reject a run.


def test_a_run_is_rejected_for_the_decision_of_its_test_and_for_faults(tmp_path):
    decided = Frames.read(MATCH)
    assert runs.failures(decided, ["H1"]) == ["the sequential test says H1"]
    assert runs.failures(decided, ["H0", "undecided"]) == []
    assert runs.failures(decided, ["faults"]) == []
    going = shutil.copy(MATCH, tmp_path / "going.sqlite")
    for wrong in ("DELETE FROM sprt WHERE decision <> 'continue'", "DELETE FROM sprt"):
        with closing(connect(going)) as file, file:
            file.execute(wrong)
        assert runs.failures(Frames.read(going), ["H0", "undecided"]) == ["the sequential test says undecided"]
        assert runs.failures(Frames.read(going), ["H0", "H1"]) == []
    field = Frames.read(FIELD)
    with pytest.raises(InputError, match="--fail-if asks what a sequential test says; --sprt elo0=0,elo1=30 makes one"):
        runs.failures(field, ["H0"])
    lines = runs.failures(field, ["faults"])
    assert lines
    assert all(" games by its own fault: " in line for line in lines)


def test_an_agent_that_lost_all_its_games_by_faults_is_rejected_with_its_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "def choose(board):\n    return 9 if board.ply >= {0} else board.legal_moves()[0]\n"
    Path("always.py").write_text(text.format(0))
    Path("late.py").write_text(text.format(5))
    plan = {"openings": "plies:1", "rules": SMALL, "rounds": 1}
    apart = Isolation(nobody=True, folder=str(tmp_path))
    path = played(tmp_path / "run.sqlite", "always.py", "late.py", "greedy", isolation=apart, **plan)
    lines = runs.failures(Frames.read(path), ["faults"])
    assert [line.partition(" lost ")[0] for line in lines] == ["always.py", "late.py"]
    assert lines[0].startswith("always.py lost all 4 games by its own fault: ")
    assert lines[1].startswith("late.py lost 2 of 4 games by its own fault: ")
    most = [SimpleNamespace(agent="bot", games=4, faults=faults, first="late") for faults in (3, 4)]
    monkeypatch.setattr("arena.tournament.faults.faulty", lambda _: most)
    assert runs.failures(Frames.read(path), ["faults"]) == [
        "bot lost 3 of 4 games by its own fault: late", "bot lost all 4 games by its own fault: late",
    ]  # fmt: skip


# Tables of a run.


def test_a_table_of_stored_rows_has_all_games(monkeypatch):
    monkeypatch.setattr("arena.tournament.frames.SAMPLE", 10)
    for table, games in (("", 10), ("standings", 10), ("games", 34), ("moves", 34)):
        assert len(runs.frames(MATCH, table).games) == games
    whole = runs.frames(MATCH, "games")
    assert runs.stored_table(whole, "standings") is None
    assert len(runs.stored_table(whole, "games").rows) == 34
    monkeypatch.setattr(Frames.read.__func__, "__defaults__", (10,))
    run = load(MATCH)
    assert (len(run.frames.games), len(run.games), run.moves["game"].nunique()) == (10, 34, 34)
    assert repr(run) == f"<run {MATCH}: games 34, distinct {run.counts.distinct}, planned {run.counts.planned}>"
    assert 34 >= run.counts.distinct != run.counts.planned > 34


def test_a_stored_game_is_replayed_while_its_run_is_written_and_its_faults_are_told(tmp_path):
    path = shutil.copy(FIELD, tmp_path / "field.sqlite")
    with Store.resume(path):
        by_number, by_key = runs.replay(path, 3), runs.replay(path, "0-1-2")
        faults = runs.faults(path)
    assert by_number.game.game == 3
    assert (by_key.game.first, by_key.game.second) == (
        "alphabeta:depth=1,order=centre",
        "alphabeta:depth=2,order=centre",
    )
    assert len(faults) > 0
    path, before = (
        shutil.copy(DATA / "pair.sqlite", tmp_path / "old.sqlite"),
        (DATA / "pair.sqlite").read_bytes(),
    )
    assert runs.replay(path, 1).game.game == 1
    runs.faults(path)
    assert path.read_bytes() == before
    with pytest.raises(InputError):
        runs.replay(path, 9999)


def test_what_is_stored_is_listed_and_where_nothing_is_that_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="nothing is stored yet: arena run makes the folder results"):
        runs.runs()
    with pytest.raises(InputError, match="there is no folder none"):
        runs.runs(Path("none"))
    Path("bad.sqlite").write_text("no database")
    assert runs.runs() == ([], ["bad.sqlite is not the record of a run"])
    Path("bad.sqlite").unlink()
    shutil.copy(MATCH, "here.sqlite")
    assert [run.file for run in runs.runs()[0]] == ["here.sqlite"]
    Path("here.sqlite").unlink()
    Path("results").mkdir()
    assert runs.runs() == ([], [])
    (tmp_path / "empty").mkdir()
    assert runs.runs(Path("empty")) == ([], [])
    shutil.copy(MATCH, "results/match.sqlite")
    Path("bad.sqlite").write_text("no database")
    found, errors = runs.runs()
    assert [run.file for run in found] == ["results/match.sqlite"]
    assert errors == ["bad.sqlite is not the record of a run"]
    assert opened("latest").path == run_path("latest") == Path("results/match.sqlite")
    assert run_path(load("latest")) == Path("results/match.sqlite")
    Path("results/match.sqlite").unlink()
    assert runs.runs()[1] == errors


def test_an_audit_from_python_is_made_as_it_is_asked_for_and_read_where_it_found_more(tmp_path, monkeypatch):
    asked, more = [], [True, False]
    jobs = {
        "audit:audit": lambda *words, **named: asked.append((words, named)) or more.pop(0),
        "kept:agents_frame": lambda frames: frames,
    }
    monkeypatch.setattr("arena.tournament.result.ask", lambda folder, job: jobs[job] if folder == "perfect" else None)
    run = load(shutil.copy(MATCH, tmp_path / "run.sqlite"))
    before = run.frames
    after = run.audit(workers=3, progress=True)
    assert before is not after is run.frames
    assert run.audit() is after
    assert asked == [
        ((run.path,), {"workers": 3, "progress": True}), ((run.path,), {"workers": 1, "progress": False})
    ]  # fmt: skip


def test_an_error_of_a_function_of_python_names_its_keywords():
    @checked
    def job(error: object = None, path: str = "") -> str:
        """Say what it is for."""
        raise error

    with pytest.raises(KeyError):
        job(KeyError("moves"))
    with pytest.raises(InputError, match=r"^run with error and --other$"):
        job(InputError("run with --error and --other"))
    with pytest.raises(InputError, match=r"^arena\.job\(error=…, path=…\): too many positional arguments$"):
        job(1, 2, 3)
    with pytest.raises(InputError, match=r"arena\.job 'pat': did you mean path"):
        job(pat=3)
    assert (job.__name__, inspect.getdoc(job), list(inspect.signature(job).parameters)) == (
        "job", "Say what it is for.", ["error", "path"],
    )  # fmt: skip
