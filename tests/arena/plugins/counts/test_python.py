import json

import pandas as pd
import pytest

from agents.errors import InputError
from arena.plugins import counts


def test_a_command_and_its_function_say_the_same(arena, played):
    def printed(*words):
        return json.loads(arena(*words, "--json").out)

    for numbers in ([89, 123, 76], [1, 2, 4, 2, 1], [0, 0, 0, 0, 5]):
        strength, told = counts.elo(numbers), printed("elo", *numbers)
        assert told == {name: getattr(strength, name) for name in told}
        assert {"score", "low", "high", "level", "more", "basis"} < told.keys()
    models = ("--alpha", 0.01, "--beta", 0.2, "--model", "logistic")
    for numbers, ends in (([3, 9, 8], (0, 20)), ([39, 86, 300, 140, 120], (0, 60)), ([1, 2, 300, 2, 0], (10, 60))):
        weighed = counts.sprt(numbers, *ends, alpha=0.01, beta=0.2, model="logistic")
        told = printed("sprt", *numbers, "--elo0", ends[0], "--elo1", ends[1], *models)
        assert [told[name] for name in ("llr", "lower", "upper", "decision")] == [
            weighed.llr, weighed.lower, weighed.upper, weighed.decision,
        ]  # fmt: skip
        assert (told["elo"], told["low"], told["high"]) == (
            (weighed.estimate.value, weighed.estimate.low, weighed.estimate.high) if weighed.estimate else (None,) * 3
        )
    assert [row["agent"] for row in printed("rate", played.path)] == list(counts.rate(played)["agent"])


def test_counts_may_come_from_numpy_and_pandas():
    assert counts.elo(pd.Series([1, 2, 3])) == counts.elo([1, 2, 3])
    assert counts.sprt(pd.Series([1, 2, 3]).to_numpy(), 0, 10) == counts.sprt((1, 2, 3), 0, 10)


@pytest.mark.parametrize("text", ["89,123,76", "89 123 76", "1-2-3", "-1.5", "1" * 200])
def test_counts_in_one_text_are_told_how_they_are_written(text):
    with pytest.raises(InputError, match="worst first, as in ") as raised:
        counts.elo(text)
    assert str(raised.value).endswith(f", not {repr(text)[:80]}")
    with pytest.raises(InputError, match=r"^there is no file 1-2-x$"):
        counts.elo("1-2-x")


@pytest.mark.parametrize("value", [5, None, ["x" * 200]])
def test_what_is_no_run_is_told_what_may_be_rated_and_what_it_is_itself(value):
    with pytest.raises(InputError, match=r"^run is a run, its file or a CSV file, not ") as raised:
        counts.rate(value)
    assert str(raised.value).endswith(f" not {repr(value)[:80]}")


def test_true_is_no_count():
    with pytest.raises(InputError, match="'True' is not a count"):
        counts.elo([1, 2, True])
