"""The stored tables of a run as rows: agents, openings, games, moves and searches."""

from __future__ import annotations

from arena.table.cells import agent_label, count, fixed, quoted, yes
from arena.table.rows import cell, known, table_row


@table_row
class StoredAgent:
    """An agent of the run."""

    name: str = cell("Its name in tables: its spec, with a number behind it if two agents have the same.")
    spec: str = cell("As it was typed.")
    kind: str = cell("What the spec begins with.")
    deterministic: int = cell("1 if it is known to repeat its moves, else 0.")
    stranger: int = cell("1 if its nodes and scores are its own claims, else 0.")
    author: str | None = cell("Its author, if its file names one.")
    digest: str | None = cell("Hash of the files that it was read from; None for a built-in agent.")


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
    key: str = cell("The text that its seed is derived from.")
    first: str = cell("Name of the first player.")
    second: str = cell("Name of the second player.")
    opening: int = cell("The opening's number.")
    moves: str = cell("All moves, those of the opening included; columns from 1.")
    result: str = cell("`1-0` where the first player won, `0-1` or `1/2-1/2`.")
    points: float = cell("[points] The first player's.")
    termination: str = cell("How it ended.")
    detail: str = cell("What the referee said of a fault, else empty.")
    started: str = cell("[time] Date and time of its start, UTC.")
    seconds: float = cell("[seconds]")


@table_row
class StoredMove:
    """A decision."""

    game: int = cell("The game's number.")
    ply: int = cell("[plies] Discs on the board before the move.")
    agent: str = cell("The agent that moved.")
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
    agent: str = cell("The agent that moved.")
    depth: int = cell("[plies]")
    nodes: int = cell("[nodes] Since the move began.")
    seconds: float = cell(
        "[seconds] Since the move began, by the search's own clock; the referee's where it reported no depths."
    )
    score: int | None = cell("[points of the heuristic] For the mover.")
    column: int = cell("[column] The best one at this depth, from 1.")


@table_row
class StoredReply:
    """What a language model replied when it had to move; numbers are sums over its tries."""

    game: int = cell("The game's number.", "game")
    ply: int = cell("[plies] Discs on the board before the move.", "ply")
    agent: str = cell("The model that had to move.", "agent", agent_label)
    status: str = cell("Of the last reply: ok, illegal, unparsable, empty, truncated or refused.", "status")
    tries: int = cell("[replies] The legal one included.", "tries", least=1)
    reply: str = cell("The last one as it came, its first 5,000 characters.", "reply", quoted)
    tokens_in: int | None = cell(
        "[tokens] Of prompts; None where the server does not say, as the next two.", "in", count, least=2
    )
    tokens_out: int | None = cell("[tokens] Of replies.", "out", count, least=2)
    tokens_reasoning: int | None = cell(
        "[tokens] Of replies, those that reasoned unseen.", "reasoning", count, known, least=2
    )
    seconds: float = cell(
        "[seconds] Until the last reply, pauses after failed requests included.", "s", fixed(1), least=3
    )
    finish: str | None = cell("Why the last reply ended, as the server says.", "finish", least=4)
    model: str | None = cell("The model, as the server reports it.", "model", quoted, least=6)
    prompt: str = cell(
        "Digest of the first prompt with all before it: the first 16 digits of its SHA-256.", "prompt", least=5
    )
    drawn: bool = cell("Whether a random move was played, since no reply was legal.", "random", yes, any)
    errors: int = cell("[requests] Those that failed and were made again.", "errors", count, any, least=4)


STORED: dict[str, type] = {
    "agents": StoredAgent,
    "openings": StoredOpening,
    "games": StoredGame,
    "moves": StoredMove,
    "searches": StoredSearch,
    "replies": StoredReply,
}
"""The kinds of rows, by the names of their tables; `Frames.table` has the replies, and `Frames` the others."""
