"""The kinds of rows that tables have, and where their fields are declared."""

import importlib
import inspect
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
KINDS = {
    name: getattr(importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)), name)
    for file in sorted((ROOT / "arena").rglob("*.py"))
    for name in re.findall(r"^@table_row\nclass (\w+)", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
}


def homes(kind):
    """Return the class that declares each field of a kind of row, by the field's name."""
    classes = reversed(kind.__mro__)
    return {name: declaring.__name__ for declaring in classes for name in inspect.get_annotations(declaring)}
