"""Files of labelled positions, in the forms that others read, and back from them.

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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agents.board import Board, Rules
from arena.measure.label import Label
from arena.measure.solving import Values

NO_COLUMN = -1000
"""What the course's schema has for a full column."""
EXACT = "exact"
"""What `meta` says of scores of ours. The course's own are exact only in their sign, and are solved again."""
Row = tuple[str, int | None, Values | None]
"""Moves from column 1, score and columns' scores, as far as a file knows them."""


@dataclass(frozen=True, slots=True)
class Form:
    """How labels are written to a file, and read from it."""

    write: Callable[[Path, Sequence[Label], Rules], object]
    read: Callable[[Path], Iterator[tuple[int, Row]]]
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


def _read_lines(path: Path) -> Iterator[tuple[int, Row]]:
    with path.open(encoding="utf-8-sig") as file:
        yield from ((number, _row(json.loads(line))) for number, line in enumerate(file, start=1) if line.strip())


def _write_csv(path: Path, labels: Sequence[Label], _: Rules) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("position", "score", "columns"))
        writer.writerows((e.position, e.score, "" if e.columns is None else json.dumps(e.columns)) for e in labels)


def _read_csv(path: Path) -> Iterator[tuple[int, Row]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from enumerate(map(_row, csv.DictReader(file)), start=2)


def _write_parquet(path: Path, labels: Sequence[Label], _: Rules) -> None:
    from arena.analysis.rows import frame

    frame(labels, Label).to_parquet(path, engine="pyarrow", index=False)


def _read_parquet(path: Path) -> Iterator[tuple[int, Row]]:
    import pandas as pd

    yield from enumerate(map(_row, pd.read_parquet(path, engine="pyarrow").to_dict("records")), start=1)


def _write_pons(path: Path, labels: Sequence[Label], _: Rules) -> None:
    path.write_text("".join(f"{each.position} {each.score}\n" for each in labels), encoding="utf-8")


def _read_pons(path: Path) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        moves, _, rest = line.partition(" ")
        if line.strip():
            yield number, (moves, int(rest.split()[0]) if rest.strip() else None, None)


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


def _read_course(path: Path) -> Iterator[tuple[int, Row]]:
    document = json.loads(path.read_text(encoding="utf-8-sig"))
    exact = document["meta"].get("scores") == EXACT
    for number, each in enumerate(document["positions"], start=1):
        columns = tuple(None if score == NO_COLUMN else int(score) for score in each["scores"])
        yield number, (",".join(str(int(move) + 1) for move in each["moves"]), None, columns if exact else None)


FORMS: dict[str, Form] = {
    ".jsonl": Form(_write_lines, _read_lines),
    ".csv": Form(_write_csv, _read_csv),
    ".parquet": Form(_write_parquet, _read_parquet, unit="row"),
    ".txt": Form(_write_pons, _read_pons),
    ".json": Form(_write_course, _read_course, unit="position"),
}
"""By what a file's name ends with."""
