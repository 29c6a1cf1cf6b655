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


def chosen(discs, by, mask):
    return discs >> by & mask


def of_pack(discs, pack):
    return (discs & pack[0]) >> pack[1]


def highest(discs, mask):
    return discs & mask if mask == 1 << 20 else highest(discs, 1 << 20)


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


def test_it_is_compiled_once_for_all_masks_and_anew_for_a_small_constant():
    mask, pack = jit(inline=True, directory=None)(chosen), jit(inline=True, directory=None)(of_pack)

    def outer(discs):
        total = mask(discs, 1, 1 << 16) + mask(discs, 1, mask=1 << 17) + mask(discs, 2, 1 << 18)
        return total + pack(discs, (1 << 20, 20)) + pack(discs, (1 << 21, 20))

    assert jit(word(word), directory=None)(outer)(-1) == (7 << 16) + 3
    assert (len(mask.signatures), len(pack.signatures)) == (2, 1)


def test_a_function_that_calls_itself_with_a_mask_is_compiled_once():
    kernel = jit(word(word, word), directory=None)(highest)
    assert (kernel(-1, 0), len(kernel.signatures)) == (1 << 20, 1)


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
        assert len([*folder.rglob("*.nbi")]) == 1
    assert values == [6, 10]


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
