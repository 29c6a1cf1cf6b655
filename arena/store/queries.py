"""The queries of a stored run: its agents, openings, games, moves and searches as columns, and games by a condition.

Conditions on games are `Where` objects, with bound values.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from arena.records import Job
from arena.store.connection import Columns
from arena.store.run_file import Store

Row = tuple[Any, ...]


class Where(NamedTuple):
    """A condition on games: SQL text, and the values to bind in it."""

    text: str = "TRUE"
    values: tuple[object, ...] = ()

    def __and__(self, other: Where) -> Where:
        """Return the condition for games that meet both conditions."""
        return Where(f"({self.text}) AND ({other.text})", self.values + other.values)


ALL = Where()
_NAMED = "FROM game JOIN agent AS one ON one.id = first JOIN agent AS two ON two.id = second"
_FAULT = "termination NOT IN ('line completed', 'board full')"
_ALONE = "NOT EXISTS (SELECT * FROM iteration AS one WHERE (one.game, one.ply) = (made.game, made.ply))"


def numbered(games: Iterable[int]) -> Where:
    """Return the condition for games with these numbers."""
    return Where("game.id IN (SELECT value FROM json_each(?))", (json.dumps(list(games)),))


def sample(store: Store, size: int | None) -> Where:
    """Return a condition for at most `size` games, a pseudo-random sample by number; None for all games."""
    if size is None or store.count_games() <= size:
        return ALL
    numbers = store.rows("SELECT id FROM game ORDER BY id * 2654435761 % 4294967296 LIMIT ?", size)
    return numbered(number for (number,) in numbers)


# The columns that tables are made from.


def agents(store: Store) -> Columns:
    """Return every agent; `parameters` are JSON."""
    return store.columns(
        "SELECT name, spec, kind, parameters, deterministic, stranger, author, digest FROM agent ORDER BY id"
    )


def openings(store: Store) -> Columns:
    """Return every opening: its number, moves and value."""
    return store.columns("SELECT id AS opening, moves, value FROM opening ORDER BY id")


def evidence(store: Store) -> Columns:
    """Return the evidence of the sequential test after each number of pairs."""
    return store.columns("SELECT * FROM sprt ORDER BY pairs")


def games(store: Store, where: Where = ALL) -> Columns:
    """Return a row for each game, with the names of its agents; `round` is NULL in files of earlier versions."""
    rounds = "round" if store.has_column("game", "round") else "NULL"
    return store.columns(
        "SELECT game.id AS game, key, one.name AS first, two.name AS second, opening, moves, result, termination,"
        f" detail, started, seconds, {rounds} AS round {_NAMED}"
        f" WHERE {where.text} ORDER BY opening, game.first, game.second",
        *where.values,
    )


def moves(store: Store, where: Where = ALL) -> Columns:
    """Return a row for each move, with the agent that made it."""
    query = _by_agent("move", "column, depth, nodes, made.seconds AS seconds, score", where)
    return store.columns(f"{query} ORDER BY game.id, ply", *where.values)


def replies(store: Store, where: Where = ALL) -> Columns:
    """Return game, ply, agent and JSON of each request to a language model for a move, made or not."""
    asked = where & Where("json_type(extra, '$.tries') = 'integer'")
    return store.columns(f"{_by_agent('extra', 'extra', asked)} ORDER BY game.id, ply", *asked.values)


def searches(store: Store, where: Where = ALL) -> Columns:
    """Return a row for each completed depth; without a condition also for moves that report no depths."""
    fields = "depth, nodes, made.seconds AS seconds, score, column"
    clause = where if where == ALL else where & Where("depth > 0")
    query = f"{_by_agent('iteration', fields, clause)} UNION ALL {_by_agent('move', fields, clause & Where(_ALONE))}"
    return store.columns(f"{query} ORDER BY 1, 2, 4", *clause.values, *clause.values)


def _by_agent(table: str, fields: str, where: Where) -> str:
    """Return a query for rows of a table with `game` and `ply`, with the agent that moved."""
    return (
        f"SELECT game.id AS game, ply, agent.name AS agent, {fields} FROM game"
        f" CROSS JOIN {table} AS made ON made.game = game.id"
        f" JOIN agent ON agent.id = CASE ply % 2 WHEN 0 THEN first ELSE second END WHERE {where.text}"
    )


def audit(store: Store) -> Columns:
    """Return a row for each audited move; the file must have the table `audit`."""
    return store.columns(
        "SELECT game, opening, ply, agent.name AS agent, value, after, legal, keeping"
        " FROM audit JOIN game ON game.id = game"
        " JOIN agent ON agent.id = CASE ply % 2 WHEN 0 THEN first ELSE second END ORDER BY game, ply"
    )


def times(store: Store) -> Columns:
    """Return a row for each search timed alone; the file must have the table `timing`."""
    return store.columns(
        "SELECT position, agent.name AS agent, turn, nodes, seconds FROM timing"
        " JOIN agent ON agent.id = agent ORDER BY position, turn, agent.id"
    )


def choices(store: Store) -> Columns:
    """Return what each agent chooses in a sample of positions; the file must have the table `choice`."""
    return store.columns(
        'SELECT game, ply, agent.name AS agent, "column", lost FROM choice JOIN agent ON agent.id = agent'
        " ORDER BY game, ply, agent.id"
    )


def pairings(store: Store) -> Columns:
    """Return a row for each two agents that met: `one`, `two` (by name), games, and `distinct` ones by their moves."""
    return store.columns(
        'SELECT min(one.name, two.name) AS one, max(one.name, two.name) AS two, games, "distinct" FROM'
        " (SELECT min(first, second) << 32 | max(first, second) AS pair, count(*) AS games,"
        ' count(DISTINCT moves) AS "distinct" FROM game GROUP BY pair)'  # one number is sorted faster than two
        " JOIN agent AS one ON one.id = pair >> 32 JOIN agent AS two ON two.id = pair & 4294967295 ORDER BY 1, 2"
    )


def faults(store: Store) -> Columns:
    """Return the games that ended by a fault; equal faults share a row, with the number of `games`."""
    points = "CASE result WHEN '1-0' THEN 1.0 WHEN '0-1' THEN 0.0 ELSE 0.5 END"
    return store.columns(
        f"SELECT one.name AS first, two.name AS second, {points} AS points, termination, detail, count(*) AS games"
        f" {_NAMED} WHERE {_FAULT} GROUP BY 1, 2, 3, 4, 5"
        " ORDER BY min((opening * (SELECT count(*) FROM agent) + game.first) * (SELECT count(*) FROM agent)"
        " + game.second)"
    )


# Queries about the run as a whole.


def packed_games(store: Store, agents: int) -> Iterator[list[tuple[int, str]]]:
    """Yield lists of games, each as a number that packs opening, players and result, and the moves.

    The number is ((opening · agents + first − 1) · agents + second − 1) · 3 + twice the first player's points. Reading
    one number is twice as fast as reading four.
    """
    return store.pieces(
        "SELECT ((opening * ?1 + first - 1) * ?1 + second - 1) * 3"
        " + CASE result WHEN '1-0' THEN 2 WHEN '0-1' THEN 0 ELSE 1 END, moves FROM game",
        agents,
    )


def agent_numbers(store: Store) -> dict[str, int]:
    """Return the numbers of the agents, by name."""
    return dict(store.rows("SELECT name, id FROM agent ORDER BY id"))


def opening_numbers(store: Store) -> list[int]:
    """Return the numbers of the openings."""
    return [number for (number,) in store.rows("SELECT id FROM opening ORDER BY id")]


def described(store: Store) -> list[tuple[str, str, str | None]]:
    """Return each agent's kind, stored parameters and digest, in the order of the agents."""
    rows = store.rows("SELECT kind, parameters, digest FROM agent ORDER BY id")
    return [(kind, parameters, digest) for kind, parameters, digest in rows]


def latest_games(store: Store, most: int) -> list[dict[str, Any]]:
    """Return the games stored last, the newest first: game, first, second, moves, result, termination."""
    names, rows = store.select(
        "SELECT game.id AS game, one.name AS first, two.name AS second, moves, result, termination"
        f" {_NAMED} ORDER BY game.id DESC LIMIT ?",
        most,
    )
    return [dict(zip(names, row, strict=True)) for row in rows]


def games_by_job(store: Store, jobs: Iterable[tuple[int, int, int]]) -> dict[tuple[int, int, int], tuple[int, str]]:
    """Return the number and moves of games by job: the numbers of the first agent, the second agent and the opening."""
    rows = store.rows(
        "SELECT first, second, opening, id, moves FROM game WHERE (first, second, opening) IN"
        " (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')"
        " FROM json_each(?))",
        json.dumps(list(jobs)),
    )
    return {(first, second, opening): (game, texts) for first, second, opening, game, texts in rows}


def fault_reports(store: Store) -> list[Row]:
    """Return the games that ended by a fault, sorted by loser.

    A row is id, the loser's name and spec, termination, detail, and the fault's position, traceback and output.
    """
    return store.rows(f"""
        SELECT game.id, loser.name, loser.spec, termination, detail, coalesce(position, game.moves),
            coalesce(traceback, ''), coalesce(output, '')
        FROM game JOIN agent AS loser ON loser.id = CASE result WHEN '0-1' THEN first ELSE second END
        LEFT JOIN fault ON fault.game = game.id WHERE {_FAULT} ORDER BY loser.id, game.id
    """)


# Games by a condition, and their moves with the audit, if there is one.

_WHOLE = "count(*) >= (SELECT count(*) FROM move WHERE move.game = audit.game)"
"""Whether all moves of a game are audited."""
_SIDES = (("first", "second", "1-0", "0-1"), ("second", "first", "0-1", "1-0"))
"""The columns of a player and of its opponent, and the results with which it won or lost."""


def matching(
    *, agent: int | None = None, opponent: int | None = None, result: str | None = None, faults: bool = False,
    blunders: bool = False,
) -> Where:  # fmt: skip
    """Return the condition for games that meet all arguments; see `arena.tournament.games.Filter`.

    agent, opponent: places in the list of agents. result: "win", "draw" or "loss" of the agent, or of the first player
    without one. faults, blunders: only games with a fault or a blunder, of the agent if one is given.
    """
    sides = []
    for side, other, won, lost in _SIDES[: 1 if agent is None else 2]:
        conditions = []
        if agent is not None:
            conditions.append(Where(f"{side} = ?", (agent + 1,)))
        if opponent is not None:
            conditions.append(Where(f"? {'IN (first, second)' if agent is None else f'= {other}'}", (opponent + 1,)))
        if result is not None:
            conditions.append(Where("result = ?", ({"win": won, "draw": "1/2-1/2", "loss": lost}[result],)))
        if faults:
            conditions.append(Where(_FAULT if agent is None else f"{_FAULT} AND result = '{lost}'"))
        if blunders:
            mine = "" if agent is None else f"AND ply % 2 = {int(side == 'second')}"
            conditions.append(
                Where(f"EXISTS (SELECT * FROM audit WHERE audit.game = game.id AND after < value {mine})")
            )
        sides.append(_joined(" AND ", conditions))
    wanted = [_joined(" OR ", sides)]
    if blunders:
        wanted.append(Where(f"game.id IN (SELECT game FROM audit GROUP BY game HAVING {_WHOLE})"))
    return _joined(" AND ", wanted)


def _joined(word: str, conditions: Sequence[Where]) -> Where:
    if not conditions:
        return ALL
    return Where(
        word.join(f"({condition.text})" for condition in conditions),
        tuple(value for condition in conditions for value in condition.values),
    )


@dataclass(frozen=True, slots=True)
class Selection:
    """The games of a run that meet a condition, in the order of their numbers; every method queries the file."""

    store: Store
    where: Where = ALL

    def first(self, limit: int) -> Self:
        """Return the selection of the first games, at most `limit`."""
        ids = f"game.id IN (SELECT id {self._from} ORDER BY id LIMIT ?)"
        return replace(self, where=Where(ids, (*self.where.values, limit)))

    def count(self) -> int:
        """Return the number of games."""
        return int(self.store.value(f"SELECT count(*) {self._from}", *self.where.values))

    def rows(self, size: int) -> Iterator[list[Row]]:
        """Yield the games, `size` at a time: id, first, second, opening's moves, moves, result, termination, detail."""
        yield from self.store.pieces(
            "SELECT game.id, one.name, two.name, opening.moves, game.moves, result, termination, detail"
            f" {_NAMED} JOIN opening ON opening.id = opening WHERE {self.where.text} ORDER BY game.id",
            *self.where.values,
            size=size,
        )

    @property
    def _from(self) -> str:
        return f"FROM game WHERE {self.where.text}"


def number_of_job(store: Store, job: Job) -> int | None:
    """Return the number of the game of a job, or None if it is not stored."""
    query = "SELECT id FROM game WHERE (first, second, opening) = (?, ?, ?)"
    return next((number for (number,) in store.rows(query, job.first + 1, job.second + 1, job.opening + 1)), None)


def lowest_and_highest(store: Store) -> tuple[int | None, int | None]:
    """Return the lowest and the highest number of a game, or None without games."""
    [(low, high)] = store.rows("SELECT min(id), max(id) FROM game")
    return low, high


def lost_value(store: Store, game: int | None = None) -> dict[int, list[tuple[int, int, int]]]:
    """Return ply, value and value after the move of all moves that lost value, by game, for all games or one.

    Only games with all moves audited are included.
    """
    if not store.is_audited():
        return {}
    one, values = ("", ()) if game is None else ("WHERE game = ?", (game,))
    whole = store.rows(f"SELECT game FROM audit {one} GROUP BY game HAVING {_WHOLE}", *values)
    lost: dict[int, list[tuple[int, int, int]]] = {number: [] for (number,) in whole}
    for number, *blunder in store.rows(
        f"SELECT * FROM (SELECT game, ply, value, after FROM audit {one}) WHERE after < value ORDER BY game, ply",
        *values,
    ):
        if number in lost:
            lost[number].append((blunder[0], blunder[1], blunder[2]))
    return lost


def decisions(store: Store, game: int) -> list[Row]:
    """Return a game's moves: ply, column, score, depth, nodes, seconds, extra.

    With an audit, value, after, legal, keeping and keepers follow, as far as the file has them.
    """
    columns = {name for (name,) in store.rows("SELECT name FROM pragma_table_info('audit')")}
    extra, join = ("extra", "LEFT JOIN extra USING (game, ply)") if store.has("extra") else ("NULL", "")
    fields = ["ply", "column", "move.score", "depth", "nodes", "seconds", extra]
    fields += [name for name in ("value", "after", "legal", "keeping", "keepers") if name in columns]
    audit = "LEFT JOIN audit USING (game, ply)" if columns else ""
    return store.rows(f"SELECT {', '.join(fields)} FROM move {join} {audit} WHERE move.game = ? ORDER BY ply", game)


def extras(store: Store, games: Iterable[int]) -> dict[tuple[int, int], str]:
    """Return the `extra` JSON of these games' moves, by game and ply."""
    query = "SELECT game, ply, extra FROM extra WHERE game IN (SELECT value FROM json_each(?))"
    rows = store.rows(query, json.dumps(list(games))) if store.has("extra") else []
    return {(game, ply): text for game, ply, text in rows}


def moves_of(store: Store, games: Iterable[int]) -> list[Row]:
    """Return game, ply, score, nodes, seconds and depth of every move of these games."""
    query = "SELECT game, ply, score, nodes, seconds, depth FROM move WHERE game IN (SELECT value FROM json_each(?))"
    return store.rows(f"{query} ORDER BY game, ply", json.dumps(list(games)))


def audit_of(store: Store, games: Iterable[int]) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the audited moves of these games, by game and ply; empty if the run is not audited."""
    if not store.is_audited():
        return {}
    query = "SELECT * FROM audit WHERE game IN (SELECT value FROM json_each(?))"
    names, rows = store.select(query, json.dumps(list(games)))
    return {(row[0], row[1]): dict(zip(names, row, strict=True)) for row in rows}


def kept(store: Store, name: str) -> Columns:
    """Return the rows of a plugin's table."""
    return store.columns(f"SELECT * FROM {name} ORDER BY rowid")
