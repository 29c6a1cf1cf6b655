"""The rows of an audit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kept:
    """How often moves kept the value of their positions: a win stayed a win and a draw a draw."""

    moves: int
    """[moves] Audited ones, of games that are audited to their end."""
    kept: float | None
    """[share] Moves that kept the value."""
    low: float | None
    """[share] Lower end of the 95 % interval that `basis` names, for other openings."""
    high: float | None
    """[share] Upper end of it."""
    chance: float | None
    """[share] What moves at random would keep in the same positions."""
    clear_cut: int
    """[moves] Those at which some legal moves keep the value and others lose it."""
    clear_kept: float | None
    """[share] Clear-cut moves that kept the value."""
    clear_low: float | None
    """[share] Lower end of its 95 % interval."""
    clear_high: float | None
    """[share] Upper end of it."""
    clear_chance: float | None
    """[share] What moves at random would keep in the clear-cut positions."""
    basis: str
    """What the intervals rest on."""


@dataclass(frozen=True)
class Audited:
    """Whose moves they are."""

    agent: str
    """Its name in the run."""
    games: int
    """[games] Those that are audited to their end."""


@dataclass(frozen=True)
class AgentAudit(Kept, Audited):
    """What an agent kept and what it threw away."""

    wins_thrown: int
    """[moves] Moves that gave up a win."""
    draws_thrown: int
    """[moves] Moves that turned a draw into a loss."""
    points_thrown: float
    """[points] Thrown away a game; a win is one, a draw a half."""
    blunder_games: int
    """[games] Those with a move that lost value."""
    first_blunder_mean: float | None
    """[plies] Ply of the first such move, the mean over these games."""
    first_blunder_median: float | None
    """[plies] The median."""
    won_games: int
    """[games] Those in which it stood to win."""
    won_games_lost: int
    """[games] Those of them that it lost."""


@dataclass(frozen=True)
class AgentDistance(AgentAudit):
    """How an agent did in a run, move by move; the columns from `best` on are known where the audit was --strong."""

    best: float | None
    """[share] Moves that no other beat: fastest wins, draws, slowest losses."""
    best_low: float | None
    """[share] Lower end of its 95 % interval."""
    best_high: float | None
    """[share] Upper end of it."""
    best_chance: float | None
    """[share] What moves at random would score."""
    delay: float | None
    """[moves] How much later a win, or sooner a loss, came with the average move that kept the value."""


@dataclass(frozen=True)
class Range:
    """Whose moves they are, and from which part of the game."""

    agent: str
    """Its name in the run."""
    first: int
    """[plies] The first ply of the range."""
    last: int
    """[plies] The last ply of it."""


@dataclass(frozen=True)
class RangeAudit(Kept, Range):
    """What an agent kept in a range of plies."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a run is audited."""

    games: int
    """[games] Those that are audited to their end."""
    moves: int
    """[moves] Those of these games."""
    clear_cut: int
    """[moves] Those at which a legal move loses value."""
    strong: bool
    """Whether the distance is known of every move."""
    games_played: int
    """[games] Those in which a move was made."""
