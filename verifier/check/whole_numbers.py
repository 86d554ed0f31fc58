"""Which functions compute a whole number from their arguments and do nothing else, as far as their text says."""

from __future__ import annotations

import ast
import builtins

CALLS = frozenset({"min", "max", "abs", "int", "range", "divmod"})
STATEMENTS = (
    *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.While, ast.For, ast.If, ast.Return, ast.Expr),
    *(ast.Pass, ast.Break, ast.Continue),
)
EXPRESSIONS = (
    *(ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
)


def computes_whole_numbers(node: ast.FunctionDef) -> bool:
    r"""Whether a function only calculates with its arguments and its own variables, and branches on the way.

    Called with whole numbers it returns the same each time, and leaves nothing behind.

    >>> text = "def f(d):\n    n = 1\n    while d % (2 * n) == 0:\n        n *= 2\n    return n"
    >>> computes_whole_numbers(ast.parse(text).body[0])
    True
    """
    args = node.args
    if node.decorator_list or args.vararg or args.kwarg or args.kwonlyargs or not args.args + args.posonlyargs:
        return False
    own = {a.arg for a in (*args.posonlyargs, *args.args)}
    parts = [p for s in node.body if not _is_text(s) for p in ast.walk(s)]
    annotations = {id(n) for p in parts if isinstance(p, ast.AnnAssign) for n in ast.walk(p.annotation)}
    parts = [p for p in parts if id(p) not in annotations]
    own |= {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store)}
    branches = any(isinstance(p, (ast.While, ast.If, ast.IfExp)) for p in parts)
    return branches and all(_is_plain(p, own) for p in parts)


def _is_plain(part: ast.AST, own: set[str]) -> bool:
    if isinstance(part, ast.Name):
        return part.id in own or (part.id in CALLS and hasattr(builtins, part.id))
    if isinstance(part, ast.Call):
        return isinstance(part.func, ast.Name) and part.func.id in CALLS - own and not part.keywords
    if isinstance(part, ast.Constant):
        return part.value is None or type(part.value) in (int, bool, float)
    return isinstance(part, (*STATEMENTS, *EXPRESSIONS))


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
