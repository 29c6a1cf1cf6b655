"""Draw small wrong edits of the code by a seed: each one that no test notices shows a test that is missing.

Run by hand: `python tests/mutation/mutate.py --count 300 --out mutants.jsonl`, without the jit. First all tests run
once, and each line learns which tests execute it (`--map`, kept for the next time). Then each mutant is written into a
copy of the project, and the tests that execute its line run there, those of its own room first, in processes forked
from one that has imported the libraries. What the file has already is not tried again. The mutants come in random
order, so that the first of them are a sample, too; `--only arena/statistics` takes those of one place. `--again` tries
the survivors again, after tests were written for them. A test notices something only where it passes on the code as it
is. Edits with which a test runs out of time, or that kill the tests, count neither as noticed nor as alive.
"""

import argparse
import importlib
import json
import os
import random
import shutil
import tempfile
from pathlib import Path

from edits import mutants, mutate
from trials import survives, traced

ROOT = Path(__file__).parents[2]

ROOMS = [
    *(
        f"tests/arena/{room}"
        for room in (
            "statistics",
            "games",
            "tournament",
            "depth",
            "comparison",
            "position",
            "perfect",
            "page",
            "table",
            "store",
            "cli",
        )
    ),
    "tests/agents/players",
    "tests/agents/specs",
]
"""Of tests, each traced by itself."""
STAGES = (2.0, 90.0)
"""Seconds of tests, as they usually take: a few first, since they mostly suffice, and then all up to the last bound."""


def near(file, lines, seconds, covered):
    """Return the tests to run for an edit, in stages: those of its room first, then the fastest.

    After these come the module's; where no test executes the lines by itself, since they run at import or in a process
    of their own, all others.
    """
    room = f"tests/{Path(file).parent}"
    by_line = covered.get(file, {})
    direct = {test for line in lines for test in by_line.get(str(line), ())}
    wider = set(seconds) if not direct else {test for tests in by_line.values() for test in tests}
    own = f"{room}/test_{Path(file).stem}"

    def order(test):
        return test not in direct, not test.startswith(own), not test.startswith(room), seconds[test]

    stages, used = [[] for _ in STAGES], 0.0
    for test in sorted((direct | wider) & seconds.keys(), key=order):
        used += seconds[test]
        for place, bound in enumerate(STAGES):
            if used <= bound or (place == 0 and not stages[0]):
                stages[place].append(test)
                break
    return [stage for stage in stages if stage]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument(
        "--only", default="", help="those of the sample in files whose names begin so, separated by blanks"
    )
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--map", type=Path, default=Path("mutants.map"), help="a folder")
    options.add_argument("--rooms", default=" ".join(ROOMS), help="the tests that may notice")
    options.add_argument("--again", type=Path, help="try the survivors of this file again")
    given = options.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    for library in ("click", "hypothesis", "numba", "pandas", "scipy.optimize", "scipy.stats", "tqdm", "xdist"):
        importlib.import_module(library)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", ".*_cache"))
        os.environ["PYTHONPATH"] = str(copy)
        run(given, copy)


def run(given, copy):
    """Try the mutants asked for, a line of JSON each in the file of results."""
    given.map.mkdir(exist_ok=True)
    seconds, covered = {}, {}
    for room in given.rooms.split():
        path = given.map / f"{room.replace('/', '.')}.json"
        if not path.exists():
            path.write_text(json.dumps(traced(copy, room)), encoding="utf-8")
        times, lines = json.loads(path.read_text(encoding="utf-8"))
        seconds |= times
        for file, tests in lines.items():
            for line, names in tests.items():
                covered.setdefault(file, {}).setdefault(line, []).extend(names)
    if given.again:
        chosen = [row["mutant"] for row in read_rows(given.again) if not row["noticed"]]
    else:
        chosen = [
            m
            for m in random.Random(given.seed).sample(mutants(copy), given.count)
            if m[0].startswith(tuple(given.only.split()) or "")
        ]
    sound = set()
    done = {tuple(row["mutant"]) for row in read_rows(given.out)}
    with given.out.open("a", encoding="utf-8") as out:
        for at, (file, number, edit) in enumerate(chosen):
            if (file, number, edit) not in done:
                source, lines, text = mutate(copy, file, number, edit)
                found = survives(
                    copy, file, source, 1_000_000_000 + at, near(file, lines, seconds, covered), seconds, sound
                )
                print(
                    json.dumps({"mutant": (file, number, edit), "text": text, "noticed": found}), file=out, flush=True
                )
    rows = read_rows(given.out)
    late = sum(row["noticed"] == "time" for row in rows)
    alive = [row["text"] for row in rows if not row["noticed"]]
    print(*alive, f"{len(rows) - late - len(alive)} noticed, {len(alive)} alive, {late} out of time", sep="\n")


def read_rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


if __name__ == "__main__":
    main()
