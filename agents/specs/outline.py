"""Reads what a Python file defines and imports from its text, without running it."""

from __future__ import annotations

import ast
import functools
import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from agents.errors import InputError, no_file, unknown

LARGEST = 1 << 20
"""The largest file that is read, in bytes."""
LARGE = 1 << 16
"""Above this size a separate process parses the file: a parser may take minutes, or all memory."""
SECONDS, MEMORY = 10, 1 << 30
"""The processor time and the bytes that this process may use."""
LONGEST_TEXT = 200
"""The most letters of a string that may name a file."""
_AGENT_NAMES = ("choose", "agent", "act", "my_agent")
_BEGIN = "import sys; sys.path.append(sys.argv[1]); from agents.specs.outline import main; main()"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a class or a function."""

    names: list[str]
    needed: list[str]
    others: bool
    """Whether any other keyword is accepted, too."""
    of_class: bool


@dataclass(frozen=True, slots=True)
class Outline:
    """The contents of a file, as far as its text shows them."""

    author: str = ""
    """The first line of its docstring, which often names the author."""
    agents: list[str] = field(default_factory=list)
    """The classes and functions that are agents."""
    functions: dict[str, list[str]] = field(default_factory=dict)
    """The positional parameters of its functions."""
    makers: dict[str, Parameters] = field(default_factory=dict)
    """The parameters of its classes and functions, as far as the text shows them."""
    inherited: dict[str, str] = field(default_factory=dict)
    """The base class in another file of each class that has its parameters from there."""
    last: str = ""
    """Kaggle's agent: the callable defined last; empty if that cannot be one, or the text does not show it."""
    names: list[str] = field(default_factory=list)
    """The names that it defines, imports or uses; "*" for `from module import *`."""
    imports: list[tuple[int, str]] = field(default_factory=list)
    """Dotted names, each after the number of leading dots of a relative import."""
    texts: list[str] = field(default_factory=list)
    """Its short strings, which may name files."""

    @property
    def heuristics(self) -> list[str]:
        """The functions of `own` and `opp`, which are heuristics."""
        return [name for name, parameters in self.functions.items() if parameters == ["own", "opp"]]


def defined(path: Path) -> str:
    """Return the name of the only agent, a class or a function, that a file defines.

    Raises InputError if it defines none or several.
    """
    summary = inspect_source(path)
    agents = summary.agents
    if len(agents) == 1:
        return agents[0]
    if agents:
        raise InputError(f"{path}: which agent? write {path}:{agents[0]}; it defines {', '.join(agents)}")
    what = "no class with choose(self, board, limits), no function choose(board)"
    values = summary.heuristics
    hint = f"; alphabeta:heuristic={path}:{values[0]} searches with its heuristic" if values else ""
    raise InputError(f"{path} defines no agent: {what}{hint}")


def refuse_misfit(path: Path, name: str, options: Collection[str], place: str) -> None:
    """Raise InputError if an agent in a file does not take the parameters of a spec, or needs others.

    path, name: the file, and the class or function in it; if the text does not show its parameters, nothing is raised.
    options: the names of the spec's parameters.
    place: the start of the message.
    """
    maker = inspect_source(path).makers.get(name)
    if maker is None:
        return
    if not maker.of_class and not options and (maker.names[:1] == ["board"] or is_kaggle(maker.names)):
        return  # a function of the board is itself the agent
    for key in () if maker.others else options:
        if not maker.names:
            raise InputError(f"{place}: {name} takes no parameters")
        if key not in maker.names:
            raise InputError(f"{place}: {unknown('parameter', key, maker.names)}")
    if missing := [key for key in maker.needed if key not in options]:
        wanted = ",".join(f"{key}=…" for key in missing)
        agent = "" if maker.of_class else "; a function that is the agent calls its first parameter board"
        raise InputError(f"{place}: {name} needs {' and '.join(missing)}: write {path}:{name}:{wanted}{agent}")


def is_kaggle(names: Sequence[str]) -> bool:
    """Return whether a function with these parameters is an agent for Kaggle's ConnectX."""
    return 1 <= len(names) <= 2 and names[0].startswith("obs") and all(name.startswith("conf") for name in names[1:])


def with_imports(main: Path) -> set[Path]:
    """Return the file and all files of its folder that it imports, directly or through other files."""
    files: set[Path] = set()
    waiting = [main]
    while waiting:
        path = waiting.pop()
        if path not in files:
            files.add(path)
            waiting += _imported(path, main.parent)
    return files


def _imported(path: Path, folder: Path) -> Iterator[Path]:
    """Yield the files in the folder that a file imports; an unreadable file yields none."""
    try:
        imports = _alone(path).imports
        names = {entry.name.partition(".")[0] for entry in folder.iterdir()}
    except (InputError, OSError):
        return
    for level, name in imports:
        if not level and name.partition(".")[0] not in names:  # the usual case: an installed module
            continue
        place = path.parents[min(level, len(path.parents)) - 1] if level else folder
        for part in name.split("."):  # an import runs each package on the way, then the module
            if not place.is_dir():
                break
            place /= part
            for file in (place.with_suffix(".py"), place / "__init__.py"):
                if folder in file.parents and file.is_file():
                    yield file


def inspect_source(path: Path) -> Outline:
    """Return the outline of a file, with what its classes inherit from files beside it that it imports.

    Raises InputError, with the line of a syntax error, if it cannot be read.
    """
    alone = _alone(path)
    if not alone.inherited:
        return alone
    makers: dict[str, Parameters] = {}
    bases: dict[str, str] = {}
    able: set[str] = set()
    for file in sorted(with_imports(path) - {path}):
        with suppress(InputError):
            other = _alone(file)
            makers, bases, able = other.makers | makers, other.inherited | bases, able.union(other.agents)
    chains = {name: list(_chain(name, alone.inherited | bases)) for name in alone.inherited}
    agents = [name for name, chain in chains.items() if able.intersection(chain) and not name.startswith("_")]
    inherited = {name: makers[base] for name, chain in chains.items() for base in reversed(chain) if base in makers}
    return replace(alone, makers=inherited | alone.makers, agents=list(dict.fromkeys([*alone.agents, *agents])))


def _chain(name: str, bases: Mapping[str, str]) -> Iterator[str]:
    """Yield the base class of a class, and that of each which has one."""
    seen = {name}
    while (name := bases.get(name, "")) and name not in seen:
        seen.add(name)
        yield name


def _alone(path: Path) -> Outline:
    """Return the outline of a file by itself. Raises InputError."""
    try:
        source = path.read_bytes() if path.stat().st_size <= LARGEST else None
    except FileNotFoundError:
        raise no_file(path) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    if source is None:
        raise InputError(f"{path} is larger than {LARGEST >> 20} MB")
    summary = _read(str(path), source)
    if isinstance(summary, str):
        raise InputError(f"{path}{summary}")
    return summary


@functools.lru_cache(maxsize=128)
def _read(name: str, source: bytes) -> Outline | str:
    """Return the outline of a source text, or an error message; the parser's warnings contain `name`."""
    import subprocess

    if len(source) <= LARGE:
        return _parsed(name, source)
    arguments = [str(Path(__file__).parents[2]), name, str(SECONDS)]
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _BEGIN, *arguments]
    try:
        done = subprocess.run(command, input=source, capture_output=True, timeout=4 * SECONDS, check=True)  # noqa: S603  a command of ours
    except subprocess.SubprocessError:
        return f" cannot be read: that takes more than {SECONDS} s or {MEMORY >> 20} MB"
    document = json.loads(done.stdout)
    if isinstance(document, str):
        return document
    return Outline(**document | {"makers": {name: Parameters(**maker) for name, maker in document["makers"].items()}})


def main() -> None:
    """Read a source text from stdin within limits, and write its outline to stdout."""
    import resource

    for kind, most in ((resource.RLIMIT_CPU, int(sys.argv[3])), (resource.RLIMIT_DATA, MEMORY)):
        with suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (most, most))
    summary = _parsed(sys.argv[2], sys.stdin.buffer.read())
    json.dump(summary if isinstance(summary, str) else asdict(summary), sys.stdout)


def _parsed(name: str, source: bytes) -> Outline | str:
    """Return the outline of a source text, or an error message."""
    try:
        tree = ast.parse(source, name)
    except SyntaxError as error:
        return f"{'' if error.lineno is None else f', line {error.lineno}'}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f" cannot be read: {error}"
    defs = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    functions = {node.name: [argument.arg for argument in node.args.args] for node in defs}
    top = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    makers = {name: _maker(top, name) for name in top}
    names, imports, texts = set(), [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and 0 < len(node.value) < LONGEST_TEXT:
                texts.add(node.value)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import):
            imports += [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
            imports += [(node.level, ".".join(filter(None, (node.module, alias.name)))) for alias in node.names]
    return Outline(
        (ast.get_docstring(tree) or "\n").splitlines()[0],
        _classes(tree) or _agent_functions(functions),
        functions,
        {name: maker for name, maker in makers.items() if isinstance(maker, Parameters)},
        {name: base for name, base in makers.items() if isinstance(base, str)},
        _last(tree),
        sorted(names),
        list(dict.fromkeys(imports)),
        sorted(texts),
    )


def _classes(tree: ast.Module) -> list[str]:
    """Return the public classes with `choose`, own or inherited, without the abstract base classes of others."""
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
    return {method.name: method for method in node.body if isinstance(method, ast.FunctionDef)}


def _is_abstract(node: ast.ClassDef) -> bool:
    """Return whether a class leaves a method to its subclasses: the method only raises, or `choose` is empty."""
    for name, method in _methods(node).items():
        nothing = (ast.Raise, ast.Pass) if name == "choose" else ast.Raise
        if all(isinstance(statement, nothing) or _is_constant(statement) for statement in method.body):
            return True
    return not _bases(node).isdisjoint({"ABC", "Protocol"})


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _agent_functions(functions: dict[str, list[str]]) -> list[str]:
    """Return the function that is an agent, by its name or else by Kaggle's parameters."""
    named = [name for name in _AGENT_NAMES if name in functions]
    return named[:1] or [name for name, parameters in functions.items() if is_kaggle(parameters)][-1:]


def _last(tree: ast.Module) -> str:
    """Return the name of the last callable in the order of first definition: a function, or the result of calling one.

    Empty if that is a class, or a function that cannot take an observation.
    """
    callables: dict[str, bool] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            needed = len(node.args.posonlyargs + node.args.args) - len(node.args.defaults)
            names = [argument.arg for argument in node.args.args]
            callables[node.name] = needed <= 2 and bool(names) and names != ["own", "opp"] and node.name != "choose"
        elif isinstance(node, ast.ClassDef):
            callables[node.name] = False
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            factory = node.value.func if isinstance(node.value, ast.Call) else None
            if isinstance(node.value, ast.Lambda) or (isinstance(factory, ast.Name) and factory.id in callables):
                callables[node.targets[0].id] = True
    name = next(reversed(callables), "")
    return name if callables.get(name) else ""


def _maker(top: dict[str, ast.ClassDef | ast.FunctionDef], name: str) -> Parameters | str | None:
    """Return the parameters of a class's `__init__` or of a function, or the name of the base class that has them.

    None if the text does not show them, as for a decorated class.
    """
    seen: set[str] = set()
    while (node := top.get(name)) is not None and not node.decorator_list and name not in seen:
        if isinstance(node, ast.FunctionDef):
            return _parameters(node, of_class=False) if not seen else None
        seen.add(name)
        methods = _methods(node)
        if node.keywords or "__new__" in methods:
            return None
        if "__init__" in methods:
            return None if methods["__init__"].decorator_list else _parameters(methods["__init__"], of_class=True)
        bases = [getattr(base, "id", getattr(base, "attr", "")) for base in node.bases]
        if bases in ([], ["object"]):
            return Parameters([], [], others=False, of_class=True)
        name = bases[0] if len(bases) == 1 else ""
    return name if name and seen and node is None else None


def _parameters(node: ast.FunctionDef, *, of_class: bool) -> Parameters:
    """Return the parameters of a function, or of a method without `self`."""
    in_order = [argument.arg for argument in node.args.posonlyargs + node.args.args]
    needed = in_order[: len(in_order) - len(node.args.defaults)][of_class:]
    by_name = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    needed += [argument.arg for argument, value in by_name if value is None]
    names = in_order[of_class:] + [argument.arg for argument in node.args.kwonlyargs]
    return Parameters(names, needed, node.args.kwarg is not None, of_class)
