"""What a disguise of the game takes away from a language model, counted by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from arena.analysis import language
from arena.statistics.means import gain_interval


def test_a_disguise_is_weighed_by_games_against_others_on_the_same_openings_from_the_same_side():
    """Games within the family, of one side only, of agents that are no models and of other settings do not count."""

    def agent(name, kind="llm", **parameters):
        return {"name": name, "kind": kind, "parameters": parameters}

    agents = [
        agent("masked", model="m", disguise=1), agent("plain", model="m"), agent("masked#2", model="m", disguise=2),
        agent("other", model="n", disguise=1), agent("random", "random"), agent("greedy", "random", disguise=1),
    ]  # fmt: skip
    games = [
        ("plain", "random", 1, 1.0), ("masked", "random", 1, 0.0), ("masked#2", "random", 1, 0.5),
        ("random", "plain", 1, 0.0), ("random", "masked", 1, 0.5),
        ("plain", "greedy", 2, 0.5), ("masked#2", "greedy", 2, 0.5), ("greedy", "plain", 3, 0.0),
        ("masked", "greedy", 3, 1.0),
        ("masked", "masked#2", 1, 1.0), ("masked#2", "masked", 2, 1.0), ("masked", "masked#2", 3, 1.0),
        ("plain", "masked", 1, 0.0), ("masked", "plain", 1, 1.0), ("plain", "masked#2", 2, 0.0),
        ("masked#2", "plain", 2, 1.0),
        ("other", "random", 1, 1.0), ("random", "other", 1, 0.0),
    ]  # fmt: skip
    frames = SimpleNamespace(
        agents=pd.DataFrame(agents), games=pd.DataFrame(games, columns=["first", "second", "opening", "points"])
    )
    [found] = language.disguised(frames)
    assert (found.agent, found.disguises, found.games) == ("plain", 2, 3)
    assert found.plain == pytest.approx((1.0 + 1.0 + 0.5) / 3)
    assert found.gain == gain_interval(np.array([1.0 - 0.25, 1.0 - 0.5, 0.5 - 0.5]), [1, 1, 2])
    frames.games = frames.games[9:]
    assert language.disguised(frames) == []


def test_settings_that_were_typed_in_another_order_are_the_same(tmp_path):
    agents = [{"name": "plain", "kind": "llm", "parameters": {"model": "m", "price": 1, "url": "u"}},
              {"name": "masked", "kind": "llm", "parameters": {"url": "u", "disguise": 1, "price": 1, "model": "m"}},
              {"name": "random", "kind": "random", "parameters": {}}]  # fmt: skip
    games = [("plain", "random", 1, 1.0), ("masked", "random", 1, 0.5), ("random", "plain", 2, 1.0),
             ("random", "masked", 2, 0.0)]  # fmt: skip
    table = pd.DataFrame(games, columns=["first", "second", "opening", "points"])
    [found] = language.disguised(SimpleNamespace(agents=pd.DataFrame(agents), games=table))
    assert (found.agent, found.disguises, found.games, found.plain) == ("plain", 1, 2, 0.5)
    assert found.gain == gain_interval(np.array([0.5, -1.0]), [1, 2])


def test_a_model_that_plays_twice_as_it_is_wears_no_mask_more():
    masks = {"plain": {}, "masked": {"disguise": 2}, "plain#2": {"disguise": 0}}
    agents = [{"name": name, "kind": "llm", "parameters": {"model": "m"} | mask} for name, mask in masks.items()]
    agents.append({"name": "random", "kind": "random", "parameters": {}})
    games = [("plain", "random", 1, 1.0), ("plain#2", "random", 1, 0.5), ("masked", "random", 1, 0.0)]
    table = pd.DataFrame(games, columns=["first", "second", "opening", "points"])
    [found] = language.disguised(SimpleNamespace(agents=pd.DataFrame(agents), games=table))
    assert (found.agent, found.disguises, found.games, found.plain) == ("plain", 1, 1, 0.75)
    without = SimpleNamespace(agents=pd.DataFrame(agents), games=table[:2])
    assert language.disguised(without) == []
