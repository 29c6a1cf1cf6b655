"""A search tree as text, as plain data, and as a page to walk through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from agents.board import column_text
from arena.page.page import as_json, render_template
from arena.plugins.tree.node import INFINITY, Node, Tree, worth

PRUNED = "PRUNED"


def summary(tree: Tree) -> str:
    """Return a summary of the tree in one line."""
    return f"depth {tree.depth}, {tree.nodes:,} nodes, value {worth(tree.value)}, move {column_text(tree.move)}"


def lines_of(tree: Tree, most: int) -> list[str]:
    """Return the tree as about `most` indented lines: all levels that fit, and the principal variation below them.

    * marks the principal variation; a folded node shows the number of nodes that it hides.
    """
    line = set(map(id, tree.line))
    levels = 0
    while most == 0 or sum(1 for _ in _lines(tree.root, levels + 1, line)) <= most:
        levels += 1
        if levels > tree.board.rules.columns * tree.board.rules.rows:
            break
    return list(_lines(tree.root, max(levels, 1), line))


def _lines(node: Node, levels: int, line: set[int], indent: str = "") -> Iterator[str]:
    mark = "*" if id(node) in line else " "
    folded = node.children and node.ply >= levels and id(node) not in line
    hidden = sum(inner.visited is not None for inner in node) - 1
    below = f"  … {hidden:,} node{'s' if hidden != 1 else ''} below" if folded else ""
    below += f", cut: {node.cut}" if folded and node.cut else ""
    yield f"{mark} {indent}{describe(node)}{below}"
    if folded:
        return
    for child in node.children:
        if child.visited is not None:
            yield from _lines(child, levels, line, indent + "   ")
    if node.cut:
        pruned = " ".join(column_text(column) for column in node.pruned)
        yield f"  {indent}   {PRUNED} {pruned}: {node.cut}"


def describe(node: Node) -> str:
    """Return a node as a line: its move, the side to move, the window, the value and the order of visit."""
    move = "root" if node.column is None else column_text(node.column)
    assert node.value is not None
    kind = {"over": "game over", "heuristic": "leaf", "table": "table", "": node.player}[node.leaf]
    window = f"[{worth(node.alpha)}, {worth(node.beta)}]"
    note = f"  ({node.note})" if node.note else ""
    return f"{move}  {kind}  {worth(node.value)}  {window}  #{node.visited}{note}"


def document(tree: Tree) -> dict[str, Any]:
    """Return the tree as plain data; columns count from 1, and an open bound of a window is None."""
    return {
        "agent": tree.agent,
        "position": tree.board.text,
        "depth": tree.depth,
        "nodes": tree.nodes,
        "value": tree.value,
        "move": tree.move + 1,
        "pv": [node.column + 1 for node in tree.line if node.column is not None],
        "tree": _document(tree.root),
    }


def _document(node: Node) -> dict[str, Any]:
    return {
        "column": None if node.column is None else node.column + 1,
        "player": node.player,
        "alpha": finite(node.alpha),
        "beta": finite(node.beta),
        "value": node.value,
        "visited": node.visited,
        "cut": node.cut,
        "pruned": [column + 1 for column in node.pruned],
        "leaf": node.leaf or None,
        "note": node.note or None,
        "moves": node.board.text,
        "children": [_document(child) for child in node.children],
    }


def finite(bound: int) -> int | None:
    """Return a bound of a window, None if it is open."""
    return None if abs(bound) == INFINITY else bound


MODULES = ("board.js", "keys.js", "search.js", "outline.js", "tree.js")
LEAVES = {"": "", "heuristic": "h", "over": "o", "table": "t"}
LINES = 200
"""Lines of the text that replaces the tree without JavaScript."""


def page(tree: Tree, other: Tree | None = None, *, whole: bool = True) -> str:
    """Return the page of one tree or two; `whole` makes it one file that needs no other."""
    trees = [tree] if other is None else [tree, other]
    position = tree.board.text or "the empty board"
    return render_template(
        "tree.html",
        whole=whole,
        modules=MODULES,
        title=f"What {tree.agent} searches on {position}",
        summary=summary(tree),
        trees=[{"agent": drawn.agent, "summary": summary(drawn), "nodes": drawn.nodes} for drawn in trees],
        text="\n".join(lines_of(tree, LINES)),
        data=as_json([columns(drawn) for drawn in trees]),
    )


def columns(tree: Tree) -> dict[str, Any]:
    """Return the tree as lists with an entry for each node, parents first; board columns count from 0 here."""
    nodes = list(tree.root)
    place = {id(node): number for number, node in enumerate(nodes)}
    parents = {id(child): place[id(node)] for node in nodes for child in node.children}
    return {
        "agent": tree.agent,
        "nodes": tree.nodes,
        "rules": asdict(tree.board.rules),
        "moves": list(tree.board.moves),
        "line": [place[id(node)] for node in tree.line],
        "parent": [parents.get(id(node), -1) for node in nodes],
        "column": [node.column for node in nodes],
        "visited": [node.visited or 0 for node in nodes],
        "alpha": [finite(node.alpha) for node in nodes],
        "beta": [finite(node.beta) for node in nodes],
        "value": [node.value for node in nodes],
        "leaf": [LEAVES[node.leaf] for node in nodes],
        "cut": {place[id(node)]: node.cut for node in nodes if node.cut},
        "note": {place[id(node)]: node.note for node in nodes if node.note},
    }
