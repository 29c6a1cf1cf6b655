"""Two published heuristics tuned at depth 4, and whether that helps at depths 4, 6 and 8: the study of this folder.

    python results/tuning/study.py

writes `tuning.json`, `grades.csv`, `grades.svg` and `tables.md` beside itself.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path

import arena
from arena.perfect.grading import Grade
from arena.plugins.tune import tables as report
from arena.plugins.tune import tune
from arena.table.render import write

HERE = Path(__file__).parent
STARTS = ("windows(1,10,100,1000)", "aware(40,17,15,4,2,13)")
DEPTHS = (4, 6, 8)
CORES = os.cpu_count() or 1


def main():
    """Tune, grade, draw."""
    found = [tune(start, positions=6000, evaluations=150, workers=CORES) for start in STARTS]
    (HERE / "tuning.json").write_text(json.dumps([asdict(each) for each in found], indent=2) + "\n")
    tables = [write(report.tune_parts(each), "github") for each in found]
    heuristics = [heuristic for each in found for heuristic in (each.start, each.tuned)]
    agents = [f"alphabeta:order=centre,heuristic={each}" for each in dict.fromkeys(heuristics)]
    grades = arena.grade(agents, DEPTHS, positions=1000, seed=2, workers=CORES)  # other positions than those above
    columns = ["agent", "depth", "clear_cut", "clear_good", "clear_good_low", "clear_good_high", "gain", "nodes"]
    assert set(columns) <= set(Grade.__slots__)
    grades[columns].to_csv(HERE / "grades.csv", index=False)
    arena.plot(grades).figure.savefig(HERE / "grades.svg")
    (HERE / "tables.md").write_text("\n\n".join(tables) + "\n")


if __name__ == "__main__":
    main()
