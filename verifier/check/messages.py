"""Where a text of a size only goes into a message, and so decides nothing."""

from __future__ import annotations

import ast

from ..frontends.watching import Span

LOGGING = frozenset(["print", "warn", "debug", "info", "warning", "error", "critical", "exception", "log"])


def messages_of(tree: ast.Module) -> list[Span]:
    """Where a text only goes into a message: what is raised, an assert's text, what is printed or logged.

    Where a handler looks at what it caught, what is raised is no mere message.
    """
    looks = any(isinstance(n, ast.ExceptHandler) and n.name and _looks(n) for n in ast.walk(tree))
    reads_back = {"catch_warnings", "StringIO", "redirect_stdout", "redirect_stderr"} & {
        getattr(n, "attr", getattr(n, "id", "")) for n in ast.walk(tree)
    }
    found: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None and not looks:
            found.append(node.exc)
        elif isinstance(node, ast.Assert) and node.msg is not None and not looks:
            found.append(node.msg)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not reads_back:
            callee = node.value.func
            name = callee.id if isinstance(callee, ast.Name) else getattr(callee, "attr", "")
            if name in LOGGING and not any(k.arg == "file" for k in node.value.keywords):
                found.append(node.value)
    return [(n.lineno, n.col_offset, n.end_lineno or n.lineno, n.end_col_offset or 0) for n in found]


def _looks(handler: ast.ExceptHandler) -> bool:
    raised = {id(n) for r in ast.walk(handler) if isinstance(r, ast.Raise) for n in ast.walk(r)}
    return any(isinstance(n, ast.Name) and n.id == handler.name and id(n) not in raised for n in ast.walk(handler))
