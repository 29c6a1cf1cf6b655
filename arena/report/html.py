"""Pages from templates: whole in one file, or made of parts that a server hands out."""

from __future__ import annotations

import functools
import json
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from agents.score import in_words

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

WEB = "arena.web"
"""The package whose folders `templates` and `static` hold what a page is made of."""
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)


def render(template: str, *, whole: bool, modules: tuple[str, ...] = (), **values: object) -> str:
    """Return a page. `whole` puts styles and scripts into it, so that it needs no address outside itself.

    modules: the scripts, each after those that it imports; the last one starts.
    """
    return _environment().get_template(template).render(whole=whole, modules=modules, **values)


def as_json(value: object) -> Markup:
    """Return a value as JSON that can stand in a script element: nothing in it ends the element."""
    from markupsafe import Markup

    text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704  see above


def breakable(text: str) -> Markup:
    """Return a text that may be broken after the signs in an agent's spec."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"(?<=[:,=/])(?=\w)", "<wbr>", escape(text)))  # noqa: S704  it is escaped


def asset(name: str) -> str:
    """Return the text of a file of `static`."""
    return files(WEB).joinpath("static", name).read_text(encoding="utf-8")


def bundle(modules: tuple[str, ...]) -> str:
    """Return modules as one, without their imports and exports; their top-level names must differ."""
    return "\n".join(re.sub(r"^export ", "", _IMPORT.sub("", asset(name)), flags=re.MULTILINE) for name in modules)


@functools.cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(loader=PackageLoader(WEB), autoescape=True, undefined=StrictUndefined)

    def trusted(make: Any) -> Any:  # noqa: ANN401  any of the above
        return lambda argument: Markup(make(argument))  # noqa: S704  files of this package

    environment.filters["breakable"] = breakable
    environment.globals.update(asset=trusted(asset), bundle=trusted(bundle), words=in_words)
    return environment
