"""What a tuning has tried so far, line by line in a file, so that a kill at any moment loses one line at most."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.store.writing import replacing

SIGNATURE = "connect4-arena tuning"


class State:
    """The settings and the values of all heuristics tried, kept in a file where one is named."""

    def __init__(self, path: Path | None, settings: Mapping[str, Any], values: Mapping[str, float]) -> None:
        self.path = path
        self.settings = dict(settings)
        self.values = dict(values)
        """By the heuristic's text."""

    @classmethod
    def begin(cls, path: Path | None, settings: Mapping[str, Any]) -> State:
        """Start, in a new file where one is named. Raises InputError where it exists or cannot be written."""
        if path is not None:
            try:
                with path.open("x", encoding="utf-8") as file:
                    print(json.dumps({"file": SIGNATURE, **settings}), file=file)
            except FileExistsError:
                raise InputError(f"{path} exists; --resume {path} continues it, --out names another") from None
            except OSError as error:
                raise InputError(f"{path} cannot be written: {error.strerror or error}") from None
        return cls(path, settings, {})

    @classmethod
    def of(cls, path: Path | None, settings: Mapping[str, Any]) -> State:
        """Return what a file has of a tuning with these settings, or start it. Raises InputError."""
        if path is None or not path.exists():
            return cls.begin(path, settings)
        found = cls.resume(path)
        if found.settings != json.loads(json.dumps(settings)):
            raise InputError(f"{path} holds a tuning with other settings")
        return found

    @classmethod
    def resume(cls, path: Path) -> State:
        """Return what a file has; a line that a kill cut short is taken off. Raises InputError."""
        try:
            text = path.read_text(encoding="utf-8")
            whole = text[: text.rfind("\n") + 1]
            header, *lines = map(json.loads, whole.splitlines())
            signature = header.pop("file")
            values = {str(line["heuristic"]): float(line["value"]) for line in lines if "outcome" not in line}
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
        except (AttributeError, KeyError, TypeError, ValueError):
            signature = ""
        if signature != SIGNATURE:
            raise InputError(f"{path} is no file that arena tune --out began")
        if whole != text:
            with replacing(path) as beside:
                beside.write_text(whole, encoding="utf-8")
        return cls(path, header, values)

    def add(self, heuristic: str, value: float) -> None:
        """Keep what a heuristic is worth on the training set."""
        self.values[heuristic] = value
        self._append({"heuristic": heuristic, "value": value})

    def conclude(self, outcome: Mapping[str, Any]) -> None:
        """Keep what the tuning came to; a tuning that is continued may come to more than one outcome."""
        self._append({"outcome": outcome})

    def _append(self, line: Mapping[str, Any]) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                print(json.dumps(line), file=file)
