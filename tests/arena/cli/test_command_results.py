"""What commands print of results that are rare, and the codes they end with: tests/data/recorded/cli-results.json."""

import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from needs import needed
from recorded import holds
from transcript import masked

from agents.errors import InputError
from arena.depth import depths as measures
from arena.depth import verify as agreements
from arena.depth.agreement import AtDepth, DifferentAnswer
from arena.depth.exact import Disagreement
from arena.depth.verify import Agreed, VerifiedSearches
from arena.games.check import Checked
from arena.perfect import grade as truth
from arena.table.measured import Measured
from arena.tournament import check as checks
from arena.tournament import runs
from arena.tournament.check import Checks
from arena.tournament.pairings import Duel


@pytest.fixture
def printed(arena, tmp_path, monkeypatch):
    """A function that runs a command while a function of the API returns a result, and returns all that it printed."""
    monkeypatch.chdir(tmp_path)

    def run(line, module, name, result):
        with monkeypatch.context() as patch:
            real = getattr(module, name)
            patch.setattr(module, name, lambda *given, **named: result(real, *given, **named))
            done = arena(*shlex.split(line))
        errors = "".join(f"! {line}" for line in done.err.splitlines(keepends=True))
        return [*masked(f"{done.out}{errors}").replace(str(tmp_path), "~").splitlines(), done.code]

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


META = {"version": "0", "seed": 4}
APART = [
    Disagreement(f"4{number}", "value", "minimax", str(number), "alphabeta", "0") for number in range(12)
]  # fmt: skip


def test_searches_that_disagree_are_named_and_counted(printed, request):
    found = {}
    for label, wrong in (("none", []), ("one", APART[:1]), ("many", APART)):
        result = VerifiedSearches(wrong, Disagreement, META, positions=1234, heuristics=2)
        for more in ("", "--json", "--style json"):
            line = f"verify {more}"
            found[f"{line} with {label} wrong"] = printed(line, agreements, "verify", given(result))
    difference = DifferentAnswer("minimax", "mine", "44", 3, 5, 6, "4", "3", "44", "", "a board")
    rows = [AtDepth("minimax", "mine", depth, 1200, 1100, 1000, 5000, 0, None) for depth in (1, 2)]
    for label, wrong in (("none", []), ("two", [difference, replace(difference, position="", value=5)])):
        for more in ("", "--json", "--style csv"):
            line = f"verify a b {more}"
            found[f"{line} with {label} apart"] = printed(
                line, agreements, "agreement", given(Agreed(rows, wrong, [], META))
            )
    holds("cli-results", found, request)


def test_hand_ins_that_are_checked_and_marked(printed, request):
    assignment, marks = (needed(f"arena.plugins.assignment.{name}") for name in ("job", "marks"))
    found = {}
    one = marks.HandIn(
        "a", "Ada", True, 0, 1, 12.5, 20, 60.25, 100.0, (40.0, 20.25), "alphabeta:depth=4", ("agents.search",)
    )
    other = marks.HandIn("b", "", False, 3, 2, 7.5, 20, 0.0, 80.0, (0.0, None), "", ())
    for label, result in {
        "one": assignment.Assigned([one], marks.HandIn, META, written=(Path("site/index.html"),)),
        "two": assignment.Assigned([one, other], marks.HandIn, META, written=(Path("s/index.html"), Path("s/t.csv"))),
    }.items():
        for more in ("", "--json", "--style csv"):
            found[f"{label} {more}"] = printed(f"assignment x {more}", assignment, "assignment", given(result))
    rows = [
        Checked("good.py", True, ["a remark"], 200, 1.5, 20.25, True, False, "hello\n"),
        Checked("bad.py", False, ["bad.py on 44: it failed", "late once"], 7, None, None, None, None, "oh\nno\n"),
        Checked("still.py", True, [], 200, 0.001, 0.002, False, True),
    ]
    for label, result in {
        "all": Checks(rows, ["left aside: x.txt"]), "good": Checks(rows[:1] + rows[2:], []),
        "none": Checks([], ["nothing to check"]),
        "interrupted": Checks(rows[:1], [], "at bad.py, after 3 of 200 positions"),
    }.items():  # fmt: skip
        for more in ("", "--verbose", "--json", "--sandbox --verbose --style csv"):
            with_limits = printed(f"check x {more}", checks, "check", given(result))
            found[f"check {label} {more}"] = [line for line in with_limits if not str(line).startswith("! protection")]
    holds("cli-hand-ins", found, request)


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


def test_measurements_on_a_busy_machine_and_agents_that_fail(printed, request, monkeypatch):
    found = {}
    grade = "grade greedy --positions 5 --board 4x4 -q"
    commands = (
        ("depths minimax --depth 1 --board 4x4", measures, "depths"),
        ("depths minimax --depth 1 --board 4x4 --openings plies:1 --rounds 2 --json", measures, "depths"),
        (grade, truth, "grade"),
    )  # fmt: skip
    for label, faults in (("none", ()), ("two", (broken("agent 'a' failed"), InputError("agent 'b' failed")))):
        for line, module, name in commands:
            *lines, code = printed(line, module, name, busy(*faults))
            found[f"{line}, {label} failed"] = [*(each for each in lines if "busy" in each or each[0:1] == "!"), code]
    found["nothing was graded"] = printed(grade, truth, "grade", lambda real, *words, **named: replace(
        real(*words, **named), rows=[], faults=(broken("x"),)))  # fmt: skip
    holds("cli-busy", found, request)


def test_what_studies_and_reports_say_of_what_was_there(printed, request):
    study, again = (needed(f"arena.plugins.study.{name}") for name in ("job", "differences"))
    strength = needed("arena.plugins.counts.job")
    found = {}
    checked = study.Checked(
        "A title", "0", ["a", "b"],
        [{"name": "one", "agents": ["a", "b"], "games": 1234}, {"name": "two", "agents": ["a"], "games": None}],
        [{"text": "it is so", "check": "x > y", "of": ["one", "two"]}, {"text": "or so", "check": "z", "of": ["one"]}],
        [],
    )  # fmt: skip
    for label, problems in (("good", []), ("bad", ["no run", "no claim"])):
        for more in ("", "--json"):
            result = given(replace(checked, problems=problems))
            found[f"study check {label} {more}"] = printed(f"study check a.toml {more}", study, "check", result)
    found["study new"] = printed("study new 'a b.toml'", study, "new", given("a b.toml"))
    verdict = SimpleNamespace()
    for more in ("", "--json"):
        result = study.Played([], type(verdict), META, folder=Path("mine"))
        found[f"study play {more}"] = printed(f"study play a.toml {more}", study, "play", given(result))
    row = again.Difference("runs/a.sqlite", "0-1-2", "result", "1-0", "0-1")
    for label, rows in (("none", ()), ("two", (row, row))):
        for more in ("", "--json", "--style github"):
            result = study.Verified(rows, again.Difference, META, games=1234, remarks=("one", "two"))
            found[f"study verify {label} {more}"] = printed(f"study verify a {more}", study, "verify", given(result))
    for more in ("", "--json", "--style csv"):
        found[f"elo of no pairings {more}"] = printed(
            f"elo r.sqlite {more}", strength, "elo", given(Measured([], Duel))
        )
        found[f"no runs {more}"] = printed(f"list a {more}", runs, "runs", given(([], ["a.sqlite: damaged"])))
        found[f"no runs here {more}"] = printed(f"list {more}", runs, "runs", given(([], [])))
    holds("cli-studies", found, request)
