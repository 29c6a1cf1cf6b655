"""A search tree as a page to walk through, beside the same search with or without pruning."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from arena.measure.tree.node import Tree
from arena.report.html import as_json, render
from arena.report.tree import finite, lines_of, summary

MODULES = ("board.js", "keys.js", "search.js", "terms.js", "outline.js", "tree.js")
LEAVES = {"": "", "heuristic": "h", "over": "o", "table": "t"}
LINES = 200
"""Of the text that stands in for the tree where scripts are off."""


def page(tree: Tree, other: Tree | None = None, *, whole: bool = True) -> str:
    """Return the page; `whole` makes it one file that needs no other."""
    trees = [tree] if other is None else [tree, other]
    position = tree.board.text or "the empty board"
    return render(
        "tree.html",
        whole=whole,
        modules=MODULES,
        title=f"What {tree.agent} searches on {position}",
        summary=summary(tree),
        trees=[{"agent": each.agent, "summary": summary(each), "nodes": each.nodes} for each in trees],
        text="\n".join(lines_of(tree, LINES)),
        data=as_json([columns(each) for each in trees]),
    )


def columns(tree: Tree) -> dict[str, Any]:
    """Return the tree as columns, a place for each node, parents first; columns of the board count from 0 here."""
    nodes = list(tree.root)
    place = {id(node): number for number, node in enumerate(nodes)}
    parents = {id(child): place[id(node)] for node in nodes for child in node.children}
    kinds: dict[tuple[tuple[str, int, int, int], ...], int] = {}
    terms = []
    for node in nodes:
        kind = tuple((term.name, term.worth, term.mine, term.theirs) for term in tree.terms(node))
        terms.append(kinds.setdefault(kind, len(kinds)) if kind else -1)
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
        "terms": terms,
        "kinds": list(kinds),
    }
