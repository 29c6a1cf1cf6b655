import json

import pandas as pd
import pytest

from agents.errors import InputError
from arena.plugins import counts


def test_a_command_and_its_function_say_the_same(arena, played):
    def printed(*words):
        return json.loads(arena(*words, "--json").out)

    assert printed("elo", 89, 123, 76)["elo"] == counts.elo([89, 123, 76]).elo
    assert printed("sprt", 3, 9, 8, "--elo0", 0, "--elo1", 20)["llr"] == counts.sprt([3, 9, 8], 0, 20).llr
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
