"""The results of a pool of agents, summed by who moved first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents.errors import InputError
from arena.statistics.arrays import Floats
from arena.statistics.played import Played


@dataclass(frozen=True, slots=True)
class Total:
    """All games of one pairing, with the colours unknown; the counts are those of `a`."""

    a: str
    b: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Table:
    """Points and games of every ordered pair of agents.

    `points` and `games` have the shape (openings, agents, agents): [o, i, j] holds what `i` made against `j` in opening
    o, as the first to move where `colours` are known.
    """

    agents: tuple[str, ...]
    points: Floats
    games: Floats
    colours: bool
    openings: bool
    """Whether the first axis tells openings apart."""
    strata: tuple[npt.NDArray[np.intp], ...] = ()
    """The places of the openings that were drawn from each stratum; all of them in one unless kinds took turns."""
    draws: Floats | None = None
    """Shape (agents, agents): of these games, those that were drawn."""

    def resampled(self, random: np.random.Generator, samples: int) -> Floats:
        """Return how often each opening is drawn, shape (samples, openings); each stratum gives as many as it gave."""
        openings = len(self.points)
        drawn = np.zeros((samples, openings))
        for places in self.strata or (np.arange(openings),):
            drawn[:, places] = random.multinomial(len(places), np.full(len(places), 1.0 / len(places)), size=samples)
        return drawn

    def totals(self) -> tuple[Floats, Floats]:
        """Return points and games over all openings, in full precision whatever the table's is."""
        return self.points.sum(axis=0, dtype=float), self.games.sum(axis=0, dtype=float)

    def scores(self) -> tuple[Floats, Floats]:
        """Return each agent's points and its number of games, those against itself left out."""
        points, games = self.totals()
        others = 1.0 - np.eye(len(self.agents))
        made = (points * others).sum(axis=1) + ((games - points) * others).sum(axis=0)
        return made, ((games + games.T) * others).sum(axis=1)

    def played(self) -> int:
        """Return on how many openings every two agents that met did so, each colour apart."""
        seen = (self.games > 0.0).sum(axis=0)
        return int(seen[seen > 0].min())

    def one_sided(self) -> npt.NDArray[np.bool_]:
        """Return which agents took all points or none or, where only groups of them did, all agents."""
        made, played = self.scores()
        perfect = (made == 0.0) | (made == played)
        return np.asarray(perfect | ~perfect.any())


def table_of(played: Played, strata: Mapping[str, object] | None = None) -> Table:
    """Return the table of single games; raise InputError where nothing was played.

    `strata` names the stratum of each opening; one that gave fewer than two openings tells nothing of its spread, and
    then all count as one.
    """
    _require_two(played.agents)
    kinds = [strata[str(opening)] if strata else None for opening in played.openings]
    parts = [np.array([i for i, each in enumerate(kinds) if each == kind]) for kind in dict.fromkeys(kinds)]
    if min(map(len, parts)) < 2:
        parts = [np.arange(len(played.openings))]
    return Table(
        played.agents, played.points, played.games, colours=True, openings=None not in played.openings,
        strata=tuple(parts), draws=played.ends[:, :, 1].astype(float),
    )  # fmt: skip


def table_of_totals(totals: Iterable[Total]) -> Table:
    """Return the table of aggregated counts; raise InputError where one is negative or nothing was played."""
    rows = [row for row in totals if _valid(row)]
    agents = tuple(sorted({agent for row in rows for agent in (row.a, row.b)}))
    _require_two(agents)
    place = {agent: index for index, agent in enumerate(agents)}
    points = np.zeros((1, len(agents), len(agents)))
    games, draws = np.zeros_like(points), np.zeros_like(points[0])
    for row in rows:
        cell = 0, place[row.a], place[row.b]
        points[cell] += row.wins + row.draws / 2.0
        games[cell] += row.wins + row.draws + row.losses
        draws[cell[1:]] += row.draws
    return Table(agents, points, games, colours=False, openings=False, draws=draws)


def parts(met: Iterable[tuple[str, str]]) -> list[set[str]]:
    """Return the groups of agents that met, be it through others; between groups no difference in strength shows."""
    groups: list[set[str]] = []
    for pair in met:
        linked = [group for group in groups if not group.isdisjoint(pair)]
        groups = [group for group in groups if group not in linked] + [set(pair).union(*linked)]
    return groups


def require_connected(agents: Sequence[str], games: Floats) -> None:
    """Raise InputError naming the parts where `games` (agents, agents) do not link every agent with every other."""
    found = parts((agents[i], agents[j]) for i, j in zip(*games.nonzero(), strict=True))
    if len(found) > 1:
        named = " | ".join(sorted(", ".join(sorted(part)) for part in found))
        raise InputError(f"the pool falls into {len(found)} parts that never met: {named}")


def _require_two(agents: Sequence[str]) -> None:
    if len(agents) < 2:
        raise InputError("a rating needs games between at least two agents")


def _valid(row: Total) -> bool:
    """Tell whether anything was played; raise InputError where a count is negative or an agent meets itself."""
    if row.a == row.b:
        raise InputError(f"{row.a} cannot be rated by games against itself")
    if min(row.wins, row.draws, row.losses) < 0:
        raise InputError(f"{row.a} against {row.b}: a count is negative")
    return row.wins + row.draws + row.losses > 0
