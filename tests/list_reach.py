"""What a reader must read to know a command: the modules that its file imports, and what these import, anywhere.

Imports count wherever they stand, also in functions and for types alone. `python tests/list_reach.py` prints a
line for each command: modules and lines of `arena`, and the plugins among them.
"""

import ast
from functools import cache
from pathlib import Path

from arena.plugins import offers

ROOT = Path(__file__).parents[1]


@cache
def sources():
    """Return the files of `arena` by module."""
    files = sorted((ROOT / "arena").rglob("*.py"))
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


@cache
def imports(module):
    """Return the modules of `arena` that a module imports."""
    names = set()
    for node in ast.walk(ast.parse(sources()[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names & sources().keys()


def reach(module):
    """Return the modules of `arena` that a reader of a module comes to, packages without code left out."""
    seen, todo = set(), [module]
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo += imports(at)
    return {name for name in seen if sources()[name].name != "__init__.py" or name == "arena.plugins"}


def reaches():
    """Return for each command its modules, their lines, and the plugins among them."""
    rows = {}
    for offer in offers("COMMANDS", installed=False):
        modules = reach(f"{offer.folder}.{offer.row[1].partition(':')[0]}")
        lines = sum(len(sources()[name].read_text(encoding="utf-8").splitlines()) for name in modules)
        plugins = {name.split(".")[2] for name in modules if name.startswith("arena.plugins.")}
        rows[offer.row[0]] = len(modules), lines, plugins
    return rows


if __name__ == "__main__":
    for command, (modules, lines, plugins) in sorted(reaches().items()):
        print(f"{command:12}{modules:5} modules {lines:7,} lines  {' '.join(sorted(plugins))}")
