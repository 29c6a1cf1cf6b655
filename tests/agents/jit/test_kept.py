"""Where compiled code is kept, what is said where it cannot be, and how kernels are put together."""

import importlib
import logging
import multiprocessing
import pickle
import sys
import types as python_types
from contextlib import contextmanager
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.environment import _rebuild_env
from numba.core.errors import NumbaError

from agents import cache as places
from agents import jit as package
from agents.jit import cache, compiler
from agents.jit.compiler import copy_with, jit, specialize, word
from agents.jit.memory import lanes_of


@pytest.fixture(autouse=True)
def nothing_said():
    cache._said.clear()


@pytest.mark.parametrize("links", [True, False])
def test_where_the_folder_cannot_be_written_a_temporary_one_has_links_to_what_can_be_read(
    monkeypatch, tmp_path, caplog, links
):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    kept = cache.cache_directory()
    for name in ("a_1/f.nbi", "a_1/f.1.nbc", "b_2/g.nbi", "a_1/f.nbi.lock", "a_1/note.txt", "top.nbi"):
        (kept / name).parent.mkdir(exist_ok=True)
        (kept / name).write_text(name)
    assert cache.cache_directory() == kept
    assert not caplog.messages
    later = []

    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(cache.atexit, "register", lambda *given, **named: later.append((given, named)))
    with monkeypatch.context() as patch:
        patch.setattr(cache.tempfile, "TemporaryFile", refused)
        if not links:
            patch.setattr(Path, "symlink_to", refused)
        found = cache.cache_directory()
    root = Path(cache.os.environ["NUMBA_CACHE_DIR"])
    assert (root.parent, root.name[:15]) == (tmp_path, "connect4-arena-")
    assert found == root / "connect4-arena" / kept.name
    assert caplog.messages == [f"arena: compiled code cannot be kept in {tmp_path / 'kept'}: Permission denied"]
    assert later == [((cache.shutil.rmtree, str(root)), {"ignore_errors": True})]
    files = {str(path.relative_to(found)): path for path in found.rglob("*") if not path.is_dir()}
    assert sorted(files) == (["a_1/f.1.nbc", "a_1/f.nbi", "b_2/g.nbi"] if links else [])
    assert all(path.is_symlink() and path.resolve() == kept / name for name, path in files.items())
    assert cache.cache_directory() == found  # as in a child, which has the same environment


def test_a_warning_is_said_once_and_by_no_child(caplog, monkeypatch):
    for text in ("one", "two", "one"):
        cache.say(text)
    assert [(each.name, each.levelno, each.message) for each in caplog.records] == [
        ("arena", logging.WARNING, "arena: one"),
        ("arena", logging.WARNING, "arena: two"),
    ]
    monkeypatch.setattr(multiprocessing, "parent_process", object)
    cache.say("three")
    assert len(caplog.records) == 2


def halved(number):
    return number // 2


def tripled(number):
    return 3 * number


def test_damage_is_raised_where_it_was_compiled_ahead_for_another(tmp_path, caplog):
    jit(word(word), directory=tmp_path)(halved)
    for path in tmp_path.rglob("*.nbc"):
        code = bytearray(pickle.loads(path.read_bytes()))
        code[-5] ^= 1
        path.write_bytes(pickle.dumps(bytes(code)))
    token = places.AHEAD.set(True)
    try:
        with pytest.raises(ValueError):  # noqa: PT011  it has no message
            jit(word(word), directory=tmp_path)(halved)
    finally:
        places.AHEAD.reset(token)
    assert not caplog.messages
    assert jit(word(word), directory=tmp_path)(halved)(9) == 4
    assert len(caplog.messages) == 1


def test_a_file_that_cannot_be_read_is_compiled_again_in_silence(tmp_path, caplog, monkeypatch):
    jit(word(word), directory=tmp_path)(halved)

    def unreadable(self, name):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(cache._Files, "_load_data", unreadable)
        assert jit(word(word), directory=tmp_path)(halved)(9) == 4
    assert not caplog.messages


def test_code_begins_with_its_digest_and_names_of_numba_are_not_imported_for_it(tmp_path):
    kernel = jit(word(word), directory=tmp_path)(halved)
    [kept] = tmp_path.rglob("*.nbc")
    data = pickle.loads(kept.read_bytes())
    assert cache.hashlib.sha256(data[32:]).digest() == data[:32]
    assert type(kernel._cache) is cache.DiskCache
    assert Path(kernel._cache.cache_path).parent == tmp_path
    assert cache._Unpickler.find_class.__qualname__ == "_Unpickler.find_class"
    reader = cache._Unpickler(cache.io.BytesIO(b""))
    assert reader.find_class(_rebuild_env.__module__, _rebuild_env.__name__) is cache._environment
    assert reader.find_class("collections", "OrderedDict") is __import__("collections").OrderedDict


@pytest.mark.parametrize(
    ("module", "needed"),
    [
        ("numba.not_imported_yet", "builtins"),
        ("numba.core.types", "numba.core.types"),
        ("agents.rules", "agents.rules"),
    ],
)
def test_the_names_of_a_function_are_looked_up_in_its_module_unless_numba_would_be_imported(
    monkeypatch, module, needed
):
    asked = []
    monkeypatch.setattr(cache, "_rebuild_env", lambda *given: asked.append(given))
    cache._environment(module, (1, 2), "f")
    assert asked == [(needed, (1, 2), "f")]


def test_only_one_process_compiles_what_is_not_found(tmp_path, monkeypatch):
    taken = []
    turn = cache.one_at_a_time

    def noted(path):
        taken.append(Path(path).name)
        return turn(path)

    monkeypatch.setattr(cache, "one_at_a_time", noted)
    jit(word(word), directory=tmp_path)(halved)
    assert len(taken) == 1
    assert taken[0].endswith(".nbi.lock")
    assert taken[0].startswith("test_kept.halved")
    jit(word(word), directory=tmp_path)(halved)
    assert len(taken) == 1  # it was found


# How kernels are put together.


def test_a_kernel_takes_its_types_alone_and_leaves_numbas_folder_as_it_was(tmp_path):
    before = numba.config.CACHE_DIR
    kernel = jit(word(word), directory=tmp_path)(halved)
    assert before == numba.config.CACHE_DIR
    assert [kernel(9), kernel(-9), kernel(9.9)] == [4, -5, 4]
    with pytest.raises(TypeError):
        kernel("9")
    with pytest.raises(NumbaError):
        jit(word(word), directory=tmp_path)(lambda number: number + "x")
    assert before == numba.config.CACHE_DIR
    open_to_all = jit(directory=tmp_path)(tripled)
    assert (open_to_all(3), open_to_all(0.5)) == (9, 1.5)
    inlined = jit(word(word), inline=True, directory=tmp_path)(tripled)
    assert (inlined(3), inlined(0.5)) == (9, 1.5)  # it may be compiled for vectors, too
    assert kernel.targetoptions["nogil"]


SCALE = 10


def scaled(number, more=1):
    """Return a number times SCALE."""
    return number * SCALE + more


def made(width):
    def inner(number):
        return number * width * SCALE

    return inner


def test_a_copy_has_other_constants_and_is_else_the_same(tmp_path):
    copy = copy_with(scaled, SCALE=3)
    assert (copy(2), copy(2, 5), scaled(2)) == (7, 11, 21)
    assert (copy.__module__, copy.__qualname__, copy.__name__) == (__name__, "scaled", "scaled")
    assert copy_with(made(7), SCALE=2)(1) == 14
    assert SCALE == 10
    kernel = specialize(scaled, "by-4", word(word, word), directory=tmp_path, SCALE=4)
    other = specialize(scaled, "by-5", word(word, word), directory=tmp_path, SCALE=5)
    assert (kernel(2, 0), other(2, 0)) == (8, 10)
    assert [each.py_func.__qualname__ for each in (kernel, other)] == ["by-4.scaled", "by-5.scaled"]
    again = specialize(scaled, "by-4", word(word, word), directory=tmp_path, SCALE=4)
    assert sum(again.stats.cache_hits.values()) == 1
    assert again(2, 0) == 8
    assert len([*tmp_path.rglob("*.nbi")]) == 2


def test_one_plain_function_makes_the_whole_kernel_plain(tmp_path):
    @jit(directory=tmp_path)
    def kernel(first, second, number):
        return first(number) + second(number)

    ready = jit(word(word), directory=tmp_path)(halved)
    for functions in ((halved, tripled), (ready, tripled)):
        plain = compiler.runnable(kernel, *functions)
        assert isinstance(plain, python_types.FunctionType)
        assert plain(*functions, 9) == 31
    assert compiler.runnable(kernel, ready) is kernel
    assert compiler.plain_at(compiler.address(halved, word(word))) is halved


def counted_down(number):
    return number + counted_down(number - 1) if number > 0 else START


START = 0


def test_a_copy_that_calls_itself_calls_the_copy(tmp_path):
    assert counted_down(3) == 6
    assert copy_with(counted_down, START=5)(3) == 11
    for _ in range(2):  # compiled, and loaded
        kernel = specialize(counted_down, "from-7", word(word), directory=tmp_path, START=7)
        assert kernel(3) == 13
    assert sum(kernel.stats.cache_hits.values()) == 1
    assert compiler.plain(kernel)(3) == 13


@pytest.mark.parametrize(("columns", "lanes"), [(1, 8), (7, 8), (8, 8), (9, 16), (16, 16), (17, 24)])
def test_columns_fill_whole_vectors(columns, lanes):
    assert lanes_of(columns) == lanes


def test_a_module_stands_in_for_one_that_is_not_loaded(monkeypatch):
    monkeypatch.setitem(sys.modules, "stand_in", python_types.ModuleType("stand_in"))
    loaded, other = sys.modules["stand_in"], python_types.ModuleType("x")
    with package._in_place_of("stand_in", other):
        assert sys.modules["stand_in"] is loaded
    assert sys.modules["stand_in"] is loaded
    monkeypatch.delitem(sys.modules, "stand_in")
    with package._in_place_of("stand_in", other):
        assert importlib.import_module("stand_in") is other
    assert "stand_in" not in sys.modules
    with package._in_place_of("stand_in", None), pytest.raises(ModuleNotFoundError):
        importlib.import_module("stand_in")
    with pytest.raises(KeyError), package._in_place_of("stand_in", other):
        raise KeyError
    assert "stand_in" not in sys.modules


def test_words_of_a_kernel_are_numpys(tmp_path):
    @jit(compiler.word_pair(compiler.words), directory=tmp_path)
    def ends(array):
        return array[0], array[-1]

    assert ends(np.array([3, 4, -(1 << 63)], np.int64)) == (3, -(1 << 63))
    with pytest.raises(TypeError):
        ends(np.array([3, 4], np.int32))


def test_what_another_process_stored_while_this_one_waited_is_not_compiled_again(tmp_path, monkeypatch):
    turn, waited = cache.one_at_a_time, []

    @contextmanager
    def waiting(path):
        if not waited:
            waited.append(path)
            jit(word(word), directory=tmp_path)(halved)  # as another process does meanwhile
        with turn(path):
            yield

    monkeypatch.setattr(cache, "one_at_a_time", waiting)
    kernel = jit(word(word), directory=tmp_path)(halved)
    assert waited
    assert sum(kernel.stats.cache_hits.values()) == 1
    assert kernel(9) == 4
    assert kernel._cache._turn is None
