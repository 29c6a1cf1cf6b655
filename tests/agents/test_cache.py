"""Where compiled code is kept, and on which files it depends."""

import ast
import shutil
from pathlib import Path

import pytest

import agents
from agents import cache as places

PACKAGE = Path(agents.__file__).parent
KERNELS = ("bits", "heuristics", "jit", "orderings", "search", "solver")


@pytest.mark.parametrize(
    ("given", "root"),
    [
        ({"NUMBA_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b"}, "/a"),
        ({"XDG_CACHE_HOME": "/b"}, "/b"),
        ({"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": "/b"}, "/b"),
        ({}, "/home/someone/.cache"),
        ({"NUMBA_CACHE_DIR": "~/c"}, "/home/someone/c"),
        ({"NUMBA_CACHE_DIR": "c/d"}, "/run/c/d"),
        ({"XDG_CACHE_HOME": "c"}, "/run/c"),
    ],
)
def test_code_is_kept_where_numba_or_the_user_keeps_caches(monkeypatch, given, root):
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.setattr("os.getcwd", lambda: "/run")
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert places.kernel_directory().parent == Path(root) / "connect4-arena"


def test_the_folder_depends_on_numba_and_on_every_file_that_kernels_may_read(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "a.py").write_text("A = 1\n")
    asked = []
    monkeypatch.setattr(places, "kernel_sources", lambda folder: asked.append(folder) or sorted(sources.glob("*.py")))
    folders = [places.kernel_directory()]
    assert folders == [places.kernel_directory()]
    (sources / "a.py").write_text("A = 2\n")
    folders.append(places.kernel_directory())
    (sources / "b.py").write_text("")
    assert places.kernel_directory() == folders[-1]  # an empty file says nothing
    monkeypatch.setattr("importlib.metadata.version", lambda name: f"{name} 0.1")
    folders.append(places.kernel_directory())
    assert len({*folders}) == 3
    assert {folder.parent for folder in folders} == {tmp_path / "kept" / "connect4-arena"}
    assert all(len(folder.name) == 16 and not folder.exists() for folder in folders)
    assert {*asked} == {PACKAGE}


def test_agents_and_their_data_are_no_sources_of_kernels(tmp_path):
    names = ("a.py", "search/b.py", "search/deep/c.py", "players/d.py", "processes/e.py", "data/f.py", "search/g.txt")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = places.kernel_sources(tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in found] == ["a.py", "search/b.py", "search/deep/c.py"]


def imported(path):
    """Return the files of the package that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    places = [PACKAGE.parent.joinpath(*name.split(".")) for name in names if name.split(".")[0] == "agents"]
    return {path for place in places for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()}


def test_compiled_code_is_kept_for_the_content_of_every_file_that_a_kernel_may_read():
    waiting = [path for folder in KERNELS for path in (PACKAGE / folder).rglob("*.py")]
    found = set()
    while waiting:
        path = waiting.pop()
        waiting += imported(path) - found
        found.add(path)
    assert {PACKAGE / "score.py", PACKAGE / "rules.py", PACKAGE / "board.py"} <= found
    assert found <= set(places.kernel_sources(PACKAGE))


def test_an_editors_lock_beside_our_sources_does_not_stop_the_program(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "agents", ignore=shutil.ignore_patterns("data"))
    (tmp_path / "agents" / ".#score.py").symlink_to("me@here.1234")
    (tmp_path / "agents" / "jit" / "empty.py").mkdir()
    assert {path.name for path in places.kernel_sources(tmp_path / "agents")} == {
        path.name for path in places.kernel_sources(PACKAGE)
    }
