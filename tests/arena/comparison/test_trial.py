"""Heuristics are tried before they play: what is asked of each, and what a process that ended so says of it."""

import io
import json
from types import SimpleNamespace

import pytest

from agents.board import STANDARD, Rules
from agents.errors import InputError
from arena.comparison import plan as comparison
from arena.comparison import trial
from arena.games.searches import sample

SMALL = Rules(5, 4)
FILE = """
seen = []


def noted(own, opp):
    seen.append((own, opp))
    return own - opp


def half(own, opp):
    return (own - opp) / 2


def text(own, opp):
    return "much" * 40


def none(own, opp):
    raise ValueError("no way")


def unknown(own, opp):
    return own + offset


def late(own, opp):
    return own.wrong if opp.bit_count() > 3 else 0


def lacking(own, opp):
    values = []
    return values[0]


def typed(own, opp):
    return own + "x"


def speaks(own, opp):
    print("so")
    return 0


def blank(own, opp):
    print()
    return 0


def late_word(own, opp):
    print(end="much" * (own > 1 << 20))
    return 0


def sized(rules):
    def evaluate(own, opp):
        raise ValueError(f"{rules} is no board")
    return evaluate
"""


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    return f"{tmp_path / 'mine.py'}:"


def test_each_heuristic_is_asked_on_every_position_with_an_alarm_before_each(mine, tmp_path):
    said = []
    trial._try(
        {f"{mine}noted": False, "zero": False}, SMALL, 120, 5, lambda seconds, **line: said.append((seconds, line))
    )
    boards = [board.text for board in sample(trial.TRIED, 1, SMALL)]
    assert len(boards) == 40
    own, given = f"{mine}noted", []
    for name in (own, "zero"):
        given += [(120, {"heuristic": name}), *((5, {"heuristic": name, "position": board}) for board in boards)]
    assert said == [*given, (0, {})]


FAILS = {
    "half": "fails on the empty board: it must return a whole number", "text": "and returns 'muchmuch",
    "none": "ValueError: no way (mine.py, line", "unknown": "NameError: name 'offset' is not defined (mine.py, line",
    "late": "AttributeError: 'int' object has no attribute 'wrong'", "lacking": "IndexError: list index out of range",
    "typed": "TypeError: unsupported operand", "speaks": "prints each time that it is called: remove its print",
    "blank": "prints each time", "late_word": "prints each time",
    "sized()": "ValueError: {rules} is no board (mine.py, line",
}  # fmt: skip


@pytest.mark.parametrize("rules", [STANDARD, SMALL], ids=str)
@pytest.mark.parametrize("name", FAILS)
def test_what_fails_is_named_with_its_position_and_why(mine, rules, name):
    asked = []
    with pytest.raises(InputError) as raised:
        trial._try({f"{mine}{name}": False}, rules, 120, 5, lambda *_, **__: asked.append(1))
    assert FAILS[name].format(rules=rules) in str(raised.value)
    assert f"heuristic '{mine}{name}'" in str(raised.value)
    assert ("fails after " in str(raised.value)) == (name == "late")
    assert (len(asked) == 2) == (name not in {"late", "late_word"})


@pytest.mark.parametrize("name", ["noted", "half", "text", "none", "unknown", "late", "lacking", "typed"])
def test_why_a_compiled_one_fails_is_told_by_its_plain_python(mine, name):
    board = sample(4, 1, STANDARD)[3]
    why = trial._failure(f"{mine}{name}", board, TypeError("what the compiler says\nin lines"))
    if name in {"noted", "late"}:  # which do not fail there
        assert why == "TypeError: what the compiler says"
    else:
        assert why in FAILS[name] or FAILS[name].partition("board: ")[2] in why or FAILS[name] in why


def planned(*heuristics, search="alphabeta", rules=STANDARD):
    levels = [comparison.Level("depth", "2"), comparison.Level("depth", "3")]
    return comparison.plan(heuristics, search, levels, openings="plies:2", rounds=1, rules=rules)


@pytest.fixture
def ended(monkeypatch):
    """Let the process that tries have ended so, and return what it was asked."""
    asked = []

    def run(*lines, code=0):
        def done(command, *, input, **how):  # noqa: A002  as subprocess has it
            asked.append((command[1:], json.loads(input), how))
            return SimpleNamespace(stdout="".join(f"{json.dumps(line)}\n" for line in lines), returncode=code)

        monkeypatch.setattr(trial, "subprocess", SimpleNamespace(run=done))
        return asked

    return run


def test_only_heuristics_of_ones_own_are_tried_and_as_the_search_compiles_them(mine, ended):
    asked = ended({})
    trial.refuse_failing(planned("zero", "windows(1,2,3,4)", "parity"))
    assert asked == []
    trial.refuse_failing(planned("zero", f"{mine}noted", f"{mine}half", rules=SMALL))
    trial.refuse_failing(planned("zero", f"{mine}noted", search="alphabeta:compiled=no"))
    words = ["-P", "-m", "arena.comparison.trial"]
    how = {"capture_output": True, "text": True, "check": False}
    limits = [trial.LOADING, trial.SECONDS]
    assert limits == [120, 5]
    compiled = {f"{mine}noted": True, f"{mine}half": True}
    small, standard = [5, 4, 4, False], [7, 6, 4, False]
    assert asked == [
        (words, {"heuristics": compiled, "rules": small, "limits": limits}, how),
        (words, {"heuristics": {f"{mine}noted": False}, "rules": standard, "limits": limits}, how),
    ]


LAST = {"heuristic": "b.py:evaluate"}


@pytest.mark.parametrize(
    ("lines", "code", "message"),
    [
        (({"heuristic": "a"}, {"error": "it returns half"}), 0, "it returns half"),
        (({"error": "it returns half"},), 1, "it returns half"),
        (({"heuristic": "a"}, LAST), -14, "heuristic 'b.py:evaluate' is not loaded within 120 s: does its file run"),
        (({**LAST, "position": "44"},), -14, "heuristic 'b.py:evaluate' gives no value within 5 s after 44: has it a"),
        (({**LAST, "position": ""},), -14, "heuristic 'b.py:evaluate' gives no value within 5 s on the empty board"),
        (({**LAST, "position": "44"},), 3, "'b.py:evaluate': the process that tries it ended: left (exit code 3)"),
        (({**LAST, "position": "44"},), -11, "heuristic 'b.py:evaluate': the process that tries it ended: "),
        ((), 1, "mine.py:noted': the process that tries it ended: left (exit code 1"),
        ((), -14, "mine.py:noted' is not loaded within 120 s"),
    ],
)  # fmt: skip
@pytest.mark.skipif(not trial.ALARM, reason="the system has no alarm")
def test_how_the_process_ended_says_what_is_wrong(mine, ended, lines, code, message):
    ended(*lines, code=code)
    with pytest.raises(InputError) as raised:
        trial.refuse_failing(planned("zero", f"{mine}noted"))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_system_without_alarms_tells_the_exit_code(mine, ended, monkeypatch):
    monkeypatch.setattr(trial, "ALARM", False)
    ended({**LAST, "position": "44"}, code=-14)
    with pytest.raises(InputError, match="the process that tries it ended"):
        trial.refuse_failing(planned("zero", f"{mine}noted"))
    ended({**LAST, "position": "44"})
    trial.refuse_failing(planned("zero", f"{mine}noted"))


@pytest.mark.parametrize("alarm", [True, False])
def test_the_process_says_before_each_step_where_it_stands(mine, monkeypatch, alarm):
    written, alarms, moved = [], [], []
    system = SimpleNamespace(dup=lambda old: 70 + old, dup2=lambda *pair: moved.append(pair),
                             write=lambda *given: written.append(given))  # fmt: skip
    monkeypatch.setattr(trial, "os", system)
    signals = SimpleNamespace(SIGALRM=14, SIG_DFL=0, signal=lambda *pair: moved.append(pair), alarm=alarms.append)
    monkeypatch.setattr(trial, "signal", signals)
    monkeypatch.setattr(trial, "ALARM", alarm)
    asked = {"heuristics": {"zero": False, f"{mine}half": False}, "rules": [5, 4, 4, False], "limits": [100, 7]}
    monkeypatch.setattr(trial.sys, "stdin", io.StringIO(json.dumps(asked)))
    trial.main()
    assert moved == [(2, 1), *[(14, 0)] * alarm]
    assert {place for place, _ in written} == {71}
    lines = [json.loads(line) for _, line in written]
    assert all(line.endswith(b"\n") for _, line in written)
    assert lines[:3] == [{"heuristic": "zero"}, {"heuristic": "zero", "position": ""}, lines[2]]
    assert lines[-1] == {"error": f"heuristic '{mine}half' fails on the empty board: it must return a whole number, as"
                                  " int() makes one, and returns 0.0"}  # fmt: skip
    assert alarms == ([100, *[7] * 40, 100, 7, 0] if alarm else [])
