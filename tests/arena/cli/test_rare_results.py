"""What commands print of results that are rare, and the codes they end with."""

import json
import shlex
from dataclasses import replace

import pytest

from agents.errors import InputError
from arena.depth import depths as measures
from arena.depth import verify as agreements
from arena.depth.agreement import AtDepth, DifferentAnswer
from arena.depth.exact import Disagreement
from arena.depth.verify import Agreed, VerifiedSearches
from arena.games.check import Checked
from arena.perfect import grade as truth
from arena.tournament import check as checks
from arena.tournament import runs
from arena.tournament.check import Checks

META = {"version": "0", "seed": 4}


@pytest.fixture
def printed(arena, tmp_path, monkeypatch):
    """A function that runs a command while a function of the API returns a result: its code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(line, module, name, result):
        with monkeypatch.context() as patch:
            real = getattr(module, name)
            patch.setattr(module, name, lambda *given, **named: result(real, *given, **named))
            return arena(*shlex.split(line))

    return run


def given(result):
    """Stand in for a function that returns this."""
    return lambda real, *words, **named: result


class BrokenAgentError(Exception):
    """Has the output of a process."""

    output = "it said\nlittle\n"


def broken(text):
    """Return an error of an agent whose process had an output."""
    error = InputError(text)
    error.__cause__ = BrokenAgentError()
    return error


@pytest.mark.parametrize("style", ["", "--json", "--style json"])
@pytest.mark.parametrize("wrong", [0, 1, 12])
def test_searches_that_disagree_are_named_and_counted(printed, wrong, style):
    apart = [Disagreement(f"4{number}", "value", "minimax", str(number), "alphabeta", "0") for number in range(wrong)]
    result = VerifiedSearches(apart, Disagreement, META, positions=1234, heuristics=2)
    done = printed(f"verify {style}", agreements, "verify", given(result))
    assert done.code == (wrong > 0)
    if style:
        assert f'"agree": {"false" if wrong else "true"}' in done.out
        assert done.out.count('"position": "4') == wrong
    elif wrong:
        assert "disagreement at 40: value 0 of minimax, 0 of alphabeta" in done.err
        assert f"{wrong} disagreements" in done.err
        assert done.err.count("disagreement at") == min(wrong, 10)
    else:
        assert "every search agrees: 1234 positions, 2 heuristics" in done.out


@pytest.mark.parametrize("style", ["", "--json", "--style csv"])
@pytest.mark.parametrize("wrong", [0, 2])
def test_answers_of_two_agents_that_differ_are_shown(printed, wrong, style):
    one = DifferentAnswer("minimax", "mine", "44", 3, 5, 6, "4", "3", "44", "", "a board")
    rows = [AtDepth("minimax", "mine", depth, 1200, 1100, 1000, 5000, 0, None) for depth in (1, 2)]
    result = Agreed(rows, [one, replace(one, position="", value=5)][:wrong], [], META)
    done = printed(f"verify a b {style}", agreements, "agreement", given(result))
    assert done.code == (wrong > 0)
    assert (f'"agree": {"false" if wrong else "true"}' in done.out) == (style == "--json")
    if not style:
        assert ("a board" in done.out + done.err) == (wrong > 0)


CHECKED = [
    Checked("good.py", True, ["a remark"], 200, 1.5, 20.25, True, False, "hello\n"),
    Checked("bad.py", False, ["bad.py on 44: it failed", "late once"], 7, None, None, None, None, "oh\nno\n"),
    Checked("still.py", True, [], 200, 0.001, 0.002, False, True),
]
CHECKS = {
    "all": (Checks(CHECKED, ["left aside: x.txt"]), 1), "good": (Checks([CHECKED[0], CHECKED[2]], []), 0),
    "none": (Checks([], ["nothing to check"]), 0),
    "interrupted": (Checks(CHECKED[:1], [], "at bad.py, after 3 of 200 positions"), 130),
}  # fmt: skip


@pytest.mark.parametrize("style", ["", "--verbose", "--json", "--sandbox --verbose --style csv"])
@pytest.mark.parametrize("label", CHECKS)
def test_a_check_says_what_would_fail_and_ends_with_its_code(printed, label, style):
    result, code = CHECKS[label]
    done = printed(f"check x {style}", checks, "check", given(result))
    assert done.code == code
    for row in result.rows:
        assert row.agent in done.out
    said = done.out + done.err
    assert ("it failed" in said) == (label == "all")
    assert ("left aside: x.txt" in said) == (label == "all" and style != "--json")
    assert ("after 3 of 200 positions" in said) == (label == "interrupted")
    assert ("nothing to check" in said) == (label == "none" and style != "--json")
    assert style != "--json" or len(json.loads(done.out)) == len(result.rows)


def test_what_protects_agents_is_said_for_either_kind_of_system(monkeypatch):
    from arena.tournament import command_check as check

    said = {}
    for platform in ("linux", "darwin"):
        monkeypatch.setattr("sys.platform", platform)
        said[platform] = [check._protection("9 limits", sandbox) for sandbox in (False, True)]
    monkeypatch.undo()
    usual = "protection: a process group of its own, the referee's clock"
    assert said["linux"] == [
        f"{usual}, 9 limits, a limit of file size; files, network and other processes are open to it without --sandbox",
        f"{usual}, 9 limits, a limit of file size, a sandbox",
    ]
    lacks = "; this system limits neither its memory nor its processes, and has no --sandbox"
    assert said["darwin"] == [
        f"{usual}, a limit of file size{lacks}",
        f"{usual}, a limit of file size, a sandbox{lacks}",
    ]


def busy(*faults):
    """Stand in for a measurement on a busy machine of which some agents failed."""
    return lambda real, *words, **named: replace(real(*words, **named), busy="it was busy", faults=faults)


@pytest.mark.parametrize("faults", [(), (broken("agent 'a' failed"), InputError("agent 'b' failed"))])
@pytest.mark.parametrize(
    ("line", "module", "name"),
    [
        ("depths minimax --depth 1 --board 4x4", measures, "depths"),
        ("depths minimax --depth 1 --board 4x4 --openings plies:1 --rounds 2 --json", measures, "depths"),
        ("grade greedy --positions 5 --board 4x4 -q", truth, "grade"),
    ],
)
def test_measurements_on_a_busy_machine_and_agents_that_fail(printed, line, module, name, faults):
    done = printed(line, module, name, busy(*faults))
    assert done.code == (2 if faults else 0)
    assert "it was busy" in done.out + done.err
    for words in ("left out: agent 'a' failed", "it said", "left out: agent 'b' failed"):
        assert (words in done.err) == bool(faults)


def test_where_nothing_could_be_graded_the_fault_is_all_that_is_said(printed):
    def nothing(real, *words, **named):
        return replace(real(*words, **named), rows=[], faults=(broken("x"),))

    done = printed("grade greedy --positions 5 --board 4x4 -q", truth, "grade", nothing)
    assert (done.code, done.out) == (2, "")
    assert "left out: x" in done.err


@pytest.mark.parametrize("style", ["", "--json", "--style csv"])
def test_a_folder_without_runs_is_no_fault(printed, style):
    done = printed(f"list a {style}", runs, "runs", given(([], ["a.sqlite: damaged"])))
    assert (done.code, done.out.strip()) == (0, "[]" if style == "--json" else "")
    assert "left out: a.sqlite: damaged" in done.err
    assert "no run is stored in a" in done.err
    assert "results or the current folder" in printed(f"list {style}", runs, "runs", given(([], []))).err
