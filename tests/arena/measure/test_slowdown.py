import json

import pytest

from agents.errors import InputError
from arena.measure import bench
from arena.measure.bench import Speed
from arena.rows import plain

ROUNDS = (1.02, 1.0, 1.01, 1.04, 1.03, 1.0, 1.02)


def speed(agent, times=1.0, position=""):
    rounds = tuple(times * each for each in ROUNDS)
    return Speed(agent, position, 100, min(rounds), 100 / min(rounds), rounds)


def test_a_search_is_slower_or_faster_only_where_all_of_its_interval_is_beyond_the_limit():
    now = [speed("much", 1.5), speed("hardly", 1.04), speed("not", 1.0), speed("quick", 0.5)]
    rows = bench.slowdowns([speed(row.agent) for row in now], now)
    assert [row.verdict for row in rows] == ["slower", "alike", "alike", "faster"]
    assert [row.ratio.value for row in rows] == pytest.approx([1.5, 1.04, 1.0, 0.5], rel=0.01)
    assert all(row.ratio.low <= row.ratio.value <= row.ratio.high for row in rows)
    assert [row.verdict for row in bench.slowdowns([speed("much")], [now[0]], 1.6)] == ["alike"]
    for limit, times, verdict in ((1.6, 0.55, "faster"), (3.0, 0.3, "faster"), (3.0, 0.4, "alike"),
                                  (3.0, 3.2, "slower"), (1.0, 1.1, "slower"), (1.0, 0.9, "faster"),
                                  (1.0, 1.0, "alike")):  # fmt: skip
        [row] = bench.slowdowns([speed("a")], [speed("a", times)], limit)
        assert row.verdict == verdict, (limit, times)


def test_one_slow_round_does_not_make_a_search_slower():
    old = speed("a")
    now = Speed("a", "", 100, old.seconds, 100.0, (*old.round_seconds[1:], 9.0))
    [row] = bench.slowdowns([old], [now])
    assert row.ratio.value == pytest.approx(1.0, abs=0.03)
    assert row.verdict == "alike"


def test_too_few_rounds_leave_the_interval_open_and_nothing_is_slower():
    [row] = bench.slowdowns([Speed("a", "", 1, 1.0, 1.0, (1.0,))], [Speed("a", "", 1, 9.0, 9.0, (9.0,))])
    assert (row.ratio.value, row.ratio.low, row.ratio.high, row.verdict) == (9.0, None, None, "alike")


def test_searches_are_held_against_themselves_and_the_rest_left_out():
    rows = bench.slowdowns([speed("a"), speed("b", 1, "44"), speed("gone")], [speed("new"), speed("b", 2, "44")])
    assert [(row.agent, row.position, row.seconds_before, row.seconds) for row in rows] == [("b", "44", 1.0, 2.0)]
    with pytest.raises(InputError, match="no search was measured before as well as now"):
        bench.slowdowns([speed("a")], [speed("a", 1, "44")])
    now = [speed("z", 3), speed("a", 2), speed("m")]
    rows = bench.slowdowns([speed("a"), speed("m", 2), speed("z"), speed("a", 4)], now)
    assert [(row.agent, row.seconds_before, row.verdict) for row in rows] == [
        ("z", 1.0, "slower"), ("a", 4.0, "faster"), ("m", 2.0, "faster")
    ]  # fmt: skip
    old = Speed("m", "", 70, 2.0, 35.0, (2.5, 2.0, 3.0))
    [row] = bench.slowdowns([old], now[2:])
    assert (row.nodes, row.nodes_before, row.seconds, row.nodes_per_second) == (100, 70, 1.0, 100.0)
    assert row.round_seconds == ROUNDS


def test_what_a_comparison_prints_can_be_compared_with(tmp_path):
    rows = bench.slowdowns([speed("a")], [speed("a", 2.0)])
    file = tmp_path / "rows.json"
    file.write_text(json.dumps(plain(rows)))
    assert bench.read_speeds(file) == [speed("a", 2.0)]
    file.write_text(json.dumps(plain([speed("quick", 1e-6)])))
    assert bench.read_speeds(file) == [speed("quick", 1e-6)]


def test_a_file_that_cannot_be_read_is_told_with_the_reason(tmp_path):
    with pytest.raises(InputError, match=rf"^{tmp_path / 'none.json'}: No such file or directory$"):
        bench.read_speeds(tmp_path / "none.json")
    with pytest.raises(InputError, match=rf"^{tmp_path}: Is a directory$"):
        bench.read_speeds(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "{", "{}", "7", "[7]", '[{"agent": "a"}]',
             json.dumps([{**plain([speed("a")])[0], "round_seconds": []}]),
             json.dumps([{**plain([speed("a")])[0], "round_seconds": [0.0]}]),
             json.dumps([{**plain([speed("a")])[0], "round_seconds": [1.0, 0.0]}]),
             json.dumps([{**plain([speed("a")])[0], "round_seconds": [1.0, -1.0]}]),
             json.dumps([{**plain([speed("a")])[0], "round_seconds": ["x"]}]),
             json.dumps([{**plain([speed("a")])[0], "round_seconds": 1.0}]),
             json.dumps([plain([speed("b")])[0], {**plain([speed("a")])[0], "seconds": "1"}]),
             json.dumps([{**plain([speed("a")])[0], "seconds": 0.0}])],
)  # fmt: skip
def test_a_file_of_something_else_is_refused(tmp_path, text):
    file = tmp_path / "rows.json"
    file.write_text(text)
    if text == "{}":
        assert bench.read_speeds(file) == []
        return
    with pytest.raises(InputError, match=r"rows\.json is not what arena bench --json writes"):
        bench.read_speeds(file)
