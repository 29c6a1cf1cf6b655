"""The worst blunders of an agent, explained."""

import re

import pytest

from agents.jit.compiler import JIT
from arena.report.blunders import worst
from arena.store.run_file import Store


@pytest.mark.skipif(not JIT, reason="the solver takes minutes as plain Python")
def test_the_worst_blunders_lose_most_name_what_kept_the_value_and_say_what_shows_it(audited, unaudited):
    with Store.read(unaudited) as store:
        assert worst(store, store.names()[0]) == []
    with Store.read(audited) as store:
        found = {name: worst(store, name) for name in store.names()}
    rows = [row for name in found for row in found[name]]
    assert rows
    ranks = ["win → loss", "win → draw", "draw → loss"]
    for each in found.values():
        lost = [row.lost != ranks[0] for row in each]
        assert lost == sorted(lost)
        assert len(each) <= 3
    assert all(row.lost in ranks and row.opponent in found for row in rows)
    for row in rows:
        played, kept = re.match(r"(\d) was played, (.*?) kept the (?:win|draw)\. [XO] ", row.why).groups()
        assert played not in kept.split(" or ")
