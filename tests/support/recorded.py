"""Numbers that were computed once and are to stay: nets that notice any change of a whole room.

What is recorded proves nothing of being right; the slow twins and the published numbers of the other tests do. It
holds what they leave out: every field of every row, on inputs that make each branch, side and denominator matter.
"""

import dataclasses
import enum
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from samples import DATA

from agents.errors import InputError

RECORDED = DATA / "recorded"
DECIMAL = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


def plain(value):  # noqa: C901  a kind of value a branch
    """Return a value as JSON can hold it; numbers as far as libraries agree."""
    if value is None or isinstance(value, bool | np.bool_):
        return None if value is None else bool(value)
    if isinstance(value, enum.Enum):
        return str(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        value = float(value)
        return str(value) if math.isnan(value) or math.isinf(value) else float(f"{value:.12g}")
    if isinstance(value, str | Path):
        return str(value)
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, pd.DataFrame):
        return {name: plain(list(value[name])) for name in value.columns}
    if isinstance(value, pd.Series):
        return [[plain(key), plain(each)] for key, each in value.items()]
    if dataclasses.is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if value is pd.NA:
        return None
    return [plain(each) for each in value]


def tried(call, *args, errors=InputError, **named):
    """Return what a call returns as plain data, or the line that it raises."""
    try:
        return plain(call(*args, **named))
    except errors as error:
        return f"{type(error).__name__}: {error}"


def without(value, folder):
    """Return plain data with `~` in place of the folder that a test stands in."""
    if isinstance(value, dict):
        return {without(key, folder): without(each, folder) for key, each in value.items()}
    if isinstance(value, list):
        return [without(each, folder) for each in value]
    return value.replace(str(folder), "~") if isinstance(value, str) else value


def differences(found, kept, where="", *, within=1e-8):
    """Yield the places at which two plain values differ; numbers may by rounding, also within a text."""
    if isinstance(found, dict) and isinstance(kept, dict):
        for key in [*found, *(key for key in kept if key not in found)]:
            if key not in found or key not in kept:
                yield f"{where}/{key}: {'not found any more' if key in kept else 'not recorded'}"
            else:
                yield from differences(found[key], kept[key], f"{where}/{key}", within=within)
    elif isinstance(found, list) and isinstance(kept, list) and len(found) == len(kept):
        for place, pair in enumerate(zip(found, kept, strict=True)):
            yield from differences(*pair, f"{where}/{place}", within=within)
    elif not alike(found, kept, within):
        yield f"{where}: {found!r}, recorded {kept!r}"


def alike(found, kept, within):
    """Return whether two values are the same; numbers and those within texts as far as libraries agree."""
    if isinstance(found, float) and isinstance(kept, int | float) and not isinstance(kept, bool):
        return math.isclose(found, kept, rel_tol=within, abs_tol=within * 1e-2)
    if isinstance(found, str) and isinstance(kept, str) and found != kept:
        pairs = zip(DECIMAL.findall(found), DECIMAL.findall(kept), strict=False)
        same = DECIMAL.split(found) == DECIMAL.split(kept)
        return same and all(_rounded(*pair, within) for pair in pairs)
    return type(found) is type(kept) and found == kept


def _rounded(one, other, within):
    """Return whether two numbers of a text are the same but for the last of many digits."""
    whole = max(len(one), len(other)) > 12
    return one == other or (whole and alike(float(one), float(other), within))


def holds(name, found, request, *, within=1e-8, part=None):
    """Hold what was found, a dict by label, against what is recorded; `--write-pages` records it anew.

    part: a slice of each recorded list, where no more was looked at.
    """
    path = RECORDED / f"{name}.json"
    if request.config.getoption("--write-pages"):
        assert part in (None, slice(None)), "it is recorded whole"
        RECORDED.mkdir(exist_ok=True)
        path.write_text(_written(found) + "\n", encoding="utf-8")
    kept = json.loads(path.read_text(encoding="utf-8"))
    if part is not None:
        kept = {label: each[part] for label, each in kept.items()}
    apart = list(differences(found, kept, within=within))
    if apart:
        pytest.fail(f"{len(apart)} numbers of {path.name} have changed:\n" + "\n".join(apart[:20]), pytrace=False)


def _written(found):
    """Return a document with a line for each label, long ones broken at their fields."""
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in found.items())
    return "{\n" + ",\n".join(re.sub(r"\}, \{", "},\n {", line) for line in lines) + "\n}"
