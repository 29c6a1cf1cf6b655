"""Rows of tables with a value of its own in every field."""

from dataclasses import fields

from arena.records import Interval


def filled(kind, number, *, bare=False, **given):
    """Return a row of a class; `bare` leaves out whatever may be missing. What is `given` stays as it is."""
    found = {}
    for place, each in enumerate(fields(kind), start=1):
        form = str(each.type)
        if each.name not in given:
            found[each.name] = None if bare and form.endswith("| None") else _value(form, each.name, place, number)
    return kind(**found | given)


def _value(form, name, place, number):
    part = place / 8 + number / 4
    values = {
        "str": f"{name} {number}", "int": 10 * place + number, "float": part, "bool": number % 2 == 0,
        "Interval": Interval(part, part - 0.5, part + 1.5 * number), "list[str]": [f"{name} {number}", "more"],
        "tuple[int, ...]": (number, place), "tuple[float, ...]": (number / 2, place / 2),
        "tuple[Blunder, ...]": (),
    }  # fmt: skip
    return values[form.removesuffix(" | None")]
