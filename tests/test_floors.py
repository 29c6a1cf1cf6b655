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
    ("arena.records", "arena.plugins"),
    ("arena.table",),
    ("arena.statistics",),
    ("arena.store",),
    ("arena.games",),
    ("arena.tournament",),
    ("arena.depth", "arena.comparison", "arena.position"),
    ("arena.perfect", "arena.page"),
    ("arena.plugins.*",),
    ("arena.python",),
    ("arena",),
    ("arena.cli",),
    ("arena.__main__",),
)
"""From the ground up, what stands on each floor: single modules, and folders with all that is in them."""


SQL = re.compile(r"\b(SELECT|INSERT INTO|INSERT OR|DELETE FROM|UPDATE \w+ SET|CREATE TABLE|PRAGMA) ")


def name_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


SOURCES = {name_of(path): path for package in ("agents", "arena") for path in sorted((ROOT / package).rglob("*.py"))}


def parsed(module):
    return ast.parse(SOURCES[module].read_text(encoding="utf-8"))


def statements(node):
    """Yield all statements in a piece of source, without their expressions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield child
            yield from statements(child)


@cache
def imports(module):
    """Return the modules of the two packages that a module imports, anywhere in its source."""
    named = set()
    for node in statements(parsed(module)):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            named |= {name if name in SOURCES else node.module for name in inner}
    return {name for name in named if name in SOURCES}


def room(module):
    """Return the room that a module is in: a folder of a package, a plugin, or the module itself."""
    return ".".join(module.split(".")[: 3 if module.startswith("arena.plugins.") else 2])


def floor(module):
    """Return how high the floor is that a module stands on, from 0. Raises LookupError where it has none."""
    heights = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
    if module in heights:
        return heights[module]
    return heights["arena.plugins.*" if module.startswith("arena.plugins.") else room(module)]


def is_command(module):
    """Return whether a module is a command's file, or of the command line, which may print."""
    return module.split(".")[-1].startswith("command") or room(module) in {"arena.cli", "arena.__main__"}


def test_every_module_stands_on_a_floor_and_imports_from_no_higher_one():
    higher = [
        (module, other)
        for module in SOURCES
        for other in imports(module)
        if floor(other) > floor(module) and not (is_command(module) and room(other) == "arena.cli")
    ]
    assert higher == []
    assert all(floor(module) >= 0 for module in SOURCES)


def test_rooms_on_one_floor_of_the_arena_do_not_know_each_other():
    first = floor("arena.depth")
    beside = [
        (module, other)
        for module in SOURCES
        for other in imports(module)
        if first <= floor(module) == floor(other) < floor("arena.python") and room(module) != room(other)
    ]
    assert beside == []


def test_nothing_names_a_plugin_but_itself():
    plugins = {path.parent.name for path in (ROOT / "arena" / "plugins").glob("*/__init__.py")}
    assert len(plugins) > 10
    named = re.compile(rf"arena[./]plugins[./]({'|'.join(plugins)})\b")
    others = [
        (module, name)
        for module, path in SOURCES.items()
        for name in named.findall(path.read_text(encoding="utf-8"))
        if room(module) != f"arena.plugins.{name}" and module != "arena.plugins"
    ]
    assert others == []


def test_no_test_imports_a_plugin_of_another_folder():
    others = [
        (path, name)
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(
            r"^(?:from|import) arena\.plugins\.(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE
        )
        if path.parent.parts[-2:] != ("plugins", name)
    ]
    assert others == []


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


def imports_of_test(path):
    """Yield the files that a test imports from those beside it, or from the folder that all tests share."""
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        relative = isinstance(node, ast.ImportFrom) and node.level > 0
        assert not relative or (node.level == 1 and "." not in (node.module or "")), f"{path} imports from another room"
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) or relative else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        yield from ((path.parent if relative else ROOT / "tests" / "support") / f"{name}.py" for name in names)


def test_tests_share_what_stands_beside_them_and_what_rooms_need_besides_one_plugin():
    rooms = {}
    for path in (ROOT / "tests").rglob("*.py"):
        for file in imports_of_test(path):
            rooms.setdefault(file, set()).add(path.parent)
    support = [*(ROOT / "tests" / "support").glob("*.py")]
    of_one_plugin = [path.name for path in support if len(rooms[path]) == 1 and "plugins" in min(rooms[path]).parts]
    assert of_one_plugin == []
    assert len(support) > 10


def test_a_module_in_a_new_folder_has_no_floor_yet():
    with pytest.raises(LookupError):
        floor("arena.attic.chest")
    with pytest.raises(LookupError):
        floor("agents.attic")
