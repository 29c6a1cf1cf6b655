import pytest

from agents.board import Outcome
from agents.kernels.compiler import JIT
from agents.registry import parse
from arena.match import play_game
from arena.openings import draw, values


@pytest.mark.skipif(not JIT, reason="uncompiled, the solver takes minutes for an opening")
def test_perfect_never_gets_less_than_an_opening_is_worth():
    perfect, other = parse("perfect:table-size=64").build(), parse("alphabeta:depth=6,order=centre").build()
    openings = draw("plies:8", 6, seed=5)
    for number, (opening, value) in enumerate(zip(openings, values(openings), strict=True)):
        for colour in (0, 1):
            players = (perfect, other) if colour == 0 else (other, perfect)
            outcome = play_game(f"{number}-{colour}", players, opening, (0, 0)).outcome
            points = {Outcome(colour): 1, Outcome(1 - colour): -1, Outcome.DRAW: 0}[outcome]
            worth = value if opening.mover == colour else -value
            assert points >= worth, opening.text
