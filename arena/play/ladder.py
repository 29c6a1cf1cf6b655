"""A ladder: each newcomer climbs, rung by rung, until it does not win a match."""

from __future__ import annotations

from dataclasses import dataclass

from arena.play.course import Match, Outcomes, Stages, played


@dataclass(frozen=True, slots=True)
class Ladder:
    """The first agent stands on the ladder; each other one comes in at the bottom, in the order of their names.

    A newcomer climbs past whom it beats in a match, which is as in a knockout: over so many pairs of games, shorter
    where sequential evidence shows who is better. In a tie it stays below. Of agents that are named from the strongest
    to the weakest each newcomer plays one match.
    """

    agents: int
    rounds: int
    """Openings, and so pairs of games, of a match at most."""
    seed: int = 0
    """Of no effect: nothing is drawn."""

    @property
    def most(self) -> int:
        """The number of games, at most."""
        return self.agents * (self.agents - 1) * self.rounds

    def stages(self, outcomes: Outcomes) -> Stages:
        """Yield stages: the next pairs of a newcomer's match; a round is its climb. Return the ladder from the top."""
        rungs = [0]
        for newcomer in range(1, self.agents):
            place = len(rungs)
            while place:
                match = Match(newcomer, rungs[place - 1], self.rounds)
                yield from played([match], newcomer, outcomes)
                if match.winner != newcomer:
                    break
                place -= 1
            rungs.insert(place, newcomer)
        return rungs
