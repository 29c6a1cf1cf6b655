"""All that can be typed: commands, their options with types and defaults, words and functions; a file a folder.

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
from arena.plugins import folders, offers

PLUGINS = Path(__file__).parents[1] / "plugins"


def lines_of(package):
    """Yield what can be typed of what a folder offers."""
    for offer in offers("COMMANDS", installed=False):
        if offer.folder == package:
            name, _, group, what, _ = offer.row
            yield f"arena {name}  {group}: {what}"
            yield from map(option, offer.load().params)
    for kind in ("START", "WORDS", "HINTS"):
        for offer in offers(kind, installed=False):
            if offer.folder == package:
                yield f"{kind}  " + "  ".join(map(str, offer.row))


def option(parameter):
    kind = parameter.type
    words = ["  " + " ".join([*parameter.opts, *parameter.secondary_opts]), kind.name]
    if isinstance(kind, click.Choice):
        words[1] = "|".join(map(str, kind.choices))
    if isinstance(kind, (click.IntRange, click.FloatRange)):
        words.append(f"{kind.min}..{kind.max}")
    marks = {"many": parameter.multiple, "required": parameter.required, "several": parameter.nargs != 1}
    words += [mark for mark, holds in marks.items() if holds]
    default = parameter.to_info_dict()["default"]
    return "  ".join([*words, *([] if default in (None, False, "", ()) else [f"= {default}"])])


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
    same(DATA / "surface.txt", [*lines, *functions_of(arena, arena.__all__)], request)


@pytest.mark.parametrize("folder", [path.name for path in sorted(PLUGINS.iterdir()) if path.is_dir()])
def test_what_can_be_typed_of_a_plugin_is_what_its_file_says(folder, request):
    package = import_module(f"arena.plugins.{folder}")
    lines = [*lines_of(package.__name__), *functions_of(package, getattr(package, "FUNCTIONS", ()))]
    if lines:
        same(PLUGINS / folder / "surface.txt", lines, request)
