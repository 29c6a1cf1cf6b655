import re
from typing import get_args

import pytest
from hand_made import frames, pairs_of, run_of

from arena.statistics import sprt
from arena.statistics.sprt import Sprt
from arena.store.run_file import Store
from arena.table.rows import described
from arena.tournament import tables as report
from arena.tournament.answer import answer
from arena.tournament.figures import pictures
from arena.tournament.pairings import Look, evidence, sprt_estimate

TEST = Sprt(0, 60, model="logistic")
ENDS = ("00",) * 3 + ("0=",) * 5 + ("==",) * 30 + ("1=",) * 14 + ("11",) * 12
COUNTS = [3, 5, 30, 14, 12]


@pytest.fixture
def looked(tmp_path):
    """Store the pairs of ENDS and looks of a test after so many of them, and return the tables."""

    def store(looks):
        openings = [f"{1 + number // 7}{1 + number % 7}" for number in range(len(ENDS))]
        path = run_of(tmp_path / "run.sqlite", ("greedy", "random"), pairs_of(*ENDS), openings=openings, sprt=str(TEST))
        with Store.resume(path) as kept:
            for pairs, counts in looks:
                kept.add_evidence([(pairs, TEST.weigh(counts))])
        return frames(path)

    return store


def test_the_last_look_says_that_a_match_has_stopped_and_how_strong_that_makes_it(looked):
    found = looked([(1, [1, 0, 0, 0, 0]), (10, [3, 5, 2, 0, 0]), (64, COUNTS)])
    assert [(look.pairs, look.decision) for look in evidence(found)] == [(1, "continue"), (10, "continue"), (64, "H1")]
    assert sprt_estimate(found) == sprt.sprt_estimate(TEST, COUNTS)
    line, *others = report.parts(found)[-1].split("\n")
    assert "H0 +0 and H1 +60 Elo: H1 accepted after 64 pairs, LLR " in line
    assert others == answer(found) != []
    assert [(row["pairs"], row["decision"]) for row in report.document(found)["sprt"]] == [
        (1, "continue"), (10, "continue"), (64, "H1"),
    ]  # fmt: skip


def test_the_decision_of_a_look_is_described_with_the_values_that_it_may_have():
    meanings = {field.name: field.meaning for field in described(Look)}
    assert re.findall("`(.+?)`", meanings["decision"]) == list(get_args(sprt.Decision))
    for bound, hypothesis in (("lower", "H0"), ("upper", "H1")):
        assert re.findall("H[01]", meanings[bound]) == [hypothesis]


def test_a_match_that_goes_on_has_not_been_stopped(looked):
    found = looked([(10, [0, 0, 0, 0, 10]), (64, [5, 5, 36, 10, 8])])
    assert evidence(found)[-1].decision == "continue"
    assert sprt_estimate(found) is None


def test_pairs_that_the_last_look_has_not_seen_leave_nothing_to_tell(looked):
    assert sprt_estimate(looked([(10, [0, 0, 0, 0, 10]), (63, COUNTS)])) is None


def test_the_figure_of_a_test_names_what_each_bound_accepts(looked):
    [drawn] = [picture for picture in pictures(looked([(64, COUNTS)])) if picture.name == "sprt"]
    assert [text.get_text() for text in drawn.axes().texts] == ["H0 accepted: +0 Elo", "H1 accepted: +60 Elo"]
