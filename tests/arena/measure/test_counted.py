from types import SimpleNamespace

import pytest
from arena.measure.profile import counting, counting_agents

from agents.agent import Limits
from agents.board import Board, Rules
from agents.players.searcher import Searcher
from agents.search import most_fours
from agents.specs.registry import Spec, parse

SMALL = Rules(5, 4)


@pytest.mark.parametrize("spec", ["minimax:depth=2", "alphabeta:depth=3,order=centre", "alphabeta:depth=3,pvs=on"])
def test_counting_changes_no_answer_and_counts_every_node(spec):
    plain, counted = parse(spec).build(), parse(spec).build()
    found = counting(counted)
    one, other = plain.choose(Board(), Limits()), counted.choose(Board(), Limits())
    assert (one.column, one.score, one.nodes) == (other.column, other.score, other.nodes)
    [counts] = found
    if "pvs" not in spec:  # where a node that is searched again counts again
        assert counts.inner + counts.leaves + counts.table_cutoffs == one.nodes
    assert len(counts.cutoffs) == 7


@pytest.mark.parametrize("settings", [{}, {"points": 40}, {"points": 4, "pvs": True}, {"killers": True}])
def test_counting_searches_as_the_agent_does(monkeypatch, settings):
    asked = []
    monkeypatch.setattr(most_fours, "bind_search", lambda *given, **named: asked.append((given, named)))
    order = SimpleNamespace(sort_moves="sorts")
    for agent in (Searcher(**settings), Searcher(**settings)):
        if asked:
            counting(agent)
        agent.bind(SMALL, "heuristic", order)
    points, enhanced = settings.get("points", 0), len(settings) > 0 and [*settings][-1] != "points"
    given = (SMALL, "heuristic", "sorts", points)
    assert asked == [(given, {"enhancements": enhanced}), (given, {"counting": True, "enhancements": enhanced})]


def test_only_what_ran_in_this_process_and_can_count_is_repeated():
    texts = ("greedy", "alphabeta:depth=2", "alphabeta:depth=3", "oneil", "minimax", "minimax", "mollerhoj")
    mine = Spec("mine.py:Mine", "mine.py:Mine", {})
    agents = [*((parse(text), place == 2) for place, text in enumerate(texts)), (mine, False), (mine, True)]
    found = counting_agents(SimpleNamespace(agents=lambda: agents))
    assert {place: spec.text for place, spec in found.items()} == {place: texts[place] for place in (1, 4, 5, 6)}


@pytest.mark.parametrize("spec", ["greedy", "oneil", "itu-2012", "mcts"])
def test_who_searches_otherwise_cannot_count(spec):
    assert counting(parse(spec).build()) is None
