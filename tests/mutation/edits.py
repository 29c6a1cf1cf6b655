"""Small wrong edits of the code: what a node of the syntax tree can become."""

import ast

PLACES = [
    "arena/statistics",
    "arena/games",
    "arena/tournament",
    "arena/depth",
    "arena/perfect",
    "agents/players",
    "agents/specs/registry.py",
]
COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
COUNTED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}  # fmt: skip


def edits(node):  # noqa: C901  one kind of edit a branch
    """Yield what a node can become, each as a word and a function that edits it in place."""
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            yield "comparison", lambda n, place=place, op=op: n.ops.__setitem__(place, COMPARED[type(op)]())
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in COUNTED:
        yield "arithmetic", lambda n: setattr(n, "op", COUNTED[type(n.op)]())
    elif isinstance(node, ast.BoolOp):
        yield "boolean", lambda n: setattr(n, "op", ast.Or() if isinstance(n.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "sign dropped", lambda n: setattr(n, "op", ast.UAdd())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", lambda n: setattr(n, "operand", ast.UnaryOp(ast.Not(), n.operand))
    elif isinstance(node, ast.Constant) and type(node.value) in {int, float}:
        for step in (1, -1):
            yield f"constant {step:+d}", lambda n, step=step: setattr(n, "value", n.value + step)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant turned", lambda n: setattr(n, "value", not n.value)
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "return None", lambda n: setattr(n, "value", ast.Constant(None))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "statement dropped", lambda n: setattr(n, "value", ast.Constant(None))


def edited(tree, lines=range(0)):
    """Yield the nodes that are run when the program is, in their order, each with the lines of its statement.

    Annotations and decorators are left out. The lines of a statement that has a body are those above the body.
    """
    for name, value in ast.iter_fields(tree):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in {"annotation", "returns", "decorator_list"}:
                inside = lines
                if isinstance(child, ast.stmt):
                    body = getattr(child, "body", None)
                    inside = range(child.lineno, body[0].lineno if body else child.end_lineno + 1)
                yield child, inside
                yield from edited(child, inside)


def mutants(root):
    """Return every mutant of a copy of the project as (file, number of the node, number of its edit)."""
    found = []
    for place in PLACES:
        for path in sorted((root / place).rglob("[!_]*.py")) or [root / place]:
            for number, (node, _) in enumerate(edited(ast.parse(path.read_text(encoding="utf-8")))):
                found += [(str(path.relative_to(root)), number, edit) for edit, _ in enumerate(edits(node))]
    return found


def mutate(root, file, number, edit):
    """Return a module's edited source, the lines of the edited statement, and what was done there."""
    tree = ast.parse((root / file).read_text(encoding="utf-8"))
    node, lines = list(edited(tree))[number]
    before, (word, change) = ast.unparse(node), list(edits(node))[edit]
    change(node)
    return ast.unparse(tree), lines, f"{file}:{node.lineno}: {word}: {before} -> {ast.unparse(node)}"
