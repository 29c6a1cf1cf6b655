from typing import NamedTuple

import pytest
from numba import types

from agents.jit.compiler import JIT, address, copy_with, function_at, jit, specialize, word

SCALE = 10


def half(number):
    return number // 2


def ratio(number, other):
    return number // other


def scaled(number):
    return number * SCALE


def pair(folder, inner=half):
    """Return a function to be inlined, and one that it is inlined into, both kept in a folder."""
    inlined = jit(inline=True, directory=folder)(inner)

    def twice(number):
        return inlined(number) + inlined(2 * number)

    return inlined, jit(word(word), directory=folder)(twice)


def test_it_does_in_others_what_it_does_when_python_calls_it(tmp_path):
    inlined, twice = pair(tmp_path)
    assert [twice(number) for number in range(-9, 9)] == [half(number) + number for number in range(-9, 9)]
    assert [inlined(number) for number in range(-9, 9)] == [half(number) for number in range(-9, 9)]
    assert inlined(number=9) == 4


def test_what_is_on_disk_is_linked_into_others_and_not_compiled_again(tmp_path):
    pair(tmp_path)
    inlined, twice = pair(tmp_path)  # its own code is not found: numba does not know that `inlined` is the same
    assert sum(inlined.stats.cache_hits.values()) == 1
    assert sum(inlined.stats.cache_misses.values()) == 0
    assert twice(9) == 13


@pytest.mark.parametrize("made", ["jit", "specialize"])
def test_what_python_calls_is_kept_in_the_folder_that_was_asked_for_and_nowhere_else(tmp_path, made):
    """Numba takes functions that differ in a constant of their module for the same: only the folders part them."""
    values = []
    for scale in (3, 5):
        folder = tmp_path / str(scale)
        if made == "jit":
            kernel = jit(inline=True, directory=folder)(copy_with(scaled, SCALE=scale))
        else:
            kernel = specialize(scaled, "mine", None, inline=True, directory=folder, SCALE=scale)
        values.append(kernel(2))
        assert [path.relative_to(folder).parts[0] for path in folder.rglob("*.nbi")] == ["alone"]
    assert values == [6, 10]


def test_no_machine_code_is_made_of_it(tmp_path):
    inlined, _ = pair(tmp_path)
    (result,) = inlined.overloads.values()
    assert not result.library.codegen._engine.is_symbol_defined(result.fndesc.llvm_func_name)
    with pytest.raises(LookupError):
        result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


def test_what_is_damaged_on_disk_is_compiled_again(tmp_path, caplog):
    pair(tmp_path)
    for file in tmp_path.rglob("*half*.nbc"):
        file.write_bytes(file.read_bytes()[:-9])
    inlined, twice = pair(tmp_path)
    assert twice(9) == 13
    assert sum(inlined.stats.cache_hits.values()) == 0
    assert "damaged" in caplog.text


@pytest.mark.skipif(not JIT, reason="an address is the function itself")
def test_a_kernel_calls_it_by_its_address(tmp_path):
    inlined, _ = pair(tmp_path)
    at = function_at(types.FunctionType(word(word)))

    def outer(place, number):
        return at(place)(number)

    calling = jit(word(word, word), directory=tmp_path)(outer)
    assert [calling(address(inlined, word(word)), number) for number in range(-9, 9)] == list(map(half, range(-9, 9)))


def test_its_errors_are_raised_from_those_that_it_is_inlined_into(tmp_path):
    inlined = jit(inline=True, directory=tmp_path)(ratio)

    def outer(number):
        return inlined(9, number)

    compiled = jit(word(word), directory=tmp_path)(outer)
    assert compiled(2) == 4
    with pytest.raises(ZeroDivisionError):
        compiled(0)
    with pytest.raises(ZeroDivisionError):
        inlined(9, 0)


class State(NamedTuple):
    depth: int


def weighted(number, weights):
    return weights[0] * number + weights[1]


def entered(state, frame):
    return state.depth + frame


def moved(number, steps):
    return number << steps


@pytest.mark.parametrize(
    ("function", "callers", "compilations"),
    [
        (weighted, (lambda f: lambda x: f(x, (1, 2)), lambda f: lambda x: f(x, weights=(3, 4))), 1),
        (entered, (lambda f: lambda x: f(State(x), 3), lambda f: lambda x: f(State(x), frame=4)), 1),
        (moved, (lambda f: lambda x: f(x, 1), lambda f: lambda x: f(x, steps=2)), 2),
    ],
)
def test_it_is_compiled_once_for_all_weights_or_for_a_search_and_else_for_each_constant(
    tmp_path, function, callers, compilations
):
    inlined = jit(inline=True, directory=tmp_path)(function)
    for caller in callers:
        kernel = jit(word(word), directory=tmp_path)(caller(inlined))
        assert list(map(kernel, range(9))) == list(map(caller(function), range(9)))
    assert len(inlined.overloads) == compilations
