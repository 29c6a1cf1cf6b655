import pytest

from agents.board import Board
from agents.jit.compiler import JIT
from agents.registry import expand
from arena import load
from arena.play.openings import values
from arena.play.plan import Plan
from arena.play.tournament import Run
from arena.play.workers import InProcess

PERFECT, OTHERS = "perfect", ("alphabeta:order=centre,depth=6", "mcts:playouts=300")


@pytest.mark.skipif(not JIT, reason="uncompiled, the solver takes minutes for an opening")
@pytest.mark.parametrize("openings", ["fair:6:pairs", "fair:6"])
def test_perfect_never_gets_less_than_an_opening_is_worth(openings, tmp_path):
    agents = tuple(spec for text in (PERFECT, *OTHERS) for spec in expand(text))
    plan = Plan(tuple(spec.text for spec in agents), openings=openings, rounds=2, format="gauntlet")
    run = Run.begin(plan, tmp_path / "run.sqlite")
    with run.store:
        run.play(InProcess())
    games = load(tmp_path / "run.sqlite").games
    assert len(games) == 8
    for game in games.to_dict(orient="records"):
        opening = Board.from_moves(game["moves"][:6])  # the first player moves next
        (value,) = values([opening])
        gain = 2 * game["points"] - 1 - value
        assert (gain if game["first"] == PERFECT else -gain) >= 0, game["moves"]
