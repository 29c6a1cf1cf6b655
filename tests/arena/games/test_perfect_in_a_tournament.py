import pytest
from played import played

from agents.board import Board
from agents.jit.compiler import JIT
from arena import load
from arena.games.openings import values

pytestmark = pytest.mark.compiles

PERFECT, OTHERS = "perfect", ("alphabeta:order=centre,depth=6", "mcts:playouts=300")


@pytest.mark.skipif(not JIT, reason="uncompiled, the solver takes minutes for an opening")
@pytest.mark.parametrize("openings", ["fair:6:pairs", "fair:6"])
def test_perfect_never_gets_less_than_an_opening_is_worth(openings, tmp_path):
    games = load(played(tmp_path / "run.sqlite", PERFECT, *OTHERS, openings=openings, format="gauntlet", seed=1)).games
    assert len(games) == 8
    for game in games.to_dict(orient="records"):
        opening = Board.from_moves(game["moves"][:6])  # the first player moves next
        (value,) = values([opening])
        gain = 2 * game["points"] - 1 - value
        assert (gain if game["first"] == PERFECT else -gain) >= 0, game["moves"]
