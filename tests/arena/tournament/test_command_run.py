"""Runs in a process of their own: killed, interrupted, and read through a pipe that closes early."""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command import ENVIRONMENT, PROGRAM, finished, started, stored, wait_for
from played import GAMES, rows
from samples import ODD

SLOW = f"{ODD}:Slow"  # 20 ms a move, so that there is time to interrupt a game


WORDS = ["random", "greedy", SLOW, "--rounds", 2, "--out", "run.sqlite"]


def test_a_file_that_is_being_written_is_shown_but_not_resumed(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    process = started(tmp_path, "run", *WORDS, "-j", 1)
    try:
        wait_for(lambda: stored(tmp_path / "run.sqlite") >= 1, process)
        done = arena("run", "--resume", "run.sqlite")
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert done.err.startswith(f"arena: run.sqlite is being written by another run (process {process.pid}, since ")
        done = arena("show", "run.sqlite", "--json")
        assert (done.code, done.err) == (0, "")
        assert json.loads(done.out)["games"]["planned"] == 12
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_agents_that_take_their_process_along_lose_and_the_run_goes_on(tmp_path):
    agents = [f"{ODD}:{name}" for name in ("Dies", "Killed", "Leftmost")]
    code, out, err = finished(tmp_path, "run", "greedy", *agents, "--rounds", 1, "-j", 2, "--json")
    assert code == 0
    document = json.loads(out)
    assert document["games"]["played"] == 12
    faults = {row["agent"]: row["faults"] for row in document["standings"]}
    assert faults == {"greedy": 0, **dict(zip(agents, (4, 6, 0), strict=True))}
    said = " ".join(err.split())
    assert f"fault of {ODD}:Dies (4 games): left (exit code 3)" in said
    assert f"fault of {ODD}:Killed (6 games): crashed (SIGKILL)" in said


def test_a_file_that_may_grow_no_more_ends_the_run_in_one_line(arena, tmp_path, monkeypatch):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

    words = ["run", "random", "greedy", "--rounds", 60, "-j", 1, "--out", "run.sqlite"]
    code, out, err = finished(tmp_path, *words, preexec_fn=limit)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.endswith("; what was played is kept, arena run --resume run.sqlite continues\n")
    kept = rows(tmp_path / "run.sqlite", GAMES)
    assert len(kept) > 10
    monkeypatch.chdir(tmp_path)
    done = arena("run", "--resume", "run.sqlite", "-j", 1, "--json", "-q")
    assert done.code == 0
    assert json.loads(done.out)["games"]["played"] == 120
    assert set(kept) < set(rows(tmp_path / "run.sqlite", GAMES))


def test_a_run_whose_tables_nobody_reads_is_stored_without_a_word_of_it(tmp_path):
    process = started(tmp_path, "run", "random", "greedy", "--rounds", 2, "-j", 1, "--out", "run.sqlite")
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "")
    assert stored(tmp_path / "run.sqlite") == 4


def test_a_full_standard_output_is_one_line(tmp_path):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [*PROGRAM, "heuristics"], cwd=tmp_path, env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, text=True,
            check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "arena: No space left on device\n"


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["depths", "--help"], ["show", "--help"]])
def test_help_imports_neither_numba_nor_pandas(tmp_path, words):
    program = (
        "import sys; from arena.cli import cli; cli.main(sys.argv[1:], standalone_mode=False);"
        "assert not {'numba', 'numpy', 'pandas', 'tqdm'} & sys.modules.keys(), sys.modules.keys()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_show_does_not_import_numba(arena, tmp_path):
    assert arena("run", "random", "greedy", "--rounds", 1, "-j", 1, "--out", tmp_path / "run.sqlite").code == 0
    program = (
        "import sys; from arena.cli import cli; cli.main(sys.argv[1:], standalone_mode=False);"
        "assert 'numba' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "show", "run.sqlite"],
        cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [(), ("--in-process",)])
def test_a_text_for_a_score_is_warned_of_once_and_costs_no_game(arena, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    answer = arena("run", f"{ODD}:Fractions", "greedy", "--rounds", 3, "-j", 1, "--out", "run.sqlite", "--json", *words)
    assert answer.code == 0
    assert answer.err.count("its score '0.5' is no number of at most 64 bits, and is not kept") == 1
    assert [row["faults"] for row in json.loads(answer.out)["standings"]] == [0, 0]
