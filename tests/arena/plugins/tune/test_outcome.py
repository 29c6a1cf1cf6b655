"""What a tuning asks and comes to, and what its command prints."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace as Row

import numpy as np
import pytest
from tqdm import tqdm

from agents.board import Rules
from agents.errors import InputError
from arena.games.progress import cores
from arena.plugins.tune import job
from arena.plugins.tune.tuning import Held, TuningResult, held, verdict
from arena.records import Interval
from arena.statistics.means import mean_interval


@pytest.mark.parametrize("tuned", [[1.0, 1.0, 0.0, 1.0], [1.0]])
def test_both_are_held_against_each_other_question_by_question(tuned):
    start = [1.0, 0.0, 0.0, 0.0][: len(tuned)]
    row = held("train", np.array(start), np.array(tuned))
    mean = mean_interval([one - other for one, other in zip(tuned, start, strict=True)])
    assert (row.set, row.questions, row.start, row.tuned) == ("train", len(tuned), np.mean(start), np.mean(tuned))
    ends = [mean.value if end is None else end for end in (mean.low, mean.high)]
    assert row.gain == Interval(mean.value, *ends)


@pytest.mark.parametrize(("gain", "sentence"), [
    ((0.05, 0.03, 0.0712), ("new(1) answers better than old(1) at depth 4, +5.0 [+3.0 to +7.1] points of a hundred on "
                           "1,000 questions held out; no game was played.")),
    ((0.01, -0.01, 0.03), ("Keep old(1): new(1) is not shown to gain, +1.0 [-1.0 to +3.0] points of a hundred on 1,000 "
                          "questions held out.")),
    ((0.01, 0.0, 0.03), ("Keep old(1): new(1) is not shown to gain, +1.0 [+0.0 to +3.0] points of a hundred on 1,000 "
                        "questions held out.")),
    ((-0.02, -0.03, 0.0), ("Keep old(1): new(1) is not shown to gain, -2.0 [-3.0 to +0.0] points of a hundred on 1,000 "
                          "questions held out.")),
    ((-0.02, -0.03, -0.01), ("Keep old(1): new(1) answers worse, -2.0 [-3.0 to -1.0] points of a hundred on 1,000 "
                            "questions held out.")),
])  # fmt: skip
def test_the_verdict_claims_no_more_than_the_held_out_set_shows(gain, sentence):
    held_out = Held("held out", 1000, 0.8, 0.85, Interval(*gain))
    assert verdict("old(1)", "new(1)", 4, held_out) == sentence


def test_where_nothing_better_was_found_the_start_is_kept():
    held_out = Held("held out", 1000, 0.8, 0.81, Interval(0.01, -0.01, 0.03))
    assert verdict("a(1)", "a(1)", 4, held_out).startswith("Keep a(1): nothing that was tried")


@pytest.mark.parametrize(("board", "best", "workers", "words"), [
    ("7x6x4", 2, None, "arena compare 'h(2)' 'h(1)' --search minimax --depth 3"),
    ("5x4", 2, 2, "arena compare 'h(2)' 'h(1)' --search minimax --depth 3 --board 5x4x4"), ("5x4", 1, 1, ""),
])  # fmt: skip
def test_a_tuning_searches_on_one_half_tests_on_both_and_names_the_comparison(monkeypatch, board, best, workers, words):
    asked, bars, family = [], [], Row(start=(1,), text=lambda weights: f"h({weights[0]})")

    def progress(unit, total=None, **more):
        bars.append((tqdm(total=total, file=io.StringIO()), unit, more))
        return bars[-1][0]

    class Tuned:
        def __init__(self, *given):
            asked.append(given)
            self.start, self.family, self.values = "h(1)", family, {"h(1)": 0.5, "h(2)": 0.6, "h(3)": 0.1}

        def search(self, train, evaluations, seed, tried):
            asked.append((train, evaluations, seed))
            tried(0.5)
            tried(0.98765)

        def best(self):
            return (best,)

        def answers(self, part, weights):
            return np.array([float(weights == (2,) and each == "won") for each in part])

    def halves(positions, seed, rules, threads, solved):
        asked.append((positions, seed, rules, threads))
        solved()
        return ["won", "lost"], ["won", "lost", "lost", "lost"]

    monkeypatch.setattr("arena.plugins.tune.tuning.Tuning", Tuned)
    monkeypatch.setattr("arena.plugins.tune.tuning.sets", halves)
    settings = {"search": "minimax", "depth": 3, "positions": 8, "evaluations": 5, "seed": 6, "workers": workers}
    tuned = job.tune("h(1)", **settings, rules=board, progress=progress)
    rules = Rules.parse(board)
    assert asked == [("h(1)", "minimax", 3, rules), (8, 6, rules, cores(workers)), (["won", "lost"], 5, 6)]
    assert (tuned.start, tuned.tuned, tuned.depth, tuned.tried) == ("h(1)", f"h({best})", 3, 3)
    assert [(row.set, row.questions, row.start, row.tuned) for row in (tuned.train, tuned.held_out)] == [
        ("train", 2, 0.0, 0.5 * (best - 1)), ("held out", 4, 0.0, 0.25 * (best - 1))
    ]  # fmt: skip
    assert tuned.verdict == verdict("h(1)", f"h({best})", 3, tuned.held_out)
    assert (tuned.compare, tuned.meta["seed"]) == (words, 6)
    assert [(shown.n, shown.total, unit, shown.postfix, more) for shown, unit, more in bars] == [
        (1, None, "position", None, {"desc": "solving"}), (2, 5, "try", "best 0.9877", {})
    ]  # fmt: skip


SETS = (
    Held("train", 1234, 0.5, 0.75, Interval(0.25, 0.125, 0.375)),
    Held("held out", 1235, 0.625, 0.6, Interval(-0.025, -0.0512, 0.0)),
)
TUNED = TuningResult("a(1)", "a(2)", 4, 1300, *SETS, "The verdict.", "arena compare …", {"seed": 1})


def test_tunings_are_equal_where_all_is_but_their_times_and_a_document_has_all_of_both_sets():
    assert replace(TUNED, meta={}) == replace(TUNED, meta={"seed": 2, "ended": "later"}) == TUNED
    assert TuningResult("a(1)", "a(2)", 4, 1300, *SETS, "The verdict.", "arena compare …") == TUNED
    train, test = SETS
    others = {"start": "a(3)", "tuned": "a(3)", "depth": 5, "tried": 301, "train": test, "held_out": train,
              "verdict": "Another.", "compare": ""}  # fmt: skip
    assert [name for name, value in others.items() if replace(TUNED, **{name: value}) == TUNED] == []
    assert list(TUNED.document().items()) == [
        ("start", "a(1)"), ("tuned", "a(2)"), ("depth", 4), ("tried", 1300),
        ("train", {"set": "train", "questions": 1234, "start": 0.5, "tuned": 0.75,
                   "gain": 0.25, "gain_low": 0.125, "gain_high": 0.375}),
        ("held_out", {"set": "held out", "questions": 1235, "start": 0.625, "tuned": 0.6,
                      "gain": -0.025, "gain_low": -0.0512, "gain_high": 0.0}),
        ("verdict", "The verdict."), ("compare", "arena compare …"), ("meta", {"seed": 1}),
    ]  # fmt: skip


def test_the_command_prints_both_sets_the_verdict_and_what_comes_next(arena, monkeypatch):
    monkeypatch.setattr(job, "tune", lambda *_, **__: TUNED)
    done = arena("tune", "a(1)")
    assert (done.code, done.err) == (0, "next: arena compare …\n")
    lines = done.out.splitlines()
    assert lines[0].startswith("a(2), the best of 1,300 tried from a(1): clear-cut positions answered well, at depth 4")
    assert [re.split(" {2,}", line) for line in lines if line.startswith(("set", "train", "held"))] == [
        ["set", "questions", "start", "tuned", "gain", "95 %"],
        ["train", "1,234", "50.0 %", "75.0 %", "+25.0", "+12.5 … +37.5"],
        ["held out", "1,235", "62.5 %", "60.0 %", "-2.5", "-5.1 … +0.0"],
    ]
    assert "95 %: range that probably holds the true gain" in lines
    assert "The verdict." in lines
    done = arena("tune", "a(1)", "--json")
    document = json.loads(done.out)
    names = ("set", "questions", "start", "tuned", "gain")
    assert [tuple(document[part][name] for name in names) for part in ("train", "held_out")] == [
        (row.set, row.questions, row.start, row.tuned, row.gain.value) for row in SETS
    ]  # fmt: skip
    assert (document["start"], document["tuned"], document["depth"], document["tried"]) == ("a(1)", "a(2)", 4, 1300)
    assert (document["verdict"], document["compare"]) == ("The verdict.", "arena compare …")
    assert (document["meta"]["seed"], done.err) == (1, "next: arena compare …\n")
    monkeypatch.setattr(job, "tune", lambda *_, **__: replace(TUNED, compare=""))
    assert arena("tune", "a(1)").err == arena("tune", "a(1)", "--json").err == ""


@pytest.mark.parametrize(("words", "asked"), [
    ("", ("alphabeta:order=centre", 4, 4000, 300, 1, None, Rules())),
    ("--search minimax --depth 3 --positions 8 --evaluations 5 --seed 6 -j 2 --board 5x4",
     ("minimax", 3, 8, 5, 6, 2, Rules(5, 4))),
    ("--positions some.jsonl", ("alphabeta:order=centre", 4, Path("some.jsonl"), 300, 1, None, Rules())),
])  # fmt: skip
def test_the_command_asks_for_what_its_options_say(arena, monkeypatch, words, asked):
    settings = []
    monkeypatch.setattr(job, "tune", lambda **more: settings.append(more) or TUNED)
    assert arena("tune", "a(1)", *words.split()).code == 0
    names = ("heuristic", "search", "depth", "positions", "evaluations", "seed", "workers", "rules")
    assert [tuple(more[name] for name in names) for more in settings] == [("a(1)", *asked)]


@pytest.mark.parametrize(
    ("name", "value", "span"), [("depth", 0, "1 to 64"), ("depth", 65, "1 to 64"), ("evaluations", 1, "2")]
)
def test_a_number_beyond_its_bounds_is_refused_by_its_name(name, value, span):
    with pytest.raises(InputError, match=f"^{name} is a whole number from {span}, not {value}$"):
        job.tune("windows(1,10,100,1000)", **{name: value})
