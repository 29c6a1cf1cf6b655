"""Write the labels of a file whose positions, or their mirror images, are not among those of the training.

python results/network/unseen.py test.jsonl middle.npz opening.npz --out unseen.jsonl
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from agents.board import STANDARD
from arena.measure.label import Label, read_positions, write

parser = argparse.ArgumentParser()
parser.add_argument("labels", type=Path)
parser.add_argument("positions", type=Path, nargs="+")
parser.add_argument("--out", type=Path, required=True)
given = parser.parse_args()
known = {int(key) for path in given.positions for key in np.load(path)["keys"]}
rows = [row for row in read_positions(given.labels) if min(row[0].key, row[0].mirror().key) not in known]
write(given.out, [Label(board.text, score, columns) for board, score, columns in rows], STANDARD)
