"""What commands say and leave where Ctrl-C or a limit ends them."""

import itertools
import json
import shlex
from dataclasses import replace
from types import SimpleNamespace

import pytest
from needs import needed

from agents.jit.compiler import JIT
from arena.cli.output import Output
from arena.perfect import audit as audits
from arena.perfect import grade as grades
from arena.perfect import solve as exact
from arena.tournament import command_options, tournaments

RUN = "greedy random --rounds 1 --board 4x4 --openings plies:2 -j 1 -q --style csv --table crosstable"


@pytest.fixture
def ended(arena, tmp_path, monkeypatch):
    """A function that runs a command while a function of the API has a stand-in: its code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(line, module, name, stand_in, stdin=""):
        with monkeypatch.context() as patch:
            real = getattr(module, name)
            patch.setattr(module, name, lambda *given, **named: stand_in(real, *given, **named))
            return arena(*shlex.split(line), stdin=stdin)

    return run


def interrupted(real, *given, **named):
    """Stand in for what is interrupted at once."""
    raise KeyboardInterrupt


def asis(real, *given, **named):
    """Stand in for itself."""
    return real(*given, **named)


def solving(count):
    """Stand in for what is interrupted after some positions."""

    def solve(real, boards, **named):
        real(itertools.islice(boards, count), **named)
        raise KeyboardInterrupt

    return solve


def but(few=None, **changed):
    """Stand in for a result with other fields; those that can be called are asked, given the field.

    few: how many are asked for, instead of what the command asks for.
    """

    def asking(real, *given, **named):
        found = real(*given if few is None else (few,), **named)
        return replace(
            found, **{key: each(getattr(found, key)) if callable(each) else each for key, each in changed.items()}
        )

    return asking


FEW = "solve 121212 212121 1122 --board 4x4 --threads 1"


@pytest.mark.parametrize("style", ["", "--json"])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_what_was_solved_before_an_interruption_is_printed_and_counted(ended, count, style):
    done = ended(f"{FEW} {style}", exact, "solve", solving(count))
    assert (done.code, f"interrupted after {count} position" in done.err) == (130, True)
    solved = [row["position"] for row in json.loads(done.out)] if style else [row[:6] for row in done.out.splitlines()]
    assert solved == ["121212", "212121"][:count]


@pytest.mark.parametrize("style", ["", "--json"])
@pytest.mark.process
def test_lines_before_a_wrong_one_are_solved(ended, style):
    done = ended(f"solve - --board 4x4 --threads 1 {style}", exact, "solve", asis, "121212\n\n1122 0\n9\n33\n")
    assert (done.code, "line 4" in done.err) == (2, True)
    rows = json.loads(done.out) if style else done.out.splitlines()
    found = [(row["position"], row["score"]) if style else tuple(row.split()[:2]) for row in rows]
    assert [(position, int(score)) for position, score in found][:2] == [("121212", 5), ("1122", 0)]


@pytest.mark.parametrize("style", ["", "--json"])
@pytest.mark.parametrize("number", [0, 2])
def test_random_positions_before_an_interruption_are_printed_and_counted(ended, number, style):
    part = but(interrupted=True, rows=lambda rows: rows[:number], few=3)
    done = ended(f"solve --random 1200 --board 4x4 --plies 9 -q --threads 1 {style}", exact, "solve_random", part)
    assert (done.code, f"interrupted after {number} of 1,200 positions" in done.err) == (130, True)
    assert len(json.loads(done.out) if style else done.out.splitlines()) == number


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.process
def test_grades_before_an_interruption_are_printed_and_counted(ended, number):
    grade = "grade greedy minimax --depth 1,2 --positions 9 --board 4x4 -q --json"
    done = ended(grade, grades, "grade", but(interrupted=True, rows=lambda rows: rows[:number]))
    assert (done.code, f"interrupted after {number} of 3 rows" in done.err) == (130, True)
    assert len(json.loads(done.out)) == number


def test_an_assignment_that_is_interrupted_says_so(ended):
    done = ended("assignment a.py", needed("arena.plugins.assignment.job"), "assignment", interrupted)
    assert (done.code, "interrupted" in done.err) == (130, True)


def nothing(real, run, workers, **named):
    """Stand in for what is interrupted before the first game has ended, and leaves no file."""
    run.store.path.unlink()
    raise KeyboardInterrupt


def stopping(real, run, workers, **named):
    """Stand in for a limit that is reached before the first game has ended, and leaves no file."""
    run.store.path.unlink()
    return False


def playing(count):
    """Stand in for what is interrupted after some games."""

    def play(real, run, workers, **named):
        real(run, workers, **named | {"games": count})
        raise KeyboardInterrupt

    return play


REST = "to play the rest: arena run --resume"
NOTHING = "nothing is stored"


@pytest.mark.parametrize(
    ("words", "stand_in", "code", "said"),
    [
        ("--out 'a b.sqlite'", playing(1), 130, f"interrupted; {REST} 'a b.sqlite'"),
        ("--out c.sqlite --audit", playing(1), 130, f"interrupted; {REST} c.sqlite --audit"),
        ("--no-store", playing(1), 130, f"interrupted; {NOTHING}"),
        ("--out d.sqlite", nothing, 130, f"interrupted before a game had ended: {NOTHING}"),
        ("--no-store", nothing, 130, f"interrupted before a game had ended: {NOTHING}"),
        ("--out e.sqlite", stopping, 0, f"nothing was played, {NOTHING}"),
        ("--no-store", stopping, 0, f"nothing was played, {NOTHING}"),
        ("--games 1 --out h.sqlite --audit", asis, 0, f"stopped as asked; {REST} h.sqlite --audit"),
        ("--games 1 --no-store", asis, 0, f"stopped as asked\n{NOTHING}"),
        ("--out 'i j.sqlite'", asis, 0, "arena games 'i j.sqlite'\n      arena report 'i j.sqlite'"),
        ("--games 1", asis, 0, f"stopped as asked; {REST} results/run-"),
    ],
)  # fmt: skip
def test_a_run_says_what_is_stored_and_how_it_goes_on(ended, words, stand_in, code, said):
    done = ended(f"run {RUN} {words}", tournaments, "play", stand_in)
    assert (done.code, said in done.err) == (code, True)
    played = {nothing: 0, stopping: 0, asis: 1 if "--games 1" in words else 2}.get(stand_in, 1)
    assert [row.split(",")[2] for row in done.out.splitlines()[1:]] == [str(played)] * (2 if played else 0)


@pytest.mark.parametrize(("whole", "audit", "code"), [(True, True, 3), (True, False, 0), (False, True, 0)])
def test_a_run_that_was_stopped_as_asked_is_not_audited(tmp_path, monkeypatch, whole, audit, code):
    asked, path = [], tmp_path / "run.sqlite"
    path.touch()
    monkeypatch.setattr(tournaments, "play", lambda *_, **__: whole)
    monkeypatch.setattr(command_options, "ask", lambda *_: lambda *given: asked.append(given) or 3)
    settings = command_options.PlaySettings(None, None, None, no_store=False, audit=audit, games=None)
    assert settings.play(SimpleNamespace(store=SimpleNamespace(path=path)), 2, Output.of()) == code
    assert asked == ([(path, 2, Output.of())] if code else [])


@pytest.mark.parametrize(
    ("words", "stand_in", "code", "said"),
    [("--out k.sqlite", playing(1), 130, f"interrupted; {REST} k.sqlite"), ("--out l.sqlite", nothing, 130, NOTHING),
     ("--out m.sqlite --games 1", asis, 0, f"stopped as asked; {REST} m.sqlite")],
)  # fmt: skip
def test_a_comparison_says_so_likewise_and_tells_no_answer(ended, words, stand_in, code, said):
    compare = "compare zero parity --depth 1 --rounds 1 --board 4x4 --openings plies:2 -j 1 -q --style csv"
    done = ended(f"{compare} {words}", tournaments, "play", stand_in)
    assert (done.code, done.out, said in done.err) == (code, "", True)


@pytest.mark.skipif(not JIT, reason="the audits take long as plain Python")
@pytest.mark.process
def test_an_audit_that_was_interrupted_goes_on_with_its_run_or_alone(ended):
    done = ended(f"run {RUN} --out j.sqlite --audit", audits, "audit", interrupted)
    assert (done.code, f"{REST} j.sqlite --audit" in done.err) == (130, True)
    for words in ("", "--json", "--table ranges"):
        done = ended(f"audit j.sqlite -j 1 -q {words}", audits, "audit", interrupted)
        assert (done.code, "to audit the rest: arena audit j.sqlite" in done.err) == (130, True)
    done = ended("run --resume j.sqlite --audit -j 1 -q --table audit --json", tournaments, "play", asis)
    assert (done.code, {row["agent"] for row in json.loads(done.out)}) == (0, {"greedy", "random"})
    assert ended("audit j.sqlite -j 1 -q", audits, "audit", asis).code == 0


@pytest.mark.process
def test_an_audit_waits_until_a_run_is_whole_and_stored(ended):
    asked = []

    def noting(real, path, workers, **named):
        asked.append((str(path), workers))

    for words in ("--out v.sqlite", "--out w.sqlite --games 1", "--no-store --games 1"):
        ended(f"run {RUN} --audit {words}", audits, "audit", noting)
    assert asked == [("v.sqlite", 1)]
