"""All that can be typed: commands and options as the help shows them, words, hints and functions; a file a folder.

`--write-pages` writes the files anew. The core has its own in `tests/data`, a plugin in its folder of tests.
"""

import inspect
import re
from importlib import import_module
from pathlib import Path

import click
import pytest
from samples import DATA

import arena
from arena.cli import hints
from arena.plugins import folders, offers

PLUGINS = Path(__file__).parents[1] / "plugins"
BRACKETS = re.compile(r"\[(?:default: |required|x>|[\d.]+<)[^\]]*\]")
"""Defaults and bounds in the help of an option."""


def lines_of(package):
    """Yield what can be typed of what a folder offers."""
    for offer in offers("COMMANDS", installed=False):
        if offer.folder == package:
            name, _, group, what, page = offer.row
            yield f"arena {name}  {group}: {what} More: {page}"
            yield from lines_of_command(name, offer.load())
    for kind in ("START", "WORDS", "HINTS"):
        for offer in offers(kind, installed=False):
            if offer.folder == package:
                yield f"{kind}  " + "  ".join(offer.row)


def lines_of_command(name, command):
    """Yield how a command is used, and its options with their defaults and bounds; likewise of those within it."""
    context = click.Context(command, info_name=name)
    yield f"  {name} " + " ".join(command.collect_usage_pieces(context))
    for param in command.params:
        if isinstance(param, click.Option) and (record := param.get_help_record(context)):
            yield "    " + "  ".join([record[0], *BRACKETS.findall(record[1]), *(["many"] * param.multiple)])
    for inner, inside in getattr(command, "commands", {}).items():
        yield from lines_of_command(f"{name} {inner}", inside)


def functions_of(module, names):
    """Yield the functions of a module with their parameters and defaults, without annotations."""
    for name in names:
        function = getattr(module, name)
        if inspect.isfunction(function):
            signature = inspect.signature(function)
            bare = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
            written = re.sub("<function.*? at 0x.*?>", "a function", str(inspect.Signature(bare)))
            yield f"{module.__name__}.{name}{written}"


def same(path, lines, request):
    """Assert that a file has the lines; with the option, write it."""
    text = "\n".join([*lines, ""])
    if request.config.getoption("--write-pages"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_what_can_be_typed_of_the_core_is_what_its_file_says(request):
    core = [package.__name__ for package in folders() if not package.__name__.startswith("arena.plugins.")]
    lines = [line for package in core for line in lines_of(package)]
    lines += [f"WORDS  {word}  {command}" for word, command in hints.MEANT.items()]
    lines += [f"HINTS  {command}  {option}  {hint}" for (command, option), hint in hints.INSTEAD.items()]
    same(DATA / "surface.txt", [*lines, *functions_of(arena, arena.__all__)], request)


@pytest.mark.parametrize("folder", [path.name for path in sorted(PLUGINS.iterdir()) if path.is_dir()])
def test_what_can_be_typed_of_a_plugin_is_what_its_file_says(folder, request):
    package = import_module(f"arena.plugins.{folder}")
    lines = [*lines_of(package.__name__), *functions_of(package, getattr(package, "FUNCTIONS", ()))]
    if lines:
        same(PLUGINS / folder / "surface.txt", lines, request)
