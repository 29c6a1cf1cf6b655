"""Stored runs: the list of runs, and a run's tables, games, faults, state and failed conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import InputError
from arena.store import folder as folders
from arena.store import live
from arena.store.connection import FOLDER
from arena.store.queries import latest_games
from arena.store.run_file import Store
from arena.store.validation import refuse_damaged

if TYPE_CHECKING:
    from arena.table.parts import Part, Table
    from arena.tournament.faults import FaultReport
    from arena.tournament.frames import Frames
    from arena.tournament.games import Filtered, Replay
    from arena.tournament.pairings import Duel

run_file = folders.run_file
stored = folders.stored


def runs(folder: Path | None = None) -> tuple[list[folders.StoredRun], list[str]]:
    """Return the runs in a folder, newest first, and an error for each file that was skipped.

    folder: by default the current one and `results`. Raises InputError if there is no such folder.
    """
    rows, errors = stored(folder)
    if folder is None and not (rows or errors or FOLDER.is_dir()):
        raise InputError(f"nothing is stored yet: arena run makes the folder {FOLDER}")
    return rows, errors


def frames(path: Path, table: str = "") -> Frames:
    """Return the frames of a stored run. Raises InputError.

    Games, moves and searches are a sample of a large run, unless `table` names a table of stored rows.
    """
    from arena.tournament.frames import SAMPLE, Frames

    if not table:
        return Frames.read(path, SAMPLE)
    from arena.tournament.stored import STORED

    return Frames.read(path, None if table in STORED else SAMPLE)


def stored_table(frames: Frames, name: str) -> Table | None:
    """Return a table of stored rows, such as `games`, or None for the name of another table."""
    from arena.tournament.game_tables import stored
    from arena.tournament.stored import STORED

    return stored(frames, name) if name in STORED else None


def duels(frames: Frames) -> list[Duel]:
    """Return the pairings of a run."""
    from arena.tournament import pairings

    return pairings.duels(frames)


def tables(frames: Frames) -> list[Part]:
    """Return what a run shows in a few sentences and its main tables, which end with the effort."""
    from arena.tournament.tables import offered, whole

    return [*whole(frames), *offered(frames)]


@contextmanager
def games(
    path: Path,
    *,
    agent: str | None = None,
    opponent: str | None = None,
    result: str | None = None,
    faults: bool = False,
    blunders: bool = False,
    limit: int | None = None,
) -> Iterator[tuple[Filtered, list[str]]]:
    """Open a stored run, and yield the games that meet all conditions, with the names of the run's agents.

    agent, opponent: names, in full or as in the run's tables. result: "win", "draw" or "loss" of the agent, or of the
    first player without one. faults, blunders: only games that ended by a fault, or with moves that lost value; with an
    agent, only its own. limit: the most games. Raises InputError.
    """
    from arena.table.labels import Labels
    from arena.tournament.games import Filter, GameResult, filtered

    with Store.read(path) as store, store.snapshot():
        refuse_damaged(store)
        names = store.names()
        by_label: dict[str | None, str] = {shown: name for name, shown in Labels.among(names).texts.items()}
        players = by_label.get(agent, agent), by_label.get(opponent, opponent)
        ended = None if result is None else GameResult(result)
        yield filtered(store, Filter(*players, ended, faults, blunders), limit), names


def as_pgn(filtered: Filtered) -> Iterator[str]:
    """Yield games as PGN, each with a blank line after it. Moves of an opening have a comment behind the last one."""
    from agents.board import Board, split_moves
    from arena.games import pgn

    rules, event = filtered.store.rules(), filtered.store.path.stem
    for game in filtered:
        tags = {"Event": event, "Site": "?", "Date": "????.??.??", "Round": str(game.game)}
        tags |= {"White": game.first, "Black": game.second}
        plies = len(split_moves(game.opening, rules))
        board = Board.from_moves(game.moves, rules)
        yield pgn.written(board, tags, game.result, game.termination, game.detail, plies)


def replay(path: Path, game: int | str) -> Replay:
    """Return a stored game move by move, by its number or its key, such as 0-1-3. Raises InputError."""
    from arena.tournament.games import replay

    with Store.read(path) as store, store.snapshot():
        refuse_damaged(store)
        return replay(store, game)


def faults(path: Path) -> list[FaultReport]:
    """Return the faults of a stored run, grouped, with the data to reproduce each. Raises InputError."""
    from arena.tournament.faults import fault_reports

    with Store.read(path) as store, store.snapshot():
        refuse_damaged(store)
        return fault_reports(store)


def failures(frames: Frames, conditions: Sequence[str]) -> list[str]:
    """Return a line for each reason to reject a run. Raises InputError if it has no sequential test to ask.

    conditions: of "H0", "H1" and "undecided", the results of its sequential test that count as failures; "faults": a
    game that an agent lost by a fault is one.
    """
    from arena.tournament.faults import faulty
    from arena.tournament.pairings import evidence

    lines = []
    if decisions := [condition for condition in conditions if condition != "faults"]:
        if frames.plan.get("sprt") is None:
            raise InputError("--fail-if asks what a sequential test says; --sprt elo0=0,elo1=30 makes one")
        looks = evidence(frames)
        decision = looks[-1].decision if looks else "continue"
        decision = "undecided" if decision == "continue" else decision
        lines += [f"the sequential test says {decision}"] if decision in decisions else []
    for row in faulty(frames) if "faults" in conditions else ():
        often = f"all {row.games}" if row.faults == row.games else f"{row.faults} of {row.games}"
        lines.append(f"{row.agent} lost {often} games by its own fault: {row.first}")
    return lines


def state(path: Path, last: int) -> dict[str, Any]:
    """Return the state of a run, with its `last` games and the games in progress; fast for any size. Raises InputError.

    Keys: agents, played, planned, done, rules, games and playing, which is None if the run is not being played.
    """
    with Store.read(path) as store, store.snapshot():
        played, planned = store.count_games(), store.planned()
        done = played >= planned or store.is_decided()
        document = {
            "agents": store.names(), "played": played, "planned": planned, "done": done,
            "rules": asdict(store.rules()), "games": latest_games(store, last),
        }  # fmt: skip
    playing = None if done else live.read(path)
    return document | {"playing": None if playing is None else [asdict(game) for game in playing]}
