"""What a process group takes of the machine, as Linux tells it; elsewhere nobody counts."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
COUNTED = (PROC / "self" / "stat").exists()
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def usage(group: int) -> tuple[int, int]:
    """Return how many processes and threads the group has, and the bytes of memory that they hold in all."""
    threads = pages = 0
    for entry in os.listdir(PROC) if COUNTED else ():  # noqa: PTH208  half the time of iterdir
        if entry.isdigit():
            with suppress(OSError):  # it has ended meanwhile
                with open(f"/proc/{entry}/stat", "rb") as file:  # noqa: PTH123  likewise
                    fields = file.read().rpartition(b")")[2].split()
                if int(fields[2]) == group:
                    threads += int(fields[17])
                    pages += int(fields[21])
    return threads, pages * _PAGE
