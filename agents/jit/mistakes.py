"""Finds the reason why a heuristic or an ordering cannot be compiled, and quotes its author's file."""

from __future__ import annotations

import ast
import builtins
import difflib
import linecache
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

NO_GRID = "whole numbers with a bit for each cell, not a grid: see 'The board as two words' in docs/heuristics.md"
KNOWN = "whole numbers, tuples, if, for, while, and the words of agents.heuristics"
WALKED = ("len", "list", "tuple", "enumerate", "sum", "max", "min", "any", "all", "reversed", "sorted", "iter", "set")
"""Functions that iterate over their only argument."""
WORDS = ("all_cells", "column_cells", "open_windows", "playable", "popcount", "row_cells", "threats", "where")
"""The functions that `agents.heuristics` exports."""
LONGEST = 60
"""The letters that a message quotes of a line or a value."""


def mistake(function: FunctionType, place: int = 0) -> tuple[Path, int, str, bool]:
    """Return the file and line of a likely mistake, its explanation, and whether it would run as plain Python.

    function: a heuristic or an ordering; the functions of its folder that it calls are examined, too. place: the line
    where the compiler stopped, or 0; the message quotes it if no other mistake is found.
    """
    for each in _reached(function, {}).values():
        node = _source(each)
        if node is None:
            continue
        own = each.__code__.co_varnames[: each.__code__.co_argcount] if each is function else ()
        set_here = {
            part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        for part in ast.walk(node):
            known = isinstance(part, ast.Name) and part.id in set_here  # includes the names of comprehensions
            if found := None if known else _found(part, each, own):
                line = getattr(part.iter if isinstance(part, ast.comprehension) else part, "lineno", place)
                return _file(each), line, *found
    said = linecache.getline(str(_file(function)), place).strip() if place else ""
    what = f"the compiler cannot do `{said[:LONGEST]}`" if said else "the compiler cannot do all that it does"
    return _file(function), place, f"{what}: it knows {KNOWN}", True


def _reached(function: FunctionType, seen: dict[str, FunctionType]) -> dict[str, FunctionType]:
    """Return a function and the functions of its folder that it calls, by name."""
    code = function.__code__
    if seen.setdefault(code.co_name, function) is function:
        for name in code.co_names:
            value = function.__globals__.get(name)
            if isinstance(value, FunctionType) and _file(value).parent == _file(function).parent and name not in seen:
                _reached(value, seen)
    return seen


def _file(function: FunctionType) -> Path:
    return Path(function.__code__.co_filename).resolve()


def _source(function: FunctionType) -> ast.FunctionDef | None:
    code = function.__code__
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError):
        return None
    defined: Iterator[ast.FunctionDef] = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return next((node for node in defined if node.name == code.co_name and _first(node) == code.co_firstlineno), None)


def _first(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def _found(node: ast.AST, function: FunctionType, own: tuple[str, ...]) -> tuple[str, bool] | None:
    """Return the mistake in a part of a function, if any, and whether the part would run as plain Python.

    own: the parameters of the function, if they are discs.
    """
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "count":
        counted = node.func.value
        whole = counted.args[:1] if isinstance(counted, ast.Call) else [counted]
        if whole:
            return f"{ast.unparse(node)} → popcount({ast.unparse(whole[0])}), of agents.heuristics", True
    if _as_grid(node, own):
        return f"{' and '.join(own[:2])} are {NO_GRID}", False
    if isinstance(node, ast.Import | ast.ImportFrom):
        return f"move `{ast.unparse(node)[:LONGEST]}` to the top of the file", True
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return _name(node.id, function)
    return None


def _as_grid(node: ast.AST, own: tuple[str, ...]) -> bool:
    """Return whether code treats discs as a grid or a list."""
    whole: ast.AST | None = None
    if isinstance(node, ast.Subscript | ast.Attribute):
        whole = node.value
    elif isinstance(node, ast.For | ast.comprehension):
        whole = node.iter
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WALKED:
        whole = node.args[0] if len(node.args) == 1 else None
    return isinstance(whole, ast.Name) and whole.id in own


def _name(name: str, function: FunctionType) -> tuple[str, bool] | None:
    """Return the mistake in a name that a function reads, if any, and whether it would run as plain Python."""
    code = function.__code__
    closed_over = zip(code.co_freevars, (cell.cell_contents for cell in function.__closure__ or ()), strict=True)
    scope = function.__globals__ | dict(closed_over)
    if name in (*code.co_varnames, *code.co_cellvars):
        return None
    if name not in scope:
        if hasattr(builtins, name):
            return None
        near = difflib.get_close_matches(name, [*scope, *WORDS], n=1)
        known = f": from agents.heuristics import {name}" if name in WORDS else ""
        return f"{name} is not defined{known or (f': did you mean {near[0]}?' if near else '')}", False
    value = scope[name]
    if isinstance(value, list):
        return f"write {name} = {_as_tuple(value)[:LONGEST]} as a tuple", True
    if isinstance(value, dict | set):
        return f"{name} is a {type(value).__name__}, which the compiler does not know: write tuples, or if", True
    return None


def _as_tuple(value: Any) -> str:
    """Return the source text of a list as a tuple; nested lists become tuples, too."""
    if not isinstance(value, list):
        return repr(value)
    return f"({', '.join(map(_as_tuple, value))}{',' * (len(value) == 1)})"
