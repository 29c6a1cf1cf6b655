"""Packages that add something to the project, installed for a test."""

import sys
import textwrap


def install(folder, monkeypatch, group, name, source):
    """Install a package of one file, `added_to_arena.py`, with an entry point, until the test ends."""
    (folder / "added_to_arena.py").write_text(textwrap.dedent(source))
    info = folder / "added_to_arena-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: added-to-arena\nVersion: 1.0\n")
    value = "added_to_arena" if group == "plugins" else f"added_to_arena:{name}"
    (info / "entry_points.txt").write_text(f"[connect4_arena.{group}]\n{name} = {value}\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "added_to_arena", raising=False)
