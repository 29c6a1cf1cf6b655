"""Which agent a Python file defines, read from its text: a stranger's file is not run to find out."""

from __future__ import annotations

import ast
from pathlib import Path

from agents.errors import InputError
from agents.remote.load import is_kaggle

LARGEST = 1 << 20
"""Bytes of a file that is read."""
_FUNCTIONS = ("choose", "agent", "act", "my_agent")


def defined(path: Path) -> str:
    """Return the name of the one agent, class or function, that a file defines.

    Raises InputError where there is none or several.
    """
    names = agents_in(path)
    if len(names) == 1:
        return names[0]
    if names:
        raise InputError(f"{path} names no agent: write {path}:{names[0]}; it defines {', '.join(names)}")
    raise InputError(f"{path} defines no agent: no class with choose(self, board, limits), no function choose(board)")


def agents_in(path: Path) -> list[str]:
    """Return the names of all agents that a file defines. Raises InputError with the line where it cannot be read."""
    tree = _parsed(path)
    return _classes(tree) or _functions(tree)


def says(path: Path, name: str) -> bool:
    """Tell whether a file may have something of that name: it defines, imports or assigns it, or imports with a star.

    Raises InputError with the line where it cannot be read.
    """
    nodes = [*ast.walk(_parsed(path))]
    names = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {each.asname or each.name for node in nodes if isinstance(node, ast.ImportFrom) for each in node.names}
    return name in names or "*" in names


def author_of(path: Path) -> str:
    """Return the first line of the file's docstring, where authors name themselves, or nothing."""
    return (ast.get_docstring(_parsed(path)) or "\n").splitlines()[0]


def _parsed(path: Path) -> ast.Module:
    try:
        source = path.read_bytes()
        if len(source) > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST >> 20} MB")
        return ast.parse(source, str(path))
    except SyntaxError as error:
        raise InputError(f"{path}, line {error.lineno}: {error.msg}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


def _classes(tree: ast.Module) -> list[str]:
    """Return the classes that can choose and on which no other builds."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    able: dict[str, ast.ClassDef] = {}
    for name, node in classes.items():
        bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
        if bases & able.keys() or any(
            isinstance(each, ast.FunctionDef) and each.name == "choose" for each in node.body
        ):
            able[name] = node
    built_on = {base.id for node in able.values() for base in node.bases if isinstance(base, ast.Name)}
    return [name for name in able if name not in built_on and not name.startswith("_")]


def _functions(tree: ast.Module) -> list[str]:
    """Return the functions that are agents: by their name, or by the parameters of Kaggle's."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    named = [name for name in _FUNCTIONS if name in functions]
    if named:
        return named[:1]
    return [name for name, node in functions.items() if is_kaggle([each.arg for each in node.args.args])][-1:]
