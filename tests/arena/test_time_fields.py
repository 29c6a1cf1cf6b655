"""Every time in a JSON document stands in a field whose name says its unit: `ms` or `seconds`."""

import ast
import re
from pathlib import Path

import pytest

from arena.analysis.rows import described
from arena.report.documented import OTHERS, RUN

ROOT = Path(__file__).parents[2]
WARNED_OF = "Overrun"
"""A row that becomes a line of text alone."""
UNITS = re.compile(r"(^|_)(ms|seconds)(_|$)")


@pytest.mark.parametrize("row", {**RUN, **OTHERS}.values(), ids={**RUN, **OTHERS})
def test_times_of_rows_say_their_unit(row):
    for each in described(row):
        if each.unit in {"seconds", "milliseconds"}:
            assert UNITS.search(each.name), each.name


def fields():
    """Yield every field of every frozen dataclass of the packages with its docstring."""
    for path in sorted(ROOT.glob("a*/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name != WARNED_OF:
                for field, after in zip(node.body, node.body[1:], strict=False):
                    told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                    if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and told:
                        yield f"{path.name}:{node.name}.{field.target.id}", str(after.value.value)


def test_whatever_field_is_in_seconds_or_milliseconds_is_named_so():
    found = [(name, text) for name, text in fields() if re.match(r"\[(seconds|milliseconds)\]", text)]
    assert len(found) > 15
    assert [name for name, _ in found if not UNITS.search(name.rpartition(".")[2])] == []
