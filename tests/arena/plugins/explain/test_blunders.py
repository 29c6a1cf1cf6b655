"""The worst blunders of an agent, explained."""

import re
from types import SimpleNamespace as Row

import pytest

from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from arena.plugins.explain import blunders
from arena.plugins.explain.blunders import worst
from arena.plugins.explain.explain import Explainer
from arena.store.run_file import Store
from arena.tournament.games import Blunder, Game


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


def test_those_that_lose_most_come_first_and_of_these_those_that_are_punished_soonest(monkeypatch):
    rules = Rules(5, 4)
    played = {"11223355": ((2, 1, -1), (4, 1, -1)), "12341": ((2, 0, -1), (3, 1, 0)), "21212": ((2, 1, -1), (3, 1, -1)),
              "11224": ((2, 1, -1),), "54321": ((4, 1, 0), (2, 0, -1)),
              "11355": ((2, 1, -1), (4, 1, -1)), "113551": ((3, 1, 0), (5, 0, -1)), "1135": ((2, 1, -1),)}  # fmt: skip
    games = [
        Game(n, *(("a", "b"), ("b", "a"), ("a", "a"))[n % 3 if n < 3 else 0], moves[:2], moves, "1-0", "line completed",
             "", len(moves), tuple(Blunder(ply, int(moves[ply]), "ab"[(n + ply) % 2], *worth) for ply, *worth in found))
        for n, (moves, found) in enumerate(played.items())
    ]  # fmt: skip
    asked = []

    def forced(own, opp, looks):
        asked.append((own, opp, looks))
        return Row(moves=[0] * (own % 5)) if own % 3 else None

    def explained(board, plies):
        return [Row(column=n + 1, keepers="3 4 7" if n % 2 else "2", before=1, after=n % 3 - 1) for n in plies]

    monkeypatch.setattr(blunders, "Explainer", lambda rules: Row(rules=rules, forced=forced, blunders=explained))
    monkeypatch.setattr(blunders, "reason", lambda row, after: f"After {after.text}. so {row.before}.")
    wanted = []
    monkeypatch.setattr(blunders, "filtered", lambda _, wish: wanted.append(wish) or games)
    store = Row(is_audited=lambda: True, rules=lambda: rules)
    of_b = [(3, 2, "b"), (5, 4, "b"), (6, 5, "a"), (1, 2, "a"), (6, 3, "a")]
    for most, agent, expected in ((3, "a", [(0, 2, "b"), (0, 4, "b"), (4, 2, "b")]), (3, "b", of_b[:3]),
                                  (1, "b", of_b[:1]), (9, "b", of_b)):  # fmt: skip
        rows = blunders.worst(store, agent, most)
        assert [(row.game, row.ply, row.opponent) for row in rows] == expected
        assert (wanted[-1].agent, wanted[-1].blunders) == (agent, True)
    assert (rows[0].lost, rows[1].lost) == ("win → win", "win → draw")
    assert rows[2].why == "6 was played, 3 or 4 or 7 kept the win. After 113551. so 1."
    assert {looks for *_, looks in asked} == {1000}
    assert len(blunders.worst(store, "b")) == 3
    monkeypatch.setattr(blunders, "CANDIDATES", 2)
    assert [row.game for row in blunders.worst(store, "b", 9)] == [3, 5]


@pytest.mark.skipif(not JIT, reason="the solver takes minutes as plain Python")
def test_no_threat_is_made_below_a_cell_where_the_other_side_wins():
    board = Board.from_moves("6143255442231")
    threat = board.play(2)
    assert {column for column in threat.legal_moves() if threat.play(column).outcome} == {2}
    assert len({column for column in board.legal_moves() if threat.play(3).play(column).outcome}) > 1
    assert Explainer(STANDARD, 8).forced(board.own, board.opp) is None


def test_the_table_of_blunders_ends_with_the_ply_and_the_opponent(monkeypatch):
    row = blunders.Blundered(7, 4, "win → loss", "3 was played", "b")
    asked = []
    monkeypatch.setattr(blunders, "worst", lambda *given: asked.append(given) or [row])
    assert [column.header for column in blunders.table(None, "a").columns][-2:] == ["ply", "against"]
    assert asked == [(None, "a")]
