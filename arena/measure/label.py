"""Labels: positions with their exact scores, to tune heuristics, to train networks and to grade agents.

They are written to files in the forms that other programs read, and read back with checks:

.jsonl      {"position": "4453", "score": 2, "columns": [-2, …]} a line; null for a full column
.csv        the same three columns, the list as JSON has it
.parquet    the same three columns; needs pyarrow
.txt        `MOVES SCORE` a line, as Pascal Pons' test sets have it
.json       the schema of the ARENA course's MCTS chapter: {"meta": …, "positions": [{"moves", "scores", "depth"}]},
            columns from 0 and -1000 for a full one
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, unknown
from agents.solver.book import shipped_book
from agents.solver.solver import MEBIBYTES, Solver
from agents.specs.plugins import one_line
from arena import notation
from arena.measure.solve import Discs, Values, in_threads
from arena.rows import cell, table_row
from arena.store.writing import replacing

if TYPE_CHECKING:
    from arena.play.cluster import Cluster


CHUNK = 16
"""Positions that a thread takes at a time."""


@table_row
class Label:
    """A position and what it is worth to the side to move."""

    position: str = cell("Its moves from the empty board, columns from 1.")
    score: int = cell(
        "[discs] Those that the winner has left after the winning move, plus one; negative for a loss, 0 for a draw."
    )
    columns: tuple[int | None, ...] | None = cell(
        "[discs] The score of a move in each column, None where it is full; None unless asked for.", default=None
    )


def labels_of(
    boards: Sequence[Board],
    found: dict[Discs, Label],
    threads: int | Cluster = 1,
    mebibytes: int = MEBIBYTES,
    progress: Callable[[], object] = lambda: None,
    *,
    columns: bool = False,
) -> list[Label]:
    """Return the labels of different positions of one board, in their order.

    found: the known labels, by the discs of the side to move and of the other; every new label is added at once, so
    that an interruption loses none. columns: also score each column. threads: share one table of so many mebibytes.
    progress: called after each position. Raises InputError without memory for the table.
    """
    todo = sorted((board for board in boards if (board.own, board.opp) not in found), key=lambda board: -board.ply)
    if todo:
        rules = todo[0].rules
        solver = Solver(rules, mebibytes, shipped_book(rules))
        chunks = [todo[start : start + CHUNK] for start in range(0, len(todo), CHUNK)]
        with closing(in_threads(solver, threads, chunks, _scores if columns else _score)) as answers:
            for board, answer in answers:
                if isinstance(answer, int):
                    row = Label(board.text, answer)
                else:
                    row = Label(board.text, max(score for score in answer if score is not None), answer)
                found[board.own, board.opp] = row
                progress()
    return [found[board.own, board.opp] for board in boards]


def _score(solver: Solver, board: Board) -> int | Values:
    return solver.score_of(board)


def _scores(solver: Solver, board: Board) -> int | Values:
    return solver.column_scores(board.own, board.opp)


NO_COLUMN = -1000
"""What the course's schema has for a full column."""
EXACT = "exact"
"""How `meta` describes our scores. The course's own are exact only in their sign, and are solved again."""
Row = tuple[str, int | None, Values | None]
"""Moves from column 1, score and columns' scores, each None where the file has none."""


@dataclass(frozen=True, slots=True)
class LabelFormat:
    """How labels are written to a file, and read from it."""

    write: Callable[[Path, Sequence[Label], Rules], object]
    read: Callable[[Path, Rules], Iterator[tuple[int, Row]]]
    """Yields each position with the number of its line or place."""
    unit: str = "line"


def _row(record: dict[str, Any]) -> Row:
    columns = record.get("columns")
    columns = json.loads(columns) if isinstance(columns, str) and columns else columns
    score = record.get("score")
    known = None if columns is None or isinstance(columns, str) else tuple(map(_whole, columns))
    return str(record["position"]), _whole(None if score == "" else score), known


def _whole(value: Any) -> int | None:  # noqa: ANN401  whatever a file has
    """Return a score; in parquet a missing one among numbers is not a number."""
    return None if value is None or value != value else int(value)  # noqa: PLR0124  only nan differs from itself


def _write_lines(path: Path, labels: Sequence[Label], _: Rules) -> None:
    path.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in labels), encoding="utf-8")


def _read_lines(path: Path, _: Rules) -> Iterator[tuple[int, Row]]:
    with path.open(encoding="utf-8-sig") as file:
        yield from ((number, _row(json.loads(line))) for number, line in enumerate(file, start=1) if line.strip())


def _write_csv(path: Path, labels: Sequence[Label], _: Rules) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("position", "score", "columns"))
        writer.writerows((e.position, e.score, "" if e.columns is None else json.dumps(e.columns)) for e in labels)


def _read_csv(path: Path, _: Rules) -> Iterator[tuple[int, Row]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from enumerate(map(_row, csv.DictReader(file)), start=2)


def _write_parquet(path: Path, labels: Sequence[Label], _: Rules) -> None:
    from arena.rows import frame

    frame(labels, Label).to_parquet(path, engine="pyarrow", index=False)


def _read_parquet(path: Path, _: Rules) -> Iterator[tuple[int, Row]]:
    import pandas as pd

    yield from enumerate(map(_row, pd.read_parquet(path, engine="pyarrow").to_dict("records")), start=1)


def _write_pons(path: Path, labels: Sequence[Label], _: Rules) -> None:
    path.write_text("".join(f"{each.position} {each.score}\n" for each in labels), encoding="utf-8")


def _read_pons(path: Path, rules: Rules) -> Iterator[tuple[int, Row]]:
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    for number, text in notation.numbered(lines, rules):
        if re.fullmatch(r" [+-]?[0-9]{1,2}", lines[number - 1]) and abs(int(text)) <= rules.columns * rules.rows // 2:
            yield number, ("", int(text), None)  # the empty board and its score
            continue
        try:
            board, score = notation.line(text, rules)
        except InputError as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        yield number, (board.text, score, None)


def _write_course(path: Path, labels: Sequence[Label], rules: Rules) -> None:
    positions = []
    for each in labels:
        moves = Board.from_moves(each.position, rules).moves
        scores = [NO_COLUMN if score is None else score for score in each.columns or ()]
        positions.append({"moves": "".join(map(str, moves)), "scores": scores, "depth": len(moves)})
    text = (
        f"{rules} positions; columns count from 0; scores are the mover's, one a column, {NO_COLUMN} where it is full"
    )
    path.write_text(json.dumps({"meta": {"description": text, "scores": EXACT}, "positions": positions}))


def _read_course(path: Path, _: Rules) -> Iterator[tuple[int, Row]]:
    document = json.loads(path.read_text(encoding="utf-8-sig"))
    exact = document["meta"].get("scores") == EXACT
    for number, each in enumerate(document["positions"], start=1):
        columns = tuple(None if score == NO_COLUMN else int(score) for score in each["scores"])
        yield number, (",".join(str(int(move) + 1) for move in each["moves"]), None, columns if exact else None)


FORMS: dict[str, LabelFormat] = {
    ".jsonl": LabelFormat(_write_lines, _read_lines),
    ".csv": LabelFormat(_write_csv, _read_csv),
    ".parquet": LabelFormat(_write_parquet, _read_parquet, unit="row"),
    ".txt": LabelFormat(_write_pons, _read_pons),
    ".json": LabelFormat(_write_course, _read_course, unit="position"),
}
"""By the suffix of a file's name."""


def refuse(path: Path, rules: Rules, *, columns: bool) -> None:
    """Raise InputError where labels cannot be written to this file, before hours are spent on them."""
    form = _form(path)
    if form is FORMS[".json"] and (not columns or rules.columns > 10):
        raise InputError(f"{path}: the course's schema has the scores of all columns, of 10 at most: add --moves")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise InputError(
            f"{path} cannot be written: {'it is a folder' if path.is_dir() else 'there is no such folder'}"
        )


def write(path: Path, labels: Sequence[Label], rules: Rules) -> None:
    """Write labels in the form that the file's name ends with, whole or not at all. Raises InputError."""
    with replacing(path) as beside:
        _form(path).write(beside, labels, rules)


def read_positions(path: Path, rules: Rules = STANDARD) -> list[tuple[Board, int | None, Values | None]]:
    """Return the positions of a file, each once, with the scores that it has of them, else None.

    Raises InputError, with the line, for a game that is over, for what is no position, and for impossible scores.
    """
    rules.refuse_most_fours("the solver")
    form = _form(path)
    found: dict[tuple[int, int], tuple[Board, int | None, Values | None]] = {}
    try:
        for number, (moves, score, columns) in form.read(path, rules):
            board = _board(moves, score, columns, rules, f"{path}, {form.unit} {number}")
            found.setdefault((board.own, board.opp), (board, score, columns))
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except KeyError as error:
        raise InputError(f"{path} does not hold labelled positions: it has no column {error.args[0]!r}") from None
    except (TypeError, ValueError) as error:
        told = one_line(error)  # `repr` shows all bytes of a file that is no text
        raise InputError(f"{path} does not hold labelled positions as {path.suffix} files do: {told}") from None
    if not found:
        raise InputError(f"{path}: it names no position")
    return list(found.values())


def known_labels(path: Path, rules: Rules, *, columns: bool) -> dict[Discs, Label]:
    """Return the labels of a file by the discs of both sides, to continue from; see `read_positions`."""
    found = {}
    for board, score, worth in read_positions(path, rules):
        best = max((each for each in worth or () if each is not None), default=score)
        if best is not None and (worth or not columns):
            found[board.own, board.opp] = Label(board.text, best, worth)
    return found


def _board(moves: str, score: int | None, columns: Values | None, rules: Rules, place: str) -> Board:
    try:
        board = Board.from_moves(moves, rules)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if board.outcome is not None:
        raise InputError(f"{place}: the game is already over ({board.outcome})")
    if columns is not None:
        legal = tuple(column for column, worth in enumerate(columns) if worth is not None)
        if len(columns) != rules.columns or legal != board.legal_moves():
            raise InputError(f"{place}: {len(columns)} columns have scores, which are not those that can be played")
        if score is not None and score != max(columns[column] or 0 for column in legal):
            raise InputError(f"{place}: the score is {score}, but not the best column's")
    return board


def _form(path: Path) -> LabelFormat:
    if path.suffix.lower() not in FORMS:
        raise unknown("kind of file for labels", path.suffix or path.name, FORMS)
    if path.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise InputError("parquet files are written by pyarrow, which is not installed: pip install pyarrow")
    return FORMS[path.suffix.lower()]
