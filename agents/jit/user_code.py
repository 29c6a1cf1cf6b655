"""Compiles a user's functions and the functions they call, stores them on disk, and explains failures in one line."""

from __future__ import annotations

import hashlib
import pickle
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload_method

from agents.errors import InputError
from agents.jit.cache import CACHE_DIRECTORY
from agents.jit.compiler import copy_with, jit
from agents.jit.vectors import JIT, popcount, where
from agents.specs.notation import call
from agents.specs.plugins import is_file

LONGEST = 200
"""The letters of numba's explanation that a message quotes."""


def compiled(kind: str, text: str, function: Any, signature: Any) -> Any:
    """Compile a user's function. Raises InputError if numba cannot, or if the function returns no whole number.

    kind, text: "heuristic" or "ordering" and its name, for the message.
    signature: the types that the function takes and returns; a smaller whole number is converted to a word.
    """
    try:
        if not JIT or not isinstance(function, FunctionType):
            return function
        native = _native(function, signature.args)
        returned = native.nopython_signatures[0].return_type
        if isinstance(returned, types.Integer | types.Boolean):
            return native if returned == signature.return_type else _native(function, signature)
    except Exception as error:  # noqa: BLE001  numba raises other errors besides NumbaError
        raise _explained(kind, text, function, error) from None  # its text says all that the author needs
    raise InputError(f"{kind} {text!r} must return a whole number, as int() makes one; it returns {_worded(returned)}")


@overload_method(types.Integer, "bit_count")  # type: ignore[untyped-decorator]
def _bit_count(bits: Any) -> Any:
    """Compile the method of Python's whole numbers, which numba lacks."""

    def counted(bits: Any) -> Any:
        return popcount(abs(bits))

    return counted


def _worded(returned: Any) -> str:
    """Return a description of a type, and a hint."""
    if returned == types.none:
        return "nothing: is a return missing?"
    if isinstance(returned, types.Float):
        return "a fraction: write // in place of /, or int()"
    return "a text" if isinstance(returned, types.UnicodeType | types.StringLiteral) else "something else"


def _native(function: Any, signature: object = None, seen: dict[str, Any] | None = None) -> Any:
    """Compile a user's function and the plain functions that it calls."""
    if not isinstance(function, FunctionType):
        return function
    seen = {} if seen is None else seen
    scope = {}
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and value not in {function, popcount, where}:
            if name not in seen:
                seen[name] = None
                seen[name] = _native(value, None, seen)
            if seen[name] is not None:
                scope[name] = seen[name]
    return jit(signature, directory=kept(function), inline=True)(copy_with(function, **scope))


def kept(function: Any) -> Path:
    """Return the directory for a user's compiled function, wherever its file lies: beside that of our own kernels.

    The end of its name is a digest of all readable Python files beside the function, which it may import, and of its
    constants, which may come from a file of weights, the environment or the size of the board.
    """
    source = Path(getattr(function, "py_func", function).__code__.co_filename).resolve()
    digest = hashlib.sha256(source.name.encode())
    for path in sorted(source.parent.glob("*.py")):
        with suppress(OSError):  # such as an editor's lock or a folder, which cannot be imported either
            content = path.read_bytes()
            digest.update(f"{path.name} {len(content)} ".encode() + content)
    for constant in _constants(function, source.parent, set(), set()):
        try:
            digest.update(pickle.dumps(constant))
        except Exception:  # noqa: BLE001  a list may hold anything
            digest.update(repr(constant).encode())
    return CACHE_DIRECTORY.with_name(f"{CACHE_DIRECTORY.name}-user-{digest.hexdigest()[:16]}")


def name_of(text: str, directory: Path) -> str:
    """Return a user's function in a spec, weights included, as a name for the cache, wherever its file lies.

    directory: where `kept` keeps its code. Numba finds loaded code by its name alone, so that functions of two files of
    one name must have two.
    """
    asked = call(text).name
    return hashlib.sha256(f"{directory.name} {text.replace(asked, Path(asked).name, 1)}".encode()).hexdigest()[:16]


def _constants(value: object, folder: Path, names: AbstractSet[str], seen: set[Any]) -> Iterator[object]:
    """Yield the constants of a function, of functions that it calls, and of modules in its folder.

    names: what the caller names; of a module only these attributes are constants.
    """
    plain = getattr(value, "py_func", value)
    if isinstance(plain, int | float | complex | str | bytes | tuple | list | dict | np.ndarray | np.generic):
        yield plain
    elif isinstance(plain, ModuleType) and Path(vars(plain).get("__file__") or "/").resolve().is_relative_to(folder):
        for name in sorted(names & vars(plain).keys()):
            yield from _constants(vars(plain)[name], folder, names, seen)
    elif isinstance(plain, FunctionType) and plain not in seen:
        seen.add(plain)
        codes = [plain.__code__]
        for code in codes:
            codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        names = {name for code in codes for name in code.co_names}
        inside = [plain.__globals__[name] for name in sorted(names & plain.__globals__.keys())]
        for constant in [*inside, *_closed_over(plain)]:
            yield from _constants(constant, folder, names, seen)


def _closed_over(function: FunctionType) -> list[object]:
    return [cell.cell_contents for cell in function.__closure__ or ()]


def _explained(kind: str, text: str, function: FunctionType, error: Exception) -> InputError:
    """Return an error with numba's own line and first sentence, and a way out, in one line."""
    file = text.rpartition(":")[0] if is_file(text) else text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # numba colours its text where colorama is installed
    lines = [line.strip() for line in plain.splitlines() if line.strip() and not line.startswith("Failed in ")]
    quoted = " ".join(lines[:2] if lines and lines[0].endswith(":") else lines[:1]) or type(error).__name__
    folder, place = Path(function.__code__.co_filename).parent, file
    for name, line in re.findall(r"""(?:File "|at |from )([^"\n]*?)(?:", line | \()(\d+)""", plain):
        if (folder / Path(name).name).is_file():
            place = f"{file if Path(name).name == Path(file).name else Path(name).name} line {line}"
            break
    way = "" if "is not defined" in quoted else "; compiled=no runs it as plain Python"
    return InputError(f"{kind} {text!r} cannot be compiled: {place}: {quoted[:LONGEST].rstrip('.')}{way}")
