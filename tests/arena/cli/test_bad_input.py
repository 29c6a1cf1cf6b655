import re

import pytest
from samples import ODD, ODD_HEURISTICS

from agents.jit.compiler import JIT


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
    ("run alphabet random", "'alphabet': did you mean alphabeta"),
    ("run random", "a tournament needs two agents"),
    ("run random minimax:deep=3", "'deep': did you mean depth"),
    ("run random minimax:depth=0", "depth: must be a whole number from 1 to 64, not '0'"),
    ("run random minimax:depth=1000000", "depth: must be a whole number from 1 to 64, not '1000000'"),
    ("run random minimax:depth=-1", "depth: must be a whole number"),
    ("run random minimax:depth=x", "depth: must be a whole number"),
    ("run random minimax:depth=5..3", "range 5..3 must run upwards"),
    ("run random minimax:depth=1,depth=2", "depth is given twice"),
    ("run random minimax:depth", "'depth' is not key=value"),
    ("run random minimax:", "nothing follows the last colon"),
    ("run random ", "an agent's spec is empty"),
    ("run random minimax:heuristic=smart", "'smart': did you mean smart-"),
    ("run random alphabeta:order=center", "'center': did you mean centre"),
    ("run random alphabeta:table=maybe", "table: must be on or off, not 'maybe'"),
    ("run random alphabeta:seconds=nan", "seconds: must be a number from"),
    ("run random random:depth=3", "'depth'"),
    # files
    ("run random nowhere.py:Bot", "there is no file nowhere.py"),
    (f"run random minimax:heuristic={ODD_HEURISTICS}", "names no function: write"),
    ("run random syntax.py:Bot", "syntax.py, line 1: "),
    (
        "run random missing.py:Bot --in-process",
        "missing.py does not import: ModuleNotFoundError",
    ),
    ("run random exits.py:Bot --in-process", "exits.py does not import: SystemExit: 3"),
    (f"run random {ODD}:Nobody", "'Nobody'"),
    (f"run random {ODD}:not_callable --in-process", "has no function or class 'not_callable'"),
    (f"run random {ODD}:NoChoose --in-process", "has no method choose(board, limits)"),
    (f"run random {ODD}:Column:row=3", "'row': there are column"),
    (f"run random {ODD}:CannotBeMade --in-process", "cannot be made: ValueError: not today"),
    (f"run random {ODD}:ExitsWhenMade --in-process", "cannot be made: SystemExit: 9"),
    (
        f"run random {ODD}:CannotPrepare --in-process",
        "board: ValueError: not on this board",
    ),
    ("run random minimax:heuristic=syntax.py:evaluate", "syntax.py does not import: SyntaxError"),
    (f"run random minimax:heuristic={ODD_HEURISTICS}:nobody", "has no function or class 'nobody'"),
    (f"run random minimax:heuristic={ODD_HEURISTICS}:not_callable", "has no function or class 'not_callable'"),
    (f"run random minimax:heuristic={ODD_HEURISTICS}:one_argument", "must be a function of own, opp"),
    (f"run random alphabeta:order={ODD_HEURISTICS}:one_argument", "must be a function of own, opp, column"),
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
    ("run random greedy --format chess", "'chess': there are gauntlet, knockout, round-robin, swiss"),
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
    (f"depths {ODD}:Raises", "ValueError: no idea"),
    # eval and move
    ("eval 4444444", "move 7: column 4 is full"),
    ("eval 44 48", "position '48': move 2: column 8 does not exist"),
    ("eval 4x", "move 2: 'x' is not a column"),
    ("eval 44 parity", "'parity' is no position, which is digits such as 4453: --heuristic parity names it"),
    ("order centre", "'centre' is no position, which is digits such as 4453: --ordering centre names it"),
    ("eval --heuristic smart", "'smart': did you mean smart-"),
    ("eval --heuristic nowhere.py:f", "there is no file nowhere.py"),
    (f"eval --heuristic {ODD_HEURISTICS}:one_argument", "must be a function of own, opp"),
    (f"eval 4 4455 44 --heuristic {ODD_HEURISTICS}:raises", "fails on 4455: ValueError: not the middle"),
    ("move", "Missing argument 'AGENT'"),
    ("move nobody", "'nobody'"),
    ("move greedy 4444444", "move 7: column 4 is full"),
    ("move greedy 1212121", "the game is already over (first player won at move 7)"),
    ("move greedy 44 5", "unexpected extra argument"),
    (f"move {ODD}:Nine", "illegal move: answered 9"),
    (f"move {ODD}:Text", "illegal move: answered 'a', which is no column"),
    (f"move {ODD}:Nothing", "illegal move: answered None, which is no column"),
    (f"move {ODD}:Raises", "exception: ValueError: no idea"),
    (f"move {ODD}:Exits", "left (exit code 5): SystemExit: 5 (odd_agents.py, line 45)"),
    (
        f"move {ODD}:Rubbish",
        "exception: its analysis cannot be read: TypeError: 'str' object cannot be",
    ),
    (
        f"move minimax:depth=2,compiled=no,heuristic={ODD_HEURISTICS}:raises 4455",
        "exception: ValueError: not the middle",
    ),
    (f"move minimax:depth=2,compiled=no,heuristic={ODD_HEURISTICS}:nothing", "exception: TypeError"),
    (f"move minimax:depth=2,compiled=no,heuristic={ODD_HEURISTICS}:fraction", "exception: TypeError"),
    # the rest
    ("move 4453 greedy", "'4453' is no agent, which comes first: arena move greedy 4453"),
    ("replay 12 run.sqlite", "'run.sqlite' is not the number of a game: arena replay FILE GAME"),
    ("show latset", "there is no file latset: did you mean latest?"),
    ("run rostr.toml random", "there is no file rostr.toml"),
    ("run folder/ random", "there is no file folder"),
    ("rum", "'rum': did you mean run"),
    ("heuristics extra", "unexpected extra argument"),
]
WHOLE = "must return a whole number, as int() makes one; it returns "
COMPILED = [
    (f"eval --heuristic {ODD_HEURISTICS}:nothing", f"{WHOLE}nothing"),
    (f"eval --heuristic {ODD_HEURISTICS}:fraction", f"{WHOLE}a fraction: write // in place of /"),
    (f"eval --heuristic {ODD_HEURISTICS}:text", WHOLE),
    (f"run random minimax:heuristic={ODD_HEURISTICS}:fraction", "must return a whole number"),
    (f"run random minimax:heuristic={ODD_HEURISTICS}:uncompilable", "cannot be compiled: "),
    (f"depths minimax:heuristic={ODD_HEURISTICS}:uncompilable", "cannot be compiled: "),
]


def check(arena, here, words, message):
    files = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    done = arena(*(words.split(" ") if words.endswith(" ") else words.split()))
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert re.fullmatch(r"arena.*\n", done.err)
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
        quick = ["--rounds", 1, "-j", 1] if words.startswith("run") else ["--depth", 2]
        done = arena(*words.replace("heuristic=", "compiled=no,depth=1,heuristic=").split(), *quick)
        assert done.code == 0, done.err


def test_help_is_no_error(arena):
    done = arena("--help")
    assert (done.code, done.err) == (0, "")
    assert "depths" in done.out
    assert arena("run", "-h").out.startswith("Usage: ")
