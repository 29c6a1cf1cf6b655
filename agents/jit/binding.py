"""Kernels bound to the functions that they take, such as a heuristic: compiled, or as plain Python."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

from agents.jit.compiler import JIT, address, copy_with, itself


def bind(kernel: Callable[..., Any], *functions: tuple[Callable[..., Any], Any]) -> Callable[..., Any]:
    """Return a kernel with its first arguments given: these functions, each named with its signature.

    The kernel gets the address of each one. Where one is plain Python and cannot be called from compiled code, the
    kernel runs as plain Python, too.
    """
    given = [function for function, _ in functions]
    if JIT and any(isinstance(function, FunctionType) for function in given):
        return functools.partial(plain(kernel), *given)
    bound = functools.partial(kernel, *(address(function, signature) for function, signature in functions))
    bound.keep = given  # type: ignore[attr-defined]  # an address does not keep its function alive
    return bound


def plain(kernel: Any) -> Any:  # noqa: ANN401  numba's dispatcher
    """Return a kernel, and all kernels that it calls, uncompiled."""
    function = kernel.py_func
    called = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    kernels = {name: plain(each) for name, each in called.items() if hasattr(each, "py_func")}
    return copy_with(function, **kernels, leaves_at=itself, arrange_at=itself)
