"""Small wrong edits of the code, drawn by a seed: each one that no test notices shows a test that is missing.

Run by hand: `python tests/mutate.py --count 300 --out mutants.jsonl`, without the jit and one after the other, each in
a process of its own forked from one that has imported the libraries. What the file has already is not tried again. The
tests are the files that import the edited module, those of its mirrored folder first. The mutants come in random order,
so that the first of them are a sample, too; `--only arena/statistics` takes those of one place. What survives is tried
again against all of the mirrored folder with `--again mutants.jsonl`.
"""

import argparse
import ast
import functools
import importlib.abc
import importlib.util
import json
import os
import random
import re
import signal
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ["arena/statistics", "arena/analysis", "arena/play", "arena/measure", "agents/players", "agents/registry.py"]
SECONDS = 15
"""For a file of tests; one that takes longer is left out. Of edited code it may take four times as long as usual."""
COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
COUNTED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}  # fmt: skip


def edits(node):  # noqa: C901  one kind of edit a branch
    """Yield what a node can become, each as a word and a function that edits it in place."""
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            yield "comparison", lambda n, place=place, op=op: n.ops.__setitem__(place, COMPARED[type(op)]())
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in COUNTED:
        yield "arithmetic", lambda n: setattr(n, "op", COUNTED[type(n.op)]())
    elif isinstance(node, ast.BoolOp):
        yield "boolean", lambda n: setattr(n, "op", ast.Or() if isinstance(n.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "sign dropped", lambda n: setattr(n, "op", ast.UAdd())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", lambda n: setattr(n, "operand", ast.UnaryOp(ast.Not(), n.operand))
    elif isinstance(node, ast.Constant) and type(node.value) in {int, float}:
        for step in (1, -1):
            yield f"constant {step:+d}", lambda n, step=step: setattr(n, "value", n.value + step)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant turned", lambda n: setattr(n, "value", not n.value)
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "return None", lambda n: setattr(n, "value", ast.Constant(None))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "statement dropped", lambda n: setattr(n, "value", ast.Constant(None))


def edited(tree):
    """Yield the nodes that are run when the program is, in their order: no annotations, no decorators."""
    for name, value in ast.iter_fields(tree):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in {"annotation", "returns", "decorator_list"}:
                yield child
                yield from edited(child)


def mutants():
    """Return every mutant as (file, number of the node, number of its edit)."""
    found = []
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("[!_]*.py")) or [ROOT / place]:
            for number, node in enumerate(edited(ast.parse(path.read_text(encoding="utf-8")))):
                found += [(str(path.relative_to(ROOT)), number, edit) for edit, _ in enumerate(edits(node))]
    return found


def mutate(file, number, edit):
    """Return a module's edited code, the line and what was done there."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    node = list(edited(tree))[number]
    before, (word, change) = ast.unparse(node), list(edits(node))[edit]
    change(node)
    text = f"{file}:{node.lineno}: {word}: {before} -> {ast.unparse(node)}"
    return compile(ast.fix_missing_locations(tree), str(ROOT / file), "exec"), text


class Edited(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module as it was edited."""

    def __init__(self, name, code):
        self.name, self.code = name, code

    def find_spec(self, fullname, path, target=None):
        if fullname != self.name:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=self.code.co_filename)

    def exec_module(self, module):
        module.__file__ = self.code.co_filename
        exec(self.code, module.__dict__)


def tests_of(file, *, whole):
    """Return the test files that import a module, nearest first, or the `whole` mirrored folder."""
    folder = ROOT / "tests" / Path(file).parent
    if whole:
        return [str(folder)]
    package, _, name = file.removesuffix(".py").replace("/", ".").rpartition(".")
    package, word = re.escape(package), re.escape(name)
    direct, listed = rf"(from|import) {package}\.{word}\b", rf"from {package} import [^\n]*\b{word}\b"
    importing = re.compile(f"{direct}|{listed}")
    found = [path for path in (ROOT / "tests").rglob("test_*.py") if importing.search(path.read_text(encoding="utf-8"))]
    near = sorted(found, key=lambda path: (path.stem != f"test_{name}", path.parent != folder, str(path)))
    return [str(path) for path in near[:3]] or [str(folder)]


@functools.cache
def usual(tests):
    """Return the seconds that a file of tests, or a folder, takes as the code is; None where that is too long."""
    began = time.monotonic()
    return time.monotonic() - began if passed(tests, SECONDS) == 0 else None


def survives(file, code, *, whole):
    """Return whether the tests pass on the edited module, None where there are none to run."""
    times = {tests: usual(tests) for tests in tests_of(file, whole=whole)}
    kept = [tests for tests, seconds in times.items() if seconds is not None]
    for tests in kept:
        if passed(tests, 10 + 4 * times[tests], Edited(file.removesuffix(".py").replace("/", "."), code)) != 0:
            return False
    return True if kept else None


def passed(tests, seconds, finder=None):
    """Run tests in a process of their own and return pytest's exit code, -1 where they take longer."""
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        if finder is not None:
            sys.meta_path.insert(0, finder)
        import pytest

        late = "ignore::pytest.PytestAssertRewriteWarning"  # plugins were imported before pytest could rewrite them
        words = ["-x", "-q", "-n", "0", "-W", late, "-p", "no:cacheprovider", "-m", "not slow", "--tb=no"]
        os._exit(int(pytest.main([*words, tests])))
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="", help="those of the sample in files whose names begin so")
    options.add_argument("--minutes", type=float, default=600.0)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--again", type=Path, help="try the survivors of this file against their whole folder")
    given = options.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT)]
    for library in ("click", "hypothesis", "pandas", "pytest", "scipy.optimize", "scipy.stats", "xdist"):
        importlib.import_module(library)

    ends = time.monotonic() + 60 * given.minutes
    if given.again:
        rows = [json.loads(line) for line in given.again.read_text(encoding="utf-8").splitlines()]
        chosen = [row["mutant"] for row in rows if row["survives"]]
    else:
        chosen = random.Random(given.seed).sample(mutants(), given.count)
        tried = given.out.read_text(encoding="utf-8").splitlines() if given.out.exists() else []
        done = {tuple(json.loads(line)["mutant"]) for line in tried}
        chosen = [mutant for mutant in chosen if mutant[0].startswith(given.only) and mutant not in done]
    with given.out.open("a", encoding="utf-8") as out:
        for file, number, edit in chosen:
            if time.monotonic() > ends:
                break
            code, text = mutate(file, number, edit)
            row = {"mutant": (file, number, edit), "text": text}
            row["survives"] = survives(file, code, whole=bool(given.again))
            print(json.dumps(row), file=out, flush=True)


if __name__ == "__main__":
    main()
