"""The stored tables of a run as rows: agents, openings, games, moves and searches."""

from __future__ import annotations

from arena.rows import cell, table_row


@table_row
class StoredAgent:
    """An agent of the run."""

    name: str = cell("How tables call it: its spec, with a number where it is there twice.")
    spec: str = cell("As it was typed.")
    kind: str = cell("What the spec begins with.")
    deterministic: int = cell("1 where it is known to repeat its moves.")
    stranger: int = cell("1 where its nodes and scores are its own claims.")
    author: str | None = cell("Who wrote it, where it says so.")
    digest: str | None = cell("Of the files that it was read from; None where all of it is ours.")


@table_row
class StoredOpening:
    """An opening of the run."""

    opening: int = cell("Its number.")
    moves: str = cell("Columns from 1.")
    value: int | None = cell(
        "For the side to move with perfect play: 1 a win, 0 a draw, -1 a loss; None where it is not known."
    )


@table_row
class StoredGame:
    """A game."""

    game: int = cell("Its number.")
    key: str = cell("What its seed derives from.")
    first: str = cell("Name of the first player.")
    second: str = cell("Name of the second player.")
    opening: int = cell("The opening's number.")
    moves: str = cell("All moves, those of the opening included; columns from 1.")
    result: str = cell("`1-0` where the first player won, `0-1` or `1/2-1/2`.")
    points: float = cell("[points] The first player's.")
    termination: str = cell("How it ended.")
    detail: str = cell("Of a fault.")
    started: str = cell("[time] Of day, UTC.")
    seconds: float = cell("[seconds]")


@table_row
class StoredMove:
    """A decision."""

    game: int = cell("The game's number.")
    ply: int = cell("[plies] Discs on the board before the move.")
    agent: str = cell("Who moved.")
    column: int = cell("[column] From 1.")
    depth: int = cell("[plies] The deepest that was completed.")
    nodes: int = cell("[nodes]")
    seconds: float = cell("[seconds] By the referee's clock.")
    score: int | None = cell("[points of the heuristic] For the mover; None if it reported none.")


@table_row
class StoredSearch:
    """A completed depth of a decision."""

    game: int = cell("The game's number.")
    ply: int = cell("[plies] Discs on the board before the move.")
    agent: str = cell("Who moved.")
    depth: int = cell("[plies]")
    nodes: int = cell("[nodes] Since the move began.")
    seconds: float = cell(
        "[seconds] Since the move began, by the search's own clock; the referee's where it reported no depths."
    )
    score: int | None = cell("[points of the heuristic] For the mover.")
    column: int = cell("[column] The best one at this depth, from 1.")


STORED: dict[str, type] = {
    "agents": StoredAgent,
    "openings": StoredOpening,
    "games": StoredGame,
    "moves": StoredMove,
    "searches": StoredSearch,
}
"""The kinds of rows, by the names of their tables in `Frames`."""
