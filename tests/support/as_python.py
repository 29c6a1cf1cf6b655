"""Kernels as the Python that they are written in, also where they are compiled: what they do can then be traced."""

from types import CodeType, FunctionType

from agents.jit.compiler import copy_with
from agents.jit.vectors import load, save

ONE_BY_ONE = {"STEP": 1, "columns_from": int, "get": load, "put": save}
"""What stands in the modules of kernels where nothing is compiled."""


def as_python(function):
    """Return a function, and all functions of kernels that it calls, as plain Python; arrays are then addresses."""
    return _plain(function, {})


def _plain(function, seen):
    plain = getattr(function, "py_func", function)
    if not isinstance(plain, FunctionType) or not plain.__module__.startswith("agents."):
        return function
    if plain not in seen:
        seen[plain] = plain  # for functions that call each other
        names = {name for code in _codes(plain.__code__) for name in code.co_names}
        scope = {name: plain.__globals__[name] for name in names if name in plain.__globals__}
        called = {name: _plain(value, seen) for name, value in scope.items() if callable(value)}
        seen[plain] = copy_with(plain, **called | {name: ONE_BY_ONE[name] for name in scope.keys() & ONE_BY_ONE.keys()})
    return seen[plain]


def _codes(code):
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)
