"""The plan of a run: the agents, the pairings, the openings and the limits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from agents.board import Rules
from agents.errors import InputError
from agents.specs.plugins import format_error
from arena.games import formats, openings
from arena.games.entries import numbered
from arena.games.formats import FixedFormat, Format, Results
from arena.games.isolation import Isolation
from arena.games.time_control import TimeControl
from arena.records import Job
from arena.statistics.sprt import Sprt

DEFAULT_ROUNDS = 20
DEFAULT_FIELD = tuple(
    f"{search},heuristic={heuristic}"
    for heuristic in ("powers-of-ten", "smart-aware")
    for search in ("minimax:depth=6", "alphabeta:depth=6", "alphabeta:depth=6,order=centre")
)


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a run. Raises InputError if they contradict each other or are out of range."""

    agents: tuple[str, ...]
    """The specs of single agents, or the names of entries."""
    openings: str = openings.DEFAULT_SET
    rounds: int = DEFAULT_ROUNDS
    """Openings per pairing; each is played twice, colours swapped."""
    seed: int = 1
    format: str = "round-robin"
    pairs: tuple[tuple[str, str], ...] = ()
    """Pairings by name, instead of the format's."""
    include_self: bool = False
    rules: Rules = Rules()  # noqa: RUF009  immutable
    nodes: int | None = None
    """The limit for every move of every agent; so is `seconds`."""
    seconds: float | None = None
    margin: float = 0.1
    """Seconds past the limit before the referee calls time."""
    sprt: str | None = None
    """A sequential test that stops the run once decided, such as "elo0=0,elo1=30"."""
    isolation: Isolation = Isolation()  # noqa: RUF009  immutable
    comparison: Mapping[str, Any] | None = None
    """For a comparison of heuristics: the `search` and, by the text of each level, the heuristic of each agent."""
    clock: str | None = None
    """The seconds of each player for a game and the increment of a move, such as "60+1", instead of `seconds`."""

    def __post_init__(self) -> None:
        for name, low in (("rounds", 1), ("seed", 0), ("nodes", 1)):
            value = getattr(self, name)
            if value is not None and not low <= value < 1 << 63:
                raise InputError(f"{name} must be at least {low}, not {value}")
        if self.seconds is not None and not 0.0 < self.seconds <= 86_400.0:
            raise InputError(f"seconds must be positive and at most a day, not {self.seconds}")
        if self.clock is not None:
            TimeControl.parse(self.clock)
            if self.seconds is not None:
                raise InputError("choose one of --seconds, for a move, and --clock, for a game")
        if not self.margin >= 0.0:
            raise InputError(f"margin must not be negative, as {self.margin} is")
        if len(self.agents) < (1 if self.include_self else 2):
            raise InputError("a tournament needs two agents; --include-self lets one meet itself")
        played = self.tournament()
        if self.sprt is not None:
            refuse_unfit(self.sprt, played.pairings if isinstance(played, FixedFormat) else [])

    def names(self) -> list[str]:
        """Return a name for each agent: its spec, with a number if it occurs twice."""
        return numbered(self.agents)

    def pairings(self) -> list[formats.Pairing]:
        """Return the pairings. Raises InputError for a pair with an unknown agent, and for an unknown format."""
        if self.pairs:
            return formats.named(self.pairs, self.names())
        return formats.pairings_of(self.format, len(self.agents), include_self=self.include_self)

    def idle(self) -> set[int]:
        """Return the places of the agents that meet nobody in `pairs`."""
        return set(range(len(self.agents))).difference(*self.pairings()) if self.pairs else set()

    def tournament(self) -> Format:
        """Return the format with its settings. Raises InputError, see `pairings`."""
        if self.pairs:
            return FixedFormat(self.pairings(), self.rounds)
        return formats.of_name(self.format, len(self.agents), self.rounds, self.seed, include_self=self.include_self)

    def waiting(self, results: Results) -> set[int]:
        """Return the places of the agents with games left; if results decide pairings, those of all or of none."""
        played = self.tournament()
        batches, _ = formats.replay(played, results)
        left = {place for job in batches[-1] if job not in results for place in (job.first, job.second)}
        return set(range(len(self.agents))) if left and not isinstance(played, FixedFormat) else left

    def jobs(self) -> list[Job]:
        """Return all games of a format with a fixed schedule, in the order to play them."""
        return formats.jobs(self.pairings(), self.rounds)

    def document(self) -> dict[str, Any]:
        """Return the plan as plain data for `from_document`; some fields with default values are omitted."""
        data = asdict(self)
        data["isolation"]["entries"] = tuple(entry and entry.document() for entry in self.isolation.entries)
        if not self.rules.most_fours:
            del data["rules"]["most_fours"]
        del data["isolation"]["debug"]
        if not self.clock:
            del data["clock"]
        return data

    @classmethod
    def from_document(cls, data: dict[str, Any]) -> Plan:
        """Return the plan, given the data from `document`. Raises InputError.

        In data of version 0.2.0 the agents that were `dropped` play no further games of a fixed schedule.
        """
        other = {"population", "strata", "looks", "adaptive", "order", "dropped"}
        fields = {key: value for key, value in data.items() if key not in other}
        if data.get("order", "fair") != "fair":
            raise InputError(f"the stored plan cannot be continued: nothing plays the order {data['order']!r} any more")
        try:
            plan = cls(
                **fields
                | {
                    "agents": tuple(data["agents"]),
                    "pairs": tuple((one, other) for one, other in data["pairs"]),
                    "rules": Rules(**data["rules"]),
                    "isolation": Isolation.from_document(data.get("isolation") or asdict(Isolation())),
                }
            )
        except (AttributeError, TypeError, KeyError) as error:
            raise InputError(f"the stored plan cannot be read: {format_error(error)}") from error
        return plan._without(data["dropped"]) if data.get("dropped") else plan

    def _without(self, dropped: Collection[str]) -> Plan:
        """Return the plan with the pairings of a fixed schedule by name, without those of these agents."""
        if not isinstance(self.tournament(), FixedFormat):
            return self
        names = self.names()
        pairs = [(names[one], names[other]) for one, other in self.pairings()]
        left = tuple(pair for pair in pairs if not {*pair} & {*dropped})
        if not left:
            raise InputError(
                f"the stored plan cannot be continued: without {' and '.join(dropped)} nobody meets anybody"
            )
        return replace(self, pairs=left)


def refuse_unfit(test: str, pairings: Sequence[formats.Pairing]) -> None:
    """Raise InputError if this sequential test cannot stop a run of these pairings."""
    Sprt.parse(test).weigh([0, 0, 1, 0, 0])  # raises for a model without pairs of games
    if [set(pairing) for pairing in pairings] != [{0, 1}]:
        raise InputError("a sequential test takes a match of two agents")
