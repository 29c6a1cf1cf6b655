"""The plan of a run: the agents, the pairings, the openings and the limits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from types import UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from agents.board import Rules
from agents.errors import InputError
from agents.specs.parameters import Range
from agents.specs.plugins import format_error
from arena.games import formats, openings
from arena.games.entries import numbered
from arena.games.formats import FixedFormat, Format, Results
from arena.games.isolation import Isolation
from arena.games.settings import MOST, number, whole
from arena.games.time_control import TimeControl
from arena.records import Job

DEFAULT_FIELD = tuple(
    f"{search},heuristic={heuristic}"
    for heuristic in ("powers-of-ten", "smart-aware")
    for search in ("minimax:depth=6", "alphabeta:depth=6", "alphabeta:depth=6,order=centre")
)


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a run. Raises InputError if they contradict each other or are out of range.

    What is annotated with a range and a text is in SETTINGS: an option of `arena run`, a keyword of `arena.run` and a
    key of a study's games.
    """

    agents: tuple[str, ...]
    """The specs of single agents, or the names of entries."""
    openings: Annotated[
        str,
        "plies:N (positions of N plies, each mirror pair once), fair:N (only those drawn with perfect play), "
        "fair:N:pairs (only those won, for either side in turn), or a file of moves, .epd or .pgn.",
    ] = openings.DEFAULT_SET
    rounds: Annotated[
        int,
        Range(1, MOST),
        "Openings per pairing, each played twice with colours swapped. With --sprt the default is all.",
    ] = 20
    seed: Annotated[int, Range(0, MOST), "Seeds the openings and all random moves."] = 1
    format: Annotated[
        str,
        "round-robin, gauntlet (the first agent plays every other), swiss[:ROUNDS], knockout, a format of an "
        "installed package, or FILE.py:NAME.",
    ] = "round-robin"
    pairs: Annotated[
        tuple[tuple[str, str], ...],
        "Play only this pairing. Repeatable. Write specs that contain commas as 'A v B'.",
    ] = ()
    include_self: Annotated[bool, "Also play every agent against itself."] = False
    rules: Annotated[Rules, "Board size: 6x5x4 has 6 columns, 5 rows and 4 discs in a line."] = Rules()  # noqa: RUF009
    nodes: Annotated[int | None, Range(1, MOST), "Nodes that an agent may visit per move."] = None
    seconds: Annotated[float | None, Range(0.0001, 86_400.0), "Seconds that an agent may take per move."] = None
    margin: Annotated[float, Range(0.0, 3600.0), "Seconds past the limit before a move counts as late."] = 0.1
    sprt: Annotated[
        str | None, "Stop a match of two agents when this test decides: elo0=0,elo1=30[,alpha=,beta=,model=]."
    ] = None
    isolation: Isolation = Isolation()  # noqa: RUF009  immutable
    comparison: Mapping[str, Any] | None = None
    """For a comparison of heuristics: the `search` and, by the text of each level, the heuristic of each agent."""
    clock: Annotated[
        str | None, "Seconds that an agent has for a whole game, and seconds added for each move: 60+1."
    ] = None

    def __post_init__(self) -> None:
        for name, setting in SETTINGS.items():
            setting.check_range(name, getattr(self, name))
        if self.clock is not None:
            TimeControl.parse(self.clock)
            if self.seconds is not None:
                raise InputError("choose one of --seconds, for a move, and --clock, for a game")
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
        except InputError as error:
            raise InputError(f"the stored plan cannot be read: {error}") from error
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


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the plan: an option, a keyword and a key."""

    type: type
    default: Any
    help: str
    range: Range | None
    """Of a number."""

    def check_range(self, name: str, value: float | None) -> None:
        """Raise InputError, with the setting's name, for a number out of range."""
        if self.range is not None and value is not None:
            (whole if self.type is int else number)(name, value, self.range.low, self.range.high)


def _settings() -> dict[str, Setting]:
    hints = get_type_hints(Plan, include_extras=True)
    settings = {}
    for field in fields(Plan):
        if get_origin(hint := hints[field.name]) is Annotated:
            kind, *ranges, text = get_args(hint)
            kind = get_args(kind)[0] if isinstance(kind, UnionType) else kind
            settings[field.name] = Setting(kind, field.default, text, *(ranges or [None]))
    return settings


SETTINGS = _settings()
"""The settings of a tournament by name."""


def refuse_unfit(test: str, pairings: Sequence[formats.Pairing]) -> None:
    """Raise InputError if this sequential test cannot stop a run of these pairings."""
    from arena.statistics.sprt import Sprt

    Sprt.parse(test).weigh([0, 0, 1, 0, 0])  # raises for a model without pairs of games
    if [set(pairing) for pairing in pairings] != [{0, 1}]:
        raise InputError("a sequential test takes a match of two agents")
