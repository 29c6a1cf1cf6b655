"""Write the labels of a file whose positions, or their mirror images, are not among those of the training.

python results/network/unseen.py test.json middle.npz opening.npz --out unseen.jsonl
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from arena.perfect.scored import read_positions

parser = argparse.ArgumentParser()
parser.add_argument("labels", type=Path)
parser.add_argument("positions", type=Path, nargs="+")
parser.add_argument("--out", type=Path, required=True)
given = parser.parse_args()
known = {int(key) for path in given.positions for key in np.load(path)["keys"]}
rows = [row for row in read_positions(given.labels) if min(row[0].key, row[0].mirror().key) not in known]
documents = [{"position": board.text, "score": score, "columns": columns} for board, score, columns in rows]
given.out.write_text("".join(f"{json.dumps(each)}\n" for each in documents))
