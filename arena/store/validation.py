"""The check of a stored run before it is read: its file is sound, its rows have their digests, its games can be played.

A disk, a cable or an editor changes a byte without a word, and a table made from it looks like any other.
"""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from agents.board import Board, Outcome, Rules, split_moves
from agents.errors import InputError
from arena.records import Termination, is_termination
from arena.store.connection import as_input_error
from arena.store.digests import changed
from arena.store.queries import ALL, Row, Where, sample
from arena.store.run_file import Store
from arena.store.schema import AUDIT, CHOICE, EXTRA, LOAD, RESULTS, SCHEMA, SESSIONS, TIMING, VERSION

CHECKED = 10_000
"""Games to play again when a run is read; of a run that has more, a sample of so many."""

_NO_JSON = """
    SELECT 'its plan' FROM run WHERE NOT json_valid(plan)
    UNION ALL SELECT 'what it was made with' FROM run WHERE NOT (json_valid(versions) AND json_valid(machine))
    UNION ALL SELECT 'the parameters of agent ' || id FROM agent WHERE NOT json_valid(parameters) LIMIT 1"""
_OF_SOME_VERSIONS = (",roundINTEGER", ",keepersTEXT", ",scoreINTEGER,after_scoreINTEGER,bestINTEGER")
_STRAY = """
    SELECT id FROM game WHERE first NOT IN (SELECT id FROM agent) OR second NOT IN (SELECT id FROM agent)
        OR opening NOT IN (SELECT id FROM opening) OR result NOT IN ('1-0', '0-1', '1/2-1/2') LIMIT 1"""
_ENDINGS = "SELECT min(id), termination FROM game GROUP BY termination ORDER BY 1"
_PLAYED = """
    SELECT game.id, opening.moves, game.moves, result, termination,
        (SELECT group_concat(ply || ' ' || "column") FROM move WHERE game = game.id),
        (SELECT count(*) FROM move WHERE game = game.id AND (nodes < 0 OR seconds < 0 OR depth < 0))
    FROM game JOIN opening ON opening.id = opening WHERE {} ORDER BY game.id"""


def refuse_damaged(store: Store, *, whole: bool = False) -> None:
    """Raise InputError, in one line with the file and the game, if a run's file is damaged.

    SQLite checks all pages; CHECKED games are compared with their digests and played again, or with `whole` all. The
    moves of a game must be legal, begin with its opening and lead to its result, and its stored decisions must be these
    moves. Files of version 0.2.0 have no digests.
    """
    with store.snapshot():
        _refuse_damaged(store, sample(store, None if whole else CHECKED))


def _refuse_damaged(store: Store, where: Where) -> None:
    sealed = store.value("PRAGMA user_version") == VERSION
    _refuse_other_tables(store, sealed=sealed)
    [(verdict,)] = store.rows(f"PRAGMA {'integrity' if where == ALL else 'quick'}_check(1)")
    if verdict != "ok":
        raise InputError(f"{store.path} is damaged: {' '.join(verdict.split())}")
    for (what,) in store.rows(_NO_JSON):
        raise InputError(f"{store.path} is damaged: {what} cannot be read")
    rules = store.rules()
    for (game,) in store.rows(_STRAY):
        raise InputError(
            f"{place(store.path, game)}: it is damaged: its result, agents or opening are not those of a run"
        )
    for game, termination in store.rows(_ENDINGS):
        if not is_termination(termination):
            raise InputError(f"{place(store.path, game)}: it is damaged: no game ends by {termination!r:.40}")
    for row in games_to_play_again(store, where):
        _refuse_impossible(store.path, rules, *row)
    if sealed:
        _refuse_changed(store, where)


def _refuse_other_tables(store: Store, *, sealed: bool) -> None:
    """Raise InputError if the file lacks a table of a run, or has one with another definition."""
    tables = dict(store.rows("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    needed, optional = _definitions()
    for name in needed:
        if name not in tables and (sealed or name != "digest"):
            raise InputError(f"{store.path} is damaged: it has no table {name}")
    for name, sql in tables.items():
        text = _compact(sql)
        if text != {**optional, **needed}.get(name, text):
            raise InputError(f"{store.path} is damaged: its table {name} is defined in another way")


@functools.cache
def _definitions() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the definitions of the tables and views that every run has, and of those that it may have, by name."""
    with closing(sqlite3.connect(":memory:")) as connection:
        query = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        connection.executescript(SCHEMA)
        needed = {name: _compact(sql) for name, sql in connection.execute(query)}
        connection.executescript(";".join([AUDIT, EXTRA, TIMING, CHOICE, LOAD, SESSIONS[0]]))
        return needed, {name: _compact(sql) for name, sql in connection.execute(query)}


def tables_of_runs() -> set[str]:
    """Return the names of the tables and views that a run has or may have, apart from those of plugins."""
    needed, optional = _definitions()
    return {*needed, *optional}


def _compact(sql: str) -> str:
    """Return a definition without blanks, quotes around names, and columns that only some versions have."""
    text = "".join(sql.replace('"', "").split())
    for columns in _OF_SOME_VERSIONS:
        text = text.replace(columns, "")
    return text


def _refuse_changed(store: Store, where: Where) -> None:
    """Raise InputError if a row is not as it was stored."""
    games = None if where == ALL else f"SELECT id FROM game WHERE {where.text}"
    with as_input_error(store.path):
        for part, key in changed(store.connection, games, where.values):
            row = f"{part} {key}" if isinstance(key, int) else f"its {part}"
            raise InputError(f"{store.path}, {row}: it is damaged: it is not as it was stored")


def games_to_play_again(store: Store, where: Where) -> Iterator[Row]:
    """Yield number, opening, moves, result, termination, decisions and number of impossible decisions of games."""
    for rows in store.pieces(_PLAYED.format(where.text), *where.values):
        yield from rows


def _refuse_impossible(
    path: Path, rules: Rules, game: int, opening: str, moves: str, result: str, termination: str,
    decisions: str | None, impossible: int,
) -> None:  # fmt: skip
    """Raise InputError if a stored game cannot have been played; `decisions` are "ply column" between commas."""
    if not _is_won_at_last(rules, moves, result, termination):
        final_board(place(path, game), rules, moves, result, termination)
    words, first = split_moves(moves, rules), split_moves(opening, rules)
    plies = len(first)
    if words[:plies] != first:
        raise InputError(f"{place(path, game)}: it does not begin with its opening")
    if (decisions or "") != ",".join(f"{ply} {word}" for ply, word in enumerate(words[plies:], plies)):
        raise InputError(f"{place(path, game)}: its decisions are not its moves")
    if impossible:
        raise InputError(f"{place(path, game)}: it is damaged: a decision has fewer than no nodes, depth or seconds")


def _is_won_at_last(rules: Rules, moves: str, result: str, termination: str) -> bool:
    """Return whether the last move of a game completes its first line, and wins it; False also where this is unknown.

    A line needs a look at the last position and at the one before it, which takes a sixth of the time that boards take.
    """
    if termination != Termination.LINE or not rules.decisive or not (moves.isascii() and moves.isdecimal()):
        return False
    height = rules.rows + 1
    free = [column * height for column in range(rules.columns)]
    discs, bit = [0, 0], 0
    try:
        for ply, word in enumerate(moves):
            column = int(word) - 1
            bit = 1 << free[column]
            free[column] += 1
            discs[ply & 1] |= bit
    except IndexError:
        return False
    winner = (len(moves) - 1) & 1
    return (
        max(top - column * height for column, top in enumerate(free)) <= rules.rows
        and "0" not in moves
        and result == ("1-0", "0-1")[winner]
        and not rules.line(discs[1 - winner])
        and not rules.line(discs[winner] ^ bit)
        and bool(rules.line(discs[winner]))
    )


def final_board(place: str, rules: Rules, moves: str, result: str, termination: str) -> Board:
    """Return the last position of a stored game. Raises InputError if its moves cannot produce its result.

    place: the file and the number of the game, for the message. rules, moves: the board, and the moves of the game.
    result, termination: their stored texts.
    """
    try:
        board = Board.from_moves(moves, rules)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    outcome = board.outcome
    if termination not in {Termination.LINE, Termination.FULL}:
        if outcome is not None:
            raise InputError(f"{place}: it ends by a fault, but its moves had already ended it ({outcome})")
        if termination == Termination.KILLED and result != RESULTS[Outcome.DRAW]:
            return board  # by whichever agent was thinking, whose moves are lost
        outcome = Outcome(1 - board.mover)  # the side to move has lost
    if outcome is None or RESULTS[outcome] != result:
        standing = "not over" if outcome is None else RESULTS[outcome]
        raise InputError(f"{place}: its result is {result}, but after its moves it is {standing}")
    by_line = outcome is not Outcome.DRAW and bool(rules.decisive)
    if termination in {Termination.LINE, Termination.FULL} and by_line != (termination == Termination.LINE):
        raise InputError(f"{place}: it is damaged: its last move does not end it by {termination!r:.40}")
    return board


def place(path: Path, game: int) -> str:
    """Return the name of a stored game in messages."""
    return f"{path}, game {game}"
