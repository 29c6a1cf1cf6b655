"""The house as a test: which module may import which, which speak SQL, and where the tests' helpers stand.

An import counts wherever it stands: inside a function, and under TYPE_CHECKING as well, since a type that is only to be
had from above stands on the wrong floor.
"""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = (
    ("agents.errors", "agents.picture", "agents.cache"),
    ("agents.board", "agents.history", "agents.rules"),
    (
        "agents.agent",
        "agents.failure",
        "agents.fen",
        "agents.masking",
        "agents.process_agent",
        "agents.score",
        "agents.specs",
    ),
    ("agents.jit",),
    ("agents.bits",),
    ("agents.heuristics", "agents.orderings"),
    ("agents.search", "agents.solver"),
    ("agents.players",),
    ("agents.processes", "agents.language", "agents.network", "agents.bridges"),
    ("agents.specs.registry",),
    ("agents.specs.build",),
    ("agents.processes.child", "agents.bridges.submission"),
    ("agents",),
    ("arena.table.cells", "arena.games.notation", "arena.games.pgn", "arena.records"),
    ("arena.table.rows",),
    ("arena.statistics",),
    ("arena.store",),
    ("arena.play",),
    ("arena.analysis",),
    ("arena.measure",),
    ("arena.report",),
    ("arena.api",),
    ("arena",),
    ("arena.plugins.bridges.games",),
    ("arena.cli", "arena.web"),
    ("arena.__main__",),
)
"""From the ground up, what stands on each floor: single modules, and folders with all that is in them."""


SQL = re.compile(r"\b(SELECT|INSERT INTO|INSERT OR|DELETE FROM|UPDATE \w+ SET|CREATE TABLE|PRAGMA) ")


def name_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


SOURCES = {name_of(path): path for package in ("agents", "arena") for path in sorted((ROOT / package).rglob("*.py"))}


@cache
def parsed(module):
    return ast.parse(SOURCES[module].read_text(encoding="utf-8"))


def imports(module):
    """Return the modules of the two packages that a module imports, anywhere in its source."""
    named = set()
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            named |= {name if name in SOURCES else node.module for name in inner}
    return {name for name in named if name in SOURCES}


def floor(module):
    """Return how high the floor is that a module stands on, from 0. Raises LookupError where it has none."""
    heights = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
    return heights[module] if module in heights else heights[".".join(module.split(".")[:2])]


def test_every_module_stands_on_a_floor_and_imports_from_no_higher_one():
    higher = [(module, other) for module in SOURCES for other in imports(module) if floor(other) > floor(module)]
    assert higher == []
    assert all(floor(module) >= 0 for module in SOURCES)


def test_no_module_imports_itself_by_way_of_others():
    TopologicalSorter({module: imports(module) for module in SOURCES}).prepare()


def sql_in(module):
    """Yield the places at which a module speaks SQL, or hands it over."""
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.Attribute):
            if node.attr in {"execute", "executemany", "executescript", "read_sql"}:
                yield f"{module}, line {node.lineno}: {node.attr}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value):
            yield f"{module}, line {node.lineno}: {node.value}"


def test_only_the_store_speaks_sql():
    others = [module for module in SOURCES if not module.startswith("arena.store.")]
    assert [place for module in others for place in sql_in(module)] == []
    assert [*sql_in("arena.store.run_file")], "what the store says is not recognised as SQL"


def at_run_time(module):
    """Return the modules that a module imports when it runs: no types alone."""
    tree = parsed(module)
    types = [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    skipped = {inner for node in types for inner in ast.walk(node)}
    left = [node for node in ast.walk(tree) if node not in skipped]
    named = {alias.name for node in left if isinstance(node, ast.Import) for alias in node.names}
    found = [node for node in left if isinstance(node, ast.ImportFrom)]
    return named | {f"{node.module}.{alias.name}" for node in found for alias in node.names}


def test_the_command_line_and_the_pages_import_no_room_below_the_api_but_for_types():
    below = ("arena.play", "arena.measure", "arena.analysis", "arena.store")
    doors = [module for module in SOURCES if module.startswith(("arena.cli", "arena.web"))]
    assert [(each, name) for each in doors for name in at_run_time(each) if name.startswith(below)] == []


def test_what_tests_share_stands_in_one_folder():
    parts = {path.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("*.py")}
    shared = {path for path in parts if not path.name.startswith("test_") and path.name != "conftest.py"}
    assert {path.parts[0] for path in shared} == {"support", "data", "speed.py"}


def test_a_module_in_a_new_folder_has_no_floor_yet():
    with pytest.raises(LookupError):
        floor("arena.attic.chest")
    with pytest.raises(LookupError):
        floor("agents.attic")
