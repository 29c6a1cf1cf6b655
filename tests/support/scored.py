"""Positions whose scores the slow solver found."""

import csv

from samples import DATA

from agents.board import Board, Rules


def solved():
    """Return the positions of `data/solved.csv` with their scores, by board."""
    with (DATA / "solved.csv").open(encoding="utf-8", newline="") as file:
        boards = {}
        for row in csv.DictReader(file):
            rules = Rules.parse(row["rules"])
            board = Board.from_moves(row["moves"].replace(" ", ","), rules)
            boards.setdefault(rules, []).append((board, int(row["score"])))
        return boards


SOLVED = solved()
MIDDLE = {
    "252237346254331227767": 2, "373517746543736115525": 0, "112473174374624122221": -1, "211465162322662543725": -1,
    "463211414447351567461": -2, "542371711152157743233": 0, "453644442145561766136": 0, "475657231626645553164": 0,
    "677431656675443165557": 0, "543327761443165546672": 0, "35475412732351745577": 2, "63577164246671144425": 0,
    "63746337531733577665": 0,
}  # fmt: skip
"""Positions of 20 and 21 discs."""
