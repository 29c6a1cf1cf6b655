"""The house as a test: who may import whom, and how large a file or a function may grow.

An import counts wherever it stands: inside a function, and under TYPE_CHECKING as well, since a type that is only to be
had from above stands on the wrong floor.
"""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = (
    ("agents.errors", "agents.picture", "agents.cache"),
    ("agents.board", "agents.rules"),
    ("agents.agent", "agents.drawing", "agents.names", "agents.notation", "agents.plugins", "agents.score"),
    ("agents.jit",),
    ("agents.bits",),
    ("agents.heuristics", "agents.orderings"),
    ("agents.search", "agents.solver"),
    ("agents.remote",),
    ("agents.players",),
    ("agents.registry",),
    ("agents.given",),
    ("agents.remote.child",),
    ("agents",),
    ("arena.statistics",),
    ("arena.store",),
    ("arena.play",),
    ("arena.analysis",),
    ("arena.measure",),
    ("arena.report",),
    ("arena.api",),
    ("arena",),
    ("arena.cli", "arena.web"),
    ("arena.__main__",),
)
"""From the ground up, what stands on each floor: single modules, and folders with all that is in them."""
KERNELS = ("agents.bits", "agents.search", "agents.solver")
LONGEST_FILE, LONGEST_FUNCTION, LONGEST_KERNEL = 200, 60, 110
AS_OTHERS_WRITE_THEM = "tests/data"
"""Agents and engines: `bad_agents.py` is one file, since a stranger's process is given one and it is copied alone."""


def name_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


TESTS = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py")}
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


def longer(tree, most):
    """Return the functions that take more lines than `most`, those within others as well, with how many they take."""
    functions = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    lengths = [(node.name, node.end_lineno - node.lineno + 1) for node in functions]
    return {name: lines for name, lines in lengths if lines > most}


@pytest.mark.parametrize("module", SOURCES)
def test_every_module_stands_on_a_floor_and_imports_from_no_higher_one(module):
    assert {other for other in imports(module) if floor(other) > floor(module)} == set()


def test_no_module_imports_itself_by_way_of_others():
    TopologicalSorter({module: imports(module) for module in SOURCES}).prepare()


@pytest.mark.parametrize("module", sorted(SOURCES))
def test_files_and_functions_stay_short(module):
    assert len(SOURCES[module].read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    longest = LONGEST_KERNEL if module.startswith(KERNELS) else LONGEST_FUNCTION
    assert longer(parsed(module), longest) == {}


@pytest.mark.parametrize("path", sorted(path for path in TESTS if not path.startswith(AS_OTHERS_WRITE_THEM)))
def test_tests_stay_short(path):
    source = (ROOT / path).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= LONGEST_FILE
    assert longer(ast.parse(source), LONGEST_FUNCTION) == {}


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "arena" / "web").glob("[a-z]*/*.*")))
def test_files_of_pages_stay_short(name):
    (path,) = (ROOT / "arena" / "web").glob(f"[a-z]*/{name}")
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


def test_a_module_in_a_new_folder_has_no_floor_yet():
    with pytest.raises(LookupError):
        floor("arena.attic.chest")
    with pytest.raises(LookupError):
        floor("agents.attic")
