"""What commands say and leave where Ctrl-C or a limit ends them."""

import itertools
import re
import shlex
from dataclasses import replace

import pytest
from needs import needed
from recorded import holds
from transcript import masked

from agents.jit.compiler import JIT
from arena.perfect import audit as audits
from arena.perfect import grade as grades
from arena.perfect import solve as exact
from arena.tournament import tournaments

pytestmark = pytest.mark.process

RUN = "greedy random --rounds 1 --board 4x4 --openings plies:2 -j 1 -q --style csv --table crosstable"


@pytest.fixture
def ended(arena, tmp_path, monkeypatch):
    """A function that runs a command while a function of the API has a stand-in, and returns all that it printed."""
    monkeypatch.chdir(tmp_path)

    def run(line, module, name, stand_in, stdin=""):
        with monkeypatch.context() as patch:
            real = getattr(module, name)
            patch.setattr(module, name, lambda *given, **named: stand_in(real, *given, **named))
            done = arena(*shlex.split(line), stdin=stdin)
        text = masked(f"{done.out}{''.join(f'! {line}' for line in done.err.splitlines(keepends=True))}")
        lines = text.replace(str(tmp_path), "~").splitlines()
        return [*(re.sub(r"^(\d+ -?\d+ \d+) \d+|(\"seconds\":) .*", r"\1\2 ~", line) for line in lines), done.code]

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


def test_what_is_solved_is_printed_and_counted(ended, request):
    few = "solve 121212 212121 1122 --board 4x4 --threads 1"
    found = {f"{few} after {count}": ended(few, exact, "solve", solving(count)) for count in range(3)}
    found["as JSON"] = ended(f"{few} --json", exact, "solve", solving(2))
    found["as JSON after none"] = ended(f"{few} --json", exact, "solve", solving(0))
    lines = "121212\n\n1122 0\n9\n33\n"
    for line in ("solve - --board 4x4 --threads 1", "solve - --board 4x4 --threads 1 --json"):
        found[f"{line} of lines"] = ended(
            line, exact, "solve", lambda real, *given, **named: real(*given, **named), lines
        )
    found["hand-ins"] = ended("assignment a.py", needed("arena.plugins.assignment.job"), "assignment", interrupted)
    random = "solve --random 1200 --board 4x4 --plies 9 -q --threads 1"
    part = but(interrupted=True, rows=lambda rows: rows[:2], few=3)
    found["random positions"] = ended(random, exact, "solve_random", part)
    found["no random positions"] = ended(random, exact, "solve_random", but(interrupted=True, rows=[], few=3))
    found["random positions as JSON"] = ended(f"{random} --json", exact, "solve_random", part)
    grade = "grade greedy minimax --depth 1,2 --positions 9 --board 4x4 -q --style csv"
    found["grades"] = ended(grade, grades, "grade", but(interrupted=True, rows=lambda rows: rows[:1]))[-2:]
    found["no grades"] = ended(grade, grades, "grade", but(interrupted=True, rows=[]))
    found["no grades as JSON"] = ended(f"{grade} --json", grades, "grade", but(interrupted=True, rows=[]))
    holds("cli-interrupted", found, request)


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


@pytest.mark.skipif(not JIT, reason="the audits take long as plain Python")
def test_a_run_says_what_is_stored_and_how_it_goes_on(ended, request):
    found, command = {}, f"run {RUN}"
    for number, (words, stand_in) in enumerate([
        ("--out 'a b.sqlite'", playing(1)), ("--out c.sqlite --audit", playing(1)),
        ("--no-store", playing(1)), ("--out d.sqlite", nothing), ("--no-store", nothing), ("--out e.sqlite", stopping),
        ("--out f.sqlite --json", stopping), ("--out g.sqlite --style json", stopping), ("--no-store", stopping),
    ]):  # fmt: skip
        found[f"{number}: run {words}"] = ended(f"{command} {words}", tournaments, "play", stand_in)
    for words in ("--games 1 --out h.sqlite --audit", "--games 1 --no-store", "--out i.sqlite", "--games 1"):
        found[f"run {words}"] = ended(f"{command} {words}", tournaments, "play", asis)
    found["the audit after a run"] = ended(f"{command} --out j.sqlite --audit", audits, "audit", interrupted)
    found["the rest of it"] = ended("run --resume j.sqlite --audit -j 1 -q --table audit", tournaments, "play", asis)
    compare = "compare zero parity --depth 1 --rounds 1 --board 4x4 --openings plies:2 -j 1 -q --style csv"
    found["a comparison"] = ended(f"{compare} --out k.sqlite", tournaments, "play", playing(1))
    found["a comparison of nothing"] = ended(f"{compare} --out l.sqlite", tournaments, "play", nothing)
    found["a comparison stopped"] = ended(f"{compare} --out m.sqlite --games 1", tournaments, "play", asis)
    audit = "audit 'a b.sqlite' -j 1 -q --style csv"
    for words in ("", "--json", "--table ranges"):
        found[f"audit {words}"] = ended(f"{audit} {words}", audits, "audit", interrupted)
    found["audit as it is"] = ended(audit, audits, "audit", asis)
    asked = []

    def noting(real, path, workers, **named):
        asked.append([str(path), workers])

    for words in ("--out v.sqlite", "--out w.sqlite --games 1", "--no-store --games 1"):
        ended(f"{command} --audit {words}", audits, "audit", noting)
    found["audits that were asked for"] = asked
    holds("cli-rests", found, request)
