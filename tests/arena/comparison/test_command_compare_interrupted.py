from arena.games.workers import InProcess
from arena.store.run_file import Store

WORDS = ["compare", "smart-aware", "powers-of-ten", "--depth", "1,2", "--rounds", 2, "-j", 1, "-q"]


def interrupt(monkeypatch, games):
    """Press Ctrl-C after so many games."""
    real = InProcess.play

    def play(self, jobs):
        for number, record in enumerate(real(self, jobs)):
            if number == games:
                raise KeyboardInterrupt
            yield record

    monkeypatch.setattr(InProcess, "play", play)


def test_an_interrupted_comparison_shows_what_it_has_and_is_continued_as_a_run(arena, tmp_path, monkeypatch):
    whole, path = tmp_path / "whole.sqlite", tmp_path / "run.sqlite"
    assert arena(*WORDS, "--out", whole).code == 0
    with monkeypatch.context() as patch:
        interrupt(patch, 5)
        done = arena(*WORDS, "--out", path)
    assert done.code == 130
    assert f"to play the rest: arena run --resume {path}" in done.err
    assert "depth 1  smart-aware" in done.out
    assert arena("run", "--resume", path, "-j", 1, "-q").code == 0
    shown = arena("show", path, "--table", "standings").out
    assert "Standings of pool 1 of 2: 4 games each" in shown
    assert "Standings of pool 2 of 2: 4 games each" in shown
    assert "all agents have order=centre,depth=2" in shown
    with Store.read(path) as one, Store.read(whole) as other:
        query = "SELECT key, moves, result FROM game ORDER BY key"
        assert one.select(query) == other.select(query)


def test_a_comparison_that_is_interrupted_at_once_prints_no_table(arena, tmp_path, monkeypatch):
    interrupt(monkeypatch, 1)
    done = arena(*WORDS, "--out", tmp_path / "run.sqlite")
    assert (done.code, done.out) == (130, "")
