"""What process groups take of the machine, as Linux tells it; elsewhere nobody counts."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
COUNTED = (PROC / "self" / "stat").exists()
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def usage(groups: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return for each group how many processes and threads it has, and the bytes of memory that they hold in all."""
    found = dict.fromkeys(groups, (0, 0))
    for entry in os.listdir(PROC) if COUNTED else ():  # noqa: PTH208  half the time of iterdir
        if entry.isdigit():
            with suppress(OSError, IndexError):  # it has ended meanwhile
                with open(f"/proc/{entry}/stat", "rb") as file:  # noqa: PTH123  likewise
                    fields = file.read().rpartition(b")")[2].split()
                if (group := int(fields[2])) in found:
                    threads, memory = found[group]
                    found[group] = threads + int(fields[17]), memory + int(fields[21]) * _PAGE
    return found
