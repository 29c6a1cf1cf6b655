"""What a Python file defines and imports, read from its text: the file is not run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator
from importlib.machinery import PathFinder
from pathlib import Path

from agents.errors import InputError, no_file, unknown
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
        raise InputError(f"{path}: which agent? write {path}:{names[0]}; it defines {', '.join(names)}")
    what = "no class with choose(self, board, limits), no function choose(board)"
    functions = [each for each in _parsed(path).body if isinstance(each, ast.FunctionDef)]
    values = [each.name for each in functions if [one.arg for one in each.args.args] == ["own", "opp"]]
    hint = f"; alphabeta:heuristic={path}:{values[0]} searches with its heuristic" if values else ""
    raise InputError(f"{path} defines no agent: {what}{hint}")


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


def refuse_misfit(path: Path, name: str, given: Collection[str], place: str) -> None:
    """Raise InputError, after the `place`, where an agent in a file takes none of these parameters, or needs others.

    Nothing is refused where the text of the file does not say what the class or function takes.
    """
    node = _maker(_parsed(path), name)
    if node is None:
        return
    arguments = node.args.posonlyargs + node.args.args
    optional = len(node.args.defaults)
    needed = [each.arg for each in arguments[: len(arguments) - optional]]
    needed += [each.arg for each, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if not value]
    taken = [each.arg for each in arguments + node.args.kwonlyargs]
    if node.name == "__init__":
        needed, taken = needed[1:], taken[1:]
    elif not given and (taken[:1] == ["board"] or is_kaggle(taken)):
        return  # it is the agent, and no maker of one
    for key in given if node.args.kwarg is None else ():
        if not taken:
            raise InputError(f"{place}: {name} takes no parameters")
        if key not in taken:
            raise InputError(f"{place}: {unknown('parameter', key, taken)}")
    if missing := [key for key in needed if key not in given]:
        wanted = ",".join(f"{key}=…" for key in missing)
        agent = "; a function that is the agent calls its first parameter board" if node.name == name else ""
        raise InputError(f"{place}: {name} needs {' and '.join(missing)}: write {path}:{name}:{wanted}{agent}")


def with_imports(main: Path) -> set[Path]:
    """Return the file and the files of its folder that it imports, and so on."""
    found: set[Path] = set()
    waiting = [main]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path, main.parent)
    return found


def _imported(path: Path, folder: Path) -> Iterator[Path]:
    """Yield the files within the folder that a file imports; a file that cannot be read yields none."""
    try:
        tree = _parsed(path)
    except InputError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(folder, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = path.parents[min(node.level, len(path.parents)) - 1] if node.level else folder
            names = [(start, ".".join(filter(None, (node.module, alias.name)))) for alias in node.names]
        else:
            continue
        for start, name in names:
            yield from (module for module in _modules(start, name) if folder in module.parents)


def _modules(start: Path, name: str) -> Iterator[Path]:
    """Yield the files that importing a dotted name from a folder runs: each package's on the way, and the module's."""
    place = start
    for part in name.split("."):
        place /= part
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if path.is_file():
                yield path


def visible(path: Path, rivals: Collection[Path], mains: Collection[Path] = ()) -> tuple[str, ...]:
    """Return what an agent may read of a folder that others share: the paths of files and folders.

    That is its own file, what is named after it (of `bot.py` also `bot.json`, `bot_weights.npy` and `bot/`), and what
    the `mains`, by default that file, import; but not the `rivals`, the other agents' files, nor what is named after
    them. A module that stands in for an installed one counts only where it is named after the agent. Links are left
    out.
    """
    rivals = {rival for rival in rivals if rival != path}
    stems = {rival.stem for rival in rivals} | {path.stem}
    found = {path}
    for each in path.parent.iterdir():
        if each not in rivals and _named_after(each.name, stems) == path.stem:
            found.add(each)
    for main in mains or [path]:
        for each in with_imports(main) if main.suffix == ".py" else ():
            top = path.parent / each.relative_to(path.parent).parts[0]
            if top not in rivals and _named_after(top.name, stems) in ("", path.stem) and not _is_installed(top.stem):
                found.add(top)
    return tuple(sorted(str(each) for each in found if not each.is_symlink()))


def _named_after(name: str, stems: Collection[str]) -> str:
    """Return the longest of the stems that a file's name begins with, as a whole; "" for none."""
    begun = [stem for stem in stems if name.startswith(stem) and name[len(stem) :][:1] in {"", ".", "_", "-"}]
    return max(begun, key=len, default="")


def _is_installed(name: str) -> bool:
    places = [place for place in sys.path if place.endswith(("site-packages", "dist-packages"))]
    return PathFinder.find_spec(name, places) is not None


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
    except FileNotFoundError:
        raise no_file(path) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


def _classes(tree: ast.Module) -> list[str]:
    """Return the classes that can choose, but for those that only others build on: see `_is_abstract`."""
    able: dict[str, ast.ClassDef] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and ("choose" in _methods(node) or _bases(node) & able.keys()):
            able[node.name] = node
    built_on: set[str] = set().union(*map(_bases, able.values()))
    return [
        name
        for name, node in able.items()
        if not name.startswith("_") and not (name in built_on and _is_abstract(node))
    ]


def _bases(node: ast.ClassDef) -> set[str]:
    names = {base.id for base in node.bases if isinstance(base, ast.Name)}
    return names | {base.attr for base in node.bases if isinstance(base, ast.Attribute)}


def _methods(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}


def _is_abstract(node: ast.ClassDef) -> bool:
    """Tell whether a class leaves a method to those that build on it: it raises, or nothing stands there."""
    for name, method in _methods(node).items():
        nothing = (ast.Raise, ast.Pass) if name == "choose" else ast.Raise
        if all(isinstance(each, nothing) or _is_constant(each) for each in method.body):
            return True
    return not _bases(node).isdisjoint({"ABC", "Protocol"})


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _functions(tree: ast.Module) -> list[str]:
    """Return the functions that are agents: by their name, or by the parameters of Kaggle's."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    named = [name for name in _FUNCTIONS if name in functions]
    if named:
        return named[:1]
    return [name for name, node in functions.items() if is_kaggle([each.arg for each in node.args.args])][-1:]


def _maker(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    """Return the function whose parameters an agent's spec gives: `__init__` of a class, or a function itself.

    None where it is not to be seen, as of a class that builds on another file's or is decorated.
    """
    found = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef | ast.FunctionDef)}.get(name)
    if found is None or found.decorator_list:
        return None
    if isinstance(found, ast.FunctionDef):
        return found
    own = _methods(found)
    if found.keywords or "__new__" in own:
        return None
    if "__init__" in own:
        return None if own["__init__"].decorator_list else own["__init__"]
    bases = [base.id if isinstance(base, ast.Name) else "" for base in found.bases]
    if bases in ([], ["object"]):
        return _NOTHING
    return _maker(tree, bases[0]) if len(bases) == 1 and bases[0] != name else None


[_NOTHING] = [each for each in ast.parse("def __init__(self): ...").body if isinstance(each, ast.FunctionDef)]
"""The `__init__` of a class that has none."""
