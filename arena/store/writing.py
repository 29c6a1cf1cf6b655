"""Writes files for the user: a failed write leaves the old file, and no write replaces a stored run."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.store.connection import connect


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; it replaces the file when the block ends without an error.

    A pipe, a device, and a file in a folder without write permission are written directly. Raises InputError if the
    file cannot be written or is a database.
    """
    refuse_database(path)
    place = Path(os.path.realpath(path))
    direct = place.exists() and not (place.is_file() and os.access(place.parent, os.W_OK))
    beside = place if direct else place.with_name(f".{place.name}-{os.getpid()}")
    try:
        yield beside
        if not direct:
            if place.exists():
                shutil.copymode(place, beside)
            beside.replace(place)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        if not direct:
            with suppress(OSError):  # as on a file system that became read-only, which the error above names
                beside.unlink(missing_ok=True)


def write(path: Path, text: str) -> None:
    """Write a text to a file, see `replacing`. Raises InputError."""
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8")


def write_json(path: Path, document: object) -> None:
    """Write a document as JSON, see `replacing`. Raises InputError."""
    write(path, f"{json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)}\n")


def read_json(path: Path, form: object, remedy: str) -> Any:  # noqa: ANN401  of that form
    """Return a JSON document that has the form of an example. Raises InputError, with a remedy, for any other file.

    An object has the keys of the example at least, a list items of the form of its first; None stands for anything.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        document = None
    if not _has_form(document, form):
        raise InputError(f"{path} is missing or damaged: {remedy}")
    return document


def _has_form(document: object, form: object) -> bool:
    if isinstance(form, dict) and isinstance(document, dict):
        return all(key in document and _has_form(document[key], part) for key, part in form.items())
    if isinstance(form, list) and isinstance(document, list):
        return all(_has_form(item, form[0]) for item in document)
    return form is None or isinstance(document, type(form))


def refuse_database(path: Path) -> None:
    """Raise InputError if the file is a database, such as a run; ask SQLite, because closing a file drops its locks."""
    if path.is_file() and path.stat().st_size:
        try:
            with closing(connect(path, write=False)) as connection:
                connection.execute("SELECT count(*) FROM sqlite_schema")
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
                return
        raise InputError(f"{path} is a database, as stored runs are; name another file")
