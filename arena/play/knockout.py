"""A knockout: who loses a match is out."""

from __future__ import annotations

from dataclasses import dataclass

from arena.play.course import Match, Outcomes, Stages, played


@dataclass(frozen=True, slots=True)
class Knockout:
    """Matches to the better of so many pairs of games, shorter where sequential evidence shows who is better.

    Agents are seeded in the order in which they are named: the first two cannot meet before the final, and where their
    number is no power of two the first ones begin a round later. In a tie who is seeded higher goes on.
    """

    agents: int
    rounds: int
    """Openings, and so pairs of games, of a match at most."""
    seed: int = 0
    """Of no effect: nothing is drawn."""

    @property
    def most(self) -> int:
        """The number of games, at most."""
        return (self.agents - 1) * self.rounds * 2

    def stages(self, outcomes: Outcomes) -> Stages:
        """Yield stages: the next pairs of all matches of a round that are not decided.

        Return the winner, the other finalist, and so on; who went out in the same round stand as they were seeded.
        """
        standing = self._drawn()
        out: list[int] = []
        number = 0
        while len(standing) > 1:
            number += 1
            pairs = list(zip(standing[::2], standing[1::2], strict=True))
            matches = [Match(max(pair), min(pair), self.rounds) for pair in pairs if max(pair) < self.agents]
            yield from played(matches, number, outcomes)
            lost = {match.one if match.winner == match.two else match.two for match in matches}
            out = [*sorted(lost), *out]
            standing = [two if one in lost or one >= self.agents else one for one, two in pairs]
        return [*standing, *out]

    def _drawn(self) -> list[int]:
        """Return the agents such that neighbours meet; numbers that no agent has stand for nobody."""
        seeds = [0]
        while len(seeds) < self.agents:
            seeds = [seed for high in seeds for seed in (high, 2 * len(seeds) - 1 - high)]
        return seeds
