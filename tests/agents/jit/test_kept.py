"""What is said where compiled code cannot be kept, and how kernels are put together."""

import importlib
import logging
import multiprocessing
import sys
import types as python_types

import numba
import numpy as np
import pytest
from numba.core.errors import NumbaError

from agents import jit as package
from agents.jit import cache, compiler
from agents.jit.compiler import copy_with, jit, specialize, word
from agents.jit.vectors import lanes_of


@pytest.fixture(autouse=True)
def nothing_said():
    cache._said.clear()


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


@pytest.mark.parametrize(("columns", "lanes"), [(1, 8), (7, 8), (8, 8), (9, 16), (16, 16), (17, 24)])
def test_columns_fill_whole_vectors(columns, lanes):
    assert lanes_of(columns) == lanes


def test_a_module_stands_in_for_one_that_is_not_loaded(monkeypatch):
    monkeypatch.setitem(sys.modules, "stand_in", python_types.ModuleType("stand_in"))
    loaded, other = sys.modules["stand_in"], python_types.ModuleType("x")
    for module in (other, None):
        with package._in_place_of("stand_in", module):
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
