import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from agents.board import Board
from agents.jit.compiler import JIT
from arena.store.store import Store

DATA = Path(__file__).parents[2] / "data"
AGENTS = DATA / "odd_agents.py"
HEURISTICS = DATA / "odd_heuristics.py"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working directory with two files that cannot be imported."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "syntax.py").write_text("def evaluate(:\n")
    (tmp_path / "missing.py").write_text("import no_such_module\nBot = 1\n")
    (tmp_path / "exits.py").write_text("raise SystemExit(3)\nBot = 1\n")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "openings.txt").write_text("44\n4458\n")
    return tmp_path


CASES = [
    # agents, their keys and values
    ("run alphabet random", "no agent 'alphabet': did you mean alphabeta"),
    ("run random", "a tournament needs two agents"),
    ("run random minimax:deep=3", "no parameter 'deep': did you mean depth"),
    ("run random minimax:depth=0", "depth: must be a whole number from 1 to 64, not '0'"),
    ("run random minimax:depth=1000000", "depth: must be a whole number from 1 to 64, not '1000000'"),
    ("run random minimax:depth=-1", "depth: must be a whole number"),
    ("run random minimax:depth=x", "depth: must be a whole number"),
    ("run random minimax:depth=5..3", "range 5..3 must run upwards"),
    ("run random minimax:depth=1,depth=2", "depth is given twice"),
    ("run random minimax:depth", "'depth' is not key=value"),
    ("run random minimax:", "nothing follows the last colon"),
    ("run random ", "an agent's spec is empty"),
    ("run random minimax:heuristic=smart", "heuristic: no heuristic 'smart': did you mean smart-"),
    ("run random alphabeta:order=center", "order: no ordering 'center': did you mean centre"),
    ("run random alphabeta:table=maybe", "table: must be on or off, not 'maybe'"),
    ("run random alphabeta:seconds=nan", "seconds: must be a number from"),
    ("run random random:depth=3", "no parameter 'depth'"),
    # files
    ("run random nowhere.py:Bot", "there is no file nowhere.py"),
    (f"run random minimax:heuristic={HEURISTICS}", "names no function: write"),
    ("run random syntax.py:Bot", "syntax.py, line 1: "),
    (
        "run random missing.py:Bot --in-process",
        "missing.py does not import: ModuleNotFoundError",
    ),
    ("run random exits.py:Bot --in-process", "exits.py does not import: SystemExit: 3"),
    (f"run random {AGENTS}:Nobody", "has no class or function 'Nobody'"),
    (f"run random {AGENTS}:not_callable --in-process", "has no function or class 'not_callable'"),
    (f"run random {AGENTS}:NoChoose --in-process", "has no method choose(board, limits)"),
    (f"run random {AGENTS}:Column:row=3", "no parameter 'row': there are column"),
    (f"run random {AGENTS}:CannotBeMade --in-process", "cannot be made: ValueError: not today"),
    (f"run random {AGENTS}:ExitsWhenMade --in-process", "cannot be made: SystemExit: 9"),
    (
        f"run random {AGENTS}:CannotPrepare --in-process",
        "board: ValueError: not on this board",
    ),
    ("run random minimax:heuristic=syntax.py:evaluate", "syntax.py does not import: SyntaxError"),
    (f"run random minimax:heuristic={HEURISTICS}:nobody", "has no function or class 'nobody'"),
    (f"run random minimax:heuristic={HEURISTICS}:not_callable", "has no function or class 'not_callable'"),
    (f"run random minimax:heuristic={HEURISTICS}:one_argument", "must be a function of own, opp"),
    (f"run random alphabeta:order={HEURISTICS}:one_argument", "must be a function of own, opp, column"),
    # the plan
    ("run random greedy --rounds 0", "Invalid value for '--rounds'"),
    ("run random greedy --rounds -5", "Invalid value for '--rounds'"),
    ("run random greedy --rounds many", "Invalid value for '--rounds'"),
    ("run random greedy --rounds 26 --openings plies:2", "26 rounds need as many openings: plies:2 has 25"),
    ("run random greedy --openings plies:99", "N is a whole number from 0 to 8"),
    ("run random greedy --openings nowhere.txt", "it is neither a file nor one of plies:N"),
    ("run random greedy --openings binary.txt", "it is not a text file"),
    ("run random greedy --openings openings.txt", "line 2: move 4: column 8 does not exist"),
    ("run random greedy --seed -1", "Invalid value for '--seed'"),
    ("run random greedy --nodes 0", "Invalid value for '--nodes'"),
    ("run random greedy --seconds 0", "Invalid value for '--seconds'"),
    ("run random greedy -j 0", "Invalid value for '--concurrency'"),
    ("run random greedy --format chess", "no format 'chess': there are gauntlet, knockout, ladder, round-robin, swiss"),
    ("run random greedy --style fancy", "Invalid value for '--style'"),
    ("run random greedy --board 99x99", "does not fit"),
    ("run random greedy --board big", "is not COLUMNSxROWS"),
    ("run random greedy --pair random,nobody", "pair names 'nobody', which is not among the agents: random, greedy"),
    ("run random greedy --pair random", "is not two agents"),
    ("run random greedy --colour red", "No such option"),
    ("run random greedy --out .", "it is no file"),
    ("run random greedy --out openings.txt", "openings.txt exists; --resume openings.txt continues it"),
    ("run random greedy --out openings.txt/run.sqlite", "openings.txt/run.sqlite cannot be written: openings.txt: "),
    # stored runs
    ("show nowhere.sqlite", "there is no file nowhere.sqlite"),
    ("show openings.txt", "openings.txt is not the record of a run"),
    ("show binary.txt", "binary.txt is not the record of a run"),
    ("show .", ". is a folder"),
    ("show", "Missing argument 'FILE'"),
    ("run --resume nowhere.sqlite", "there is no file nowhere.sqlite"),
    ("run --resume openings.txt", "openings.txt is not the record of a run"),
    ("run random --resume openings.txt", "--resume continues the plan that is stored; agents cannot change it"),
    ("run --resume openings.txt --seed 0", "--resume continues the plan that is stored; --seed cannot change it"),
    ("run --resume openings.txt --format gauntlet", "--format cannot change it"),
    ("run --resume openings.txt --board 5x4", "--board cannot change it"),
    ("run --resume openings.txt --out a.sqlite", "--out cannot change it"),
    # depths
    ("depths random", "agent 'random' has no depth to vary"),
    ("depths", "Missing argument 'AGENT...'"),
    ("depths minimax --depth 0", "must run upwards within 1 to 64"),
    ("depths minimax --depth 1000000", "must run upwards within 1 to 64"),
    ("depths minimax --depth 3..1", "must run upwards within 1 to 64"),
    ("depths minimax --depth 1..", "is not a range such as"),
    ("depths minimax --depth -1", "is not a range such as"),
    ("depths minimax --depth ²", "is not a range such as"),
    ("depths minimax --budget -1", "Invalid value for '--budget'"),
    ("depths minimax --position 448", "move 3: column 8 does not exist"),
    ("depths minimax --position 1212121", "the game is already over"),
    ("depths minimax --openings plies:2 --rounds 99", "99 rounds need as many openings"),
    (f"depths {AGENTS}:Raises", "ValueError: no idea"),
    # eval and move
    ("eval 4444444", "move 7: column 4 is full"),
    ("eval 44 48", "position '48': move 2: column 8 does not exist"),
    ("eval 4x", "move 2: 'x' is not a column"),
    ("eval 44 parity", "'parity' is no position, which is digits such as 4453: --heuristic parity names it"),
    ("order centre", "'centre' is no position, which is digits such as 4453: --ordering centre names it"),
    ("elo latest", "there is no latest run"),
    ("eval --heuristic smart", "no heuristic 'smart': did you mean smart-"),
    ("eval --heuristic nowhere.py:f", "there is no file nowhere.py"),
    (f"eval --heuristic {HEURISTICS}:one_argument", "must be a function of own, opp"),
    (f"eval 4 4455 44 --heuristic {HEURISTICS}:raises", "fails on 4455: ValueError: not the middle"),
    ("move", "Missing argument 'AGENT'"),
    ("move nobody", "no agent 'nobody'"),
    ("move greedy 4444444", "move 7: column 4 is full"),
    ("move greedy 1212121", "the game is already over (first player won at move 7)"),
    ("move greedy 44 5", "unexpected extra argument"),
    (f"move {AGENTS}:Nine", "illegal move: answered 9"),
    (f"move {AGENTS}:Text", "illegal move: answered 'a', which is no column"),
    (f"move {AGENTS}:Nothing", "illegal move: answered None, which is no column"),
    (f"move {AGENTS}:Raises", "exception: ValueError: no idea"),
    (f"move {AGENTS}:Exits", "left (exit code 5): SystemExit: 5 (odd_agents.py, line 45)"),
    (f"move {AGENTS}:Rubbish", "exception: TypeError: 'str' object cannot be interpreted as an integer"),
    (f"move minimax:depth=2,compiled=no,heuristic={HEURISTICS}:raises 4455", "exception: ValueError: not the middle"),
    (f"move minimax:depth=2,compiled=no,heuristic={HEURISTICS}:nothing", "exception: TypeError"),
    (f"move minimax:depth=2,compiled=no,heuristic={HEURISTICS}:fraction", "exception: TypeError"),
    # the rest
    ("move 4453 greedy", "'4453' is no agent, which comes first: arena move greedy 4453"),
    ("tree 44", "'44' is no agent, which comes first: arena tree AGENT 44"),
    ("replay 12 run.sqlite", "'run.sqlite' is not the number of a game: arena replay FILE GAME"),
    ("show latset", "there is no file latset: did you mean latest?"),
    ("run rostr.toml random", "there is no file rostr.toml"),
    ("run folder/ random", "there is no file folder"),
    ("rum", "no command 'rum': did you mean run"),
    ("bench --style fancy", "Invalid value for '--style'"),
    ("bench --fail-if-slower", "--fail-if-slower needs --compare FILE, written by arena bench --json"),
    ("bench --compare nowhere.json", "nowhere.json: No such file or directory"),
    ("bench --limit 0.9", "0.9 is not in the range"),
    ("bench minmax", "no agent 'minmax': did you mean minimax"),
    ("heuristics extra", "unexpected extra argument"),
]
COMPILED = [
    (f"eval --heuristic {HEURISTICS}:nothing", "must return a whole number, as int() makes one; it returns nothing"),
    (f"eval --heuristic {HEURISTICS}:fraction", "must return a whole number, as int() makes one; it returns float64"),
    (f"eval --heuristic {HEURISTICS}:text", "must return a whole number, as int() makes one; it returns "),
    (f"run random minimax:heuristic={HEURISTICS}:fraction", "must return a whole number"),
    (f"run random minimax:heuristic={HEURISTICS}:uncompilable", "cannot be compiled: "),
    (f"depths minimax:heuristic={HEURISTICS}:uncompilable", "cannot be compiled: "),
]


def check(arena, here, words, message):
    files = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    done = arena(*(words.split(" ") if words.endswith(" ") else words.split()))
    assert done.code == 2
    assert done.out == ""
    assert message in done.err
    assert done.err.startswith("arena")
    assert done.err.endswith("\n")
    assert done.err.count("\n") == 1
    assert len(done.err) < 1000
    assert "Traceback" not in done.err
    left = {path: path.read_bytes() for path in here.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert left == files


@pytest.mark.parametrize(("words", "message"), CASES, ids=[words for words, _ in CASES])
def test_bad_input_is_one_line_and_leaves_nothing(arena, here, words, message):
    check(arena, here, words, message)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize(("words", "message"), COMPILED, ids=[words for words, _ in COMPILED])
def test_what_cannot_be_compiled_is_one_line_and_leaves_nothing(arena, here, words, message):
    check(arena, here, words, message)
    if "cannot be compiled" in message:
        done = arena(*words.replace("heuristic=", "compiled=no,depth=1,heuristic=").split(), *quick(words))
        assert done.code == 0, done.err


def quick(words):
    return ["--rounds", 1, "-j", 1] if words.startswith("run") else ["--depth", 2]


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_the_line_that_cannot_be_compiled_is_named(arena, here):
    line = HEURISTICS.read_text().splitlines().index('    return len({"discs": bin(own)}["discs"])') + 1
    done = arena("eval", "--heuristic", f"{HEURISTICS}:uncompilable")
    assert f"odd_heuristics.py line {line}: " in done.err
    assert "--compiled no runs it as plain Python" in done.err
    done = arena("eval", "44", "--heuristic", f"{HEURISTICS}:uncompilable", "--compiled=no", "--json")
    assert json.loads(done.out)[0]["mover"] == len(bin(Board.from_moves("44").own))


def test_a_file_of_results_in_place_of_the_directory_is_told(arena, here):
    (here / "results").write_text("")
    done = arena("run", "random", "greedy", "--rounds", 1)
    assert (done.code, done.out) == (2, "")
    assert "cannot be written: results: " in done.err
    assert (here / "results").read_text() == ""


@pytest.mark.parametrize("command", [["show"], ["run", "--resume"]])
def test_a_run_of_another_version_is_told(arena, here, command):
    assert arena("run", "random", "greedy", "--rounds", 1, "-j", 1, "--out", "run.sqlite").code == 0
    connection = sqlite3.connect("run.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    done = arena(*command, "run.sqlite")
    assert (done.code, done.out) == (2, "")
    assert done.err == "arena: run.sqlite was written by another version (format 99, this one reads 1 to 3)\n"


def test_an_empty_file_is_no_run_and_stays_empty(arena, here):
    (here / "empty.sqlite").touch()
    for command in (["show"], ["run", "--resume"]):
        assert arena(*command, "empty.sqlite").err == "arena: empty.sqlite is not the record of a run\n"
    assert (here / "empty.sqlite").read_bytes() == b""


def test_a_full_disk_is_one_line_and_what_was_played_is_kept(arena, here, monkeypatch):
    add = Store.add
    games = []

    def fill(store, *finished):
        if len(games) == 3:
            pages = store.select("PRAGMA page_count")[1][0][0]
            store.connection.execute(f"PRAGMA max_page_count = {pages}")
        games.extend(finished)
        add(store, *finished)

    monkeypatch.setattr(Store, "add", fill)
    done = arena("run", "random", "greedy", "--rounds", 100, "-j", 1, "--out", "run.sqlite")
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "run.sqlite: database or disk is full; what was played is kept" in done.err
    assert "arena run --resume run.sqlite continues" in done.err
    monkeypatch.setattr(Store, "add", add)
    with Store.read(here / "run.sqlite") as store:
        kept = len(store.played())
    assert 3 <= kept < 200
    assert arena("run", "--resume", "run.sqlite", "-j", 1).code == 0
    with Store.read(here / "run.sqlite") as store:
        assert len(store.played()) == 200


def test_a_disk_that_is_full_from_the_start_leaves_no_file(arena, here, monkeypatch):
    add = Store.add

    def fill(store, *finished):
        store.connection.execute("PRAGMA max_page_count = 1")
        add(store, *((job, replace(record, detail="x" * 100_000)) for job, record in finished))

    monkeypatch.setattr(Store, "add", fill)
    done = arena("run", "random", "greedy", "--rounds", 1, "-j", 1, "--out", "run.sqlite")
    assert (done.code, done.out) == (2, "")
    assert done.err == "arena: run.sqlite: database or disk is full\n"
    assert not list(here.glob("*.sqlite*"))


def test_a_run_that_fails_before_its_first_game_leaves_no_file(arena, here, monkeypatch):
    monkeypatch.setattr("arena.play.worker._work", print)
    done = arena("run", "random", "greedy", "--rounds", 1, "-j", 2, "--out", "run.sqlite")
    assert done.code == 2
    assert done.err == "arena: worker processes die before they play a game (exit code 0)\n"
    assert not list(here.glob("*.sqlite*"))


def test_help_is_no_error(arena):
    done = arena("--help")
    assert (done.code, done.err) == (0, "")
    assert "depths" in done.out
    assert arena("run", "-h").out.startswith("Usage: ")
