import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents import cache as places
from agents.jit import cache, user_code
from agents.jit.compiler import JIT, copy_with, jit, word
from agents.rules import Rules
from agents.search.compiled import heuristic

compiled = pytest.mark.skipif(not JIT, reason="no kernel is compiled")


def twice(number):
    return 2 * number


@pytest.fixture(autouse=True)
def nothing_said():
    cache._said.clear()


@pytest.fixture
def kept(tmp_path):
    """A folder that holds one compiled function."""
    assert jit(word(word), directory=tmp_path)(twice)(21) == 42
    assert len([*tmp_path.rglob("*.nbi")]) == len([*tmp_path.rglob("*.nbc")]) == 1
    return tmp_path


def hits(folder):
    kernel = jit(word(word), directory=folder)(twice)
    assert kernel(21) == 42
    return sum(kernel.stats.cache_hits.values())


DAMAGES = {
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "random": lambda data: random.Random(1).randbytes(len(data)),
}


@pytest.mark.compiles
def test_what_is_on_disk_is_not_compiled_again(kept):
    assert hits(kept) == 1


@compiled
@pytest.mark.compiles
def test_what_is_on_disk_is_loaded_without_what_only_a_compilation_needs():
    loaded = "import sys; from agents.search.compiled import no_order; print(*sorted(sys.modules))"
    for _ in range(2):  # the first time it may have to be compiled
        done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True, timeout=300)
    assert not {"numba.np.arraymath", "numba.np.linalg", "scipy.linalg"} & set(done.stdout.split())
    assert "numba" in done.stdout.split()


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_code_is_compiled_again(kept, damage, ending):
    [path] = kept.rglob(f"*.{ending}")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert hits(kept) == 0
    assert hits(kept) == 1


def test_damaged_code_where_nothing_can_be_written_is_compiled_each_time(kept, monkeypatch, caplog):
    def refused(*_):
        raise OSError(30, "Read-only file system")

    [path] = kept.rglob("*.nbc")
    path.write_bytes(b"")
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile._open_for_write", refused)
    assert hits(kept) == hits(kept) == 0
    assert caplog.messages == [f"arena: compiled code cannot be kept in {kept.parent}: Read-only file system"]


def test_a_full_disk_costs_one_line(kept, monkeypatch, caplog):
    for path in kept.rglob("*.nb?"):
        path.unlink()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile._open_for_write", full)
    assert hits(kept) == hits(kept) == 0
    assert caplog.messages == [f"arena: compiled code cannot be kept in {kept.parent}: No space left on device"]


def test_a_folder_that_cannot_be_written_costs_one_line(tmp_path, caplog):
    (tmp_path / "file").touch()
    assert hits(tmp_path / "file" / "code") == hits(tmp_path / "file" / "code") == 0
    assert caplog.messages == [f"arena: compiled code cannot be kept in {tmp_path / 'file'}: Not a directory"]


def test_what_can_be_read_in_such_a_folder_is_not_compiled_again(kept, monkeypatch, caplog):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    def to_be_read(path, mode="r", opened=Path.open, **how):
        return opened(path, mode, **how) if mode in {"r", "rb"} else refused()

    monkeypatch.setattr("os.makedirs", refused)
    monkeypatch.setattr(Path, "open", to_be_read)
    assert hits(kept) == 1
    assert not caplog.messages


@compiled
@pytest.mark.compiles
def test_where_nobody_knows_the_users_home_one_line_is_said(tmp_path):
    told = run_without("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME", cwd=tmp_path)
    assert told.count("\n") == 1
    assert told.startswith("arena: compiled code cannot be kept in ")
    assert not [*tmp_path.iterdir()]


def run_without(*names, cwd):
    """Compile where the user has no home; return what is said on stderr."""
    program = "import pwd; pwd.getpwuid = {}.__getitem__; from agents.search.compiled import no_order"
    environment = {name: value for name, value in os.environ.items() if name not in names}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=cwd, capture_output=True, text=True, check=True
    )
    return done.stderr


def test_a_function_in_no_file_is_compiled_without_a_word(tmp_path, caplog):
    scope = {}
    exec("def thrice(number):\n    return 3 * number\n", scope)
    assert jit(word(word), directory=tmp_path)(scope["thrice"])(4) == 12
    assert not caplog.messages
    assert not [*tmp_path.iterdir()]


def test_what_is_to_be_stored_nowhere_is_stored_nowhere(monkeypatch):
    monkeypatch.setattr(cache.DiskCache, "save_overload", lambda *_: pytest.fail("stored"))
    assert jit(word(word), directory=None)(twice)(21) == 42


def scaled(by):
    """Return one of two functions with the same name and line but different code."""
    return (lambda number: number + number + number) if by == 3 else (lambda number: number * 5)


def multiplied(by):
    def product(number):
        return number * by

    return product


def test_two_processes_that_store_other_code_of_one_function_at_once_do_not_mix_it_up(tmp_path, monkeypatch):
    """Both find no index, so each would take the first name; the index of the second replaces that of the first."""
    save, inner = cache.FunctionCache._save_overload, []

    def at_once(self, sig, data):
        if not inner:
            index = self._cache_file._load_index()
            inner.append(index)
            jit(word(word), directory=tmp_path)(scaled(5))
            monkeypatch.setattr(self._cache_file, "_load_index", lambda: index)
        save(self, sig, data)

    monkeypatch.setattr(cache.FunctionCache, "_save_overload", at_once)
    assert jit(word(word), directory=tmp_path)(scaled(3))(2) == 6
    assert [jit(word(word), directory=tmp_path)(scaled(by))(2) for by in (3, 5)] == [6, 10]


def test_closures_over_other_numbers_have_names_of_their_own_which_every_process_gives_them():
    names = [jit(directory=None)(multiplied(by)).py_func.__qualname__ for by in (3, 5, (3, 5), 3)]
    assert names[0] == names[3] == "06d033ece6645de5.multiplied.<locals>.product"
    assert len(set(names)) == 3
    assert jit(directory=None)(twice).py_func.__qualname__ == "twice"


ADDRESSES = """
import sys
from agents.jit.compiler import CHILDREN_SIGNATURE, address
from agents.rules import Rules
from agents.search.compiled import heuristic
from agents.search.most_fours import last_cell
kernels = [last_cell(7, 6, 4, int(word)) if word.isdecimal() else heuristic(word, Rules()).evaluate_children
           for word in sys.argv[1:]]
for kernel in kernels:
    print(address(kernel, CHILDREN_SIGNATURE))
"""


@compiled
@pytest.mark.compiles
def test_a_process_tells_apart_what_others_compiled_as_their_first_kernel(tmp_path):
    """Numba's own names would be the same, and all addresses that of the kernel that was loaded last."""
    files = [f"{tmp_path / folder / 'mine.py'}:evaluate" for folder in ("one", "two")]
    for number, file in enumerate(files):
        path = Path(file.removesuffix(":evaluate"))
        path.parent.mkdir()
        path.write_text(f"def evaluate(own, opp):\n    return {number}\n")
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    words = [sys.executable, "-c", ADDRESSES]
    for kernels in (["4", "zero"], ["5"], ["6"], files[:1], files[1:], ["5", "6", *files]):
        done = subprocess.run([*words, *kernels], env=environment, capture_output=True, text=True, check=True)
    assert len({*done.stdout.split()}) == 4


@compiled
@pytest.mark.compiles
def test_two_processes_may_compile_at_once(tmp_path):
    program = "from agents.search.compiled import no_order; print(sum(no_order.stats.cache_hits.values()))"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    words = [sys.executable, "-c", program]
    both = [subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(300) for process in both] == [0, 0]
    assert subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout == "1\n"


WIN = 0


def won(plies):
    return WIN - plies


def test_a_constant_that_is_changed_is_seen_by_kernels_that_were_kept(tmp_path, monkeypatch):
    """Numba itself takes functions that differ in a constant of their module for the same."""
    score, hits = tmp_path / "score.py", []
    monkeypatch.setattr(places, "kernel_sources", lambda folder: [score])
    for win in (1_000_000, 990_000, 1_000_000):
        score.write_text(f"WIN = {win:_}\n")
        kernel = jit(word(word), directory=tmp_path / places.kernel_directory().name)(copy_with(won, WIN=win))
        assert kernel(1) == win - 1
        hits.append(sum(kernel.stats.cache_hits.values()))
    assert hits == [0, 0, 1]


@compiled
@pytest.mark.compiles
def test_a_kernel_is_loaded_without_the_modules_of_numba_that_it_was_compiled_with():
    loaded = "from agents.search.negamax import build; build(4, 4, 3); import sys; print(*sorted(sys.modules))"
    for _ in range(2):  # the first time it may have to be compiled
        done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True, timeout=300)
    assert not {"numba.np.arrayobj", "numba.cpython.numbers"} & set(done.stdout.split())


def closing_over(value):
    def helper(own):
        return own if value else 0

    def evaluate(own, opp):
        return helper(own) - opp

    return evaluate


def test_functions_that_differ_in_what_they_close_over_are_kept_apart():
    values = (0, 1, 1.5, "1", (1, 2), [1, 2], [2, 1], {"a": 1}, {"a": 2}, np.arange(3), np.arange(4))
    folders = [user_code.kept(closing_over(value)) for value in values]
    assert len(set(folders)) == len(values)
    assert folders == [user_code.kept(closing_over(value)) for value in values]


CODE = """
import weights
from weights import popcount

def evaluate(own, opp):
    return weights.VALUES[0] * popcount(own) - popcount(opp)
"""
WEIGHTS = """
import json
from pathlib import Path
from agents.heuristics import popcount

VALUES = tuple(json.loads(Path(__file__).with_name("weights.json").read_text()))
"""


def written(folder, value):
    folder.mkdir()
    (folder / "mine.py").write_text(CODE)
    (folder / "weights.py").write_text(WEIGHTS)
    (folder / "weights.json").write_text(f"[{value}]")
    return f"{folder / 'mine.py'}:evaluate"


@compiled
def test_the_same_heuristic_at_another_place_is_compiled_already(tmp_path, monkeypatch):
    monkeypatch.setattr(user_code, "CACHE_DIRECTORY", tmp_path / "kernels")
    files = []
    for name in ("first", "second"):
        assert heuristic(written(tmp_path / name, 3), Rules()).evaluate(3, 4) == 5
        files.append({path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")})
    assert len(files[0]) > 2
    assert files[0] == files[1]


@compiled
@pytest.mark.compiles
def test_another_process_loads_all_of_a_users_heuristic(tmp_path):
    program = (
        "import sys; from agents.jit import cache; from agents.rules import Rules\n"
        "from agents.search.compiled import heuristic\n"
        "save = cache.DiskCache.save_overload\n"
        "cache.DiskCache.save_overload = lambda self, *given: print(self._py_func) or save(self, *given)\n"
        "heuristic(sys.argv[1], Rules()).evaluate_children\n"
    )
    words = [sys.executable, "-c", program, written(tmp_path / "mine", 3)]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    first, second = (
        subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout for _ in range(2)
    )
    assert "evaluate" in first
    assert not second


@compiled
def test_a_heuristic_with_other_weights_in_a_module_beside_it_is_another_one(tmp_path):
    first, second = (
        heuristic(written(tmp_path / name, value), Rules()) for name, value in (("first", 3), ("second", 5))
    )
    assert (first.evaluate(3, 0), second.evaluate(3, 0)) == (6, 10)
