"""The handful of Python's own calls and operators that insist on numbers, rewritten to ask a stand-in first.

Line for line: on plain values each is what it was.
"""

from __future__ import annotations

import ast
from typing import Any, cast

from ..frontends import summary
from . import conversions, lookups, operators, swallowing
from .whole_numbers import computes_whole_numbers

CALLS = frozenset(
    [
        "float",
        "int",
        "len",
        "range",
        "round",
        "list",
        "sum",
        "hash",
        "type",
        "isinstance",
        "set",
        "frozenset",
        "hasattr",
        "getattr",
        "suppress",
        "id",
    ]
)
CALL_NAME, ITEM_NAME, RETURN_NAME = "__verifier_call__", "__verifier_item__", "__verifier_return__"
UPDATE_NAME, ATTRIBUTE_NAME, ANSWER_NAME = "__verifier_update__", "__verifier_attribute__", "__verifier_answer__"
HELPERS = {
    CALL_NAME: conversions.call,
    ITEM_NAME: conversions.item,
    RETURN_NAME: conversions.returned,
    UPDATE_NAME: conversions.update,
    ATTRIBUTE_NAME: operators.attribute,
    ANSWER_NAME: operators.answered,
    "__verifier_in__": lookups.contains,
    "__verifier_not_in__": lookups.lacks,
    "__verifier_set__": lookups.set_of,
    "__verifier_dict__": lookups.mapping_of,
    "__verifier_key__": lookups.key_in,
    "__verifier_is__": lookups.same_object,
    "__verifier_is_not__": lookups.other_object,
    "__verifier_subject__": lookups.subject_of,
    "__verifier_caught__": swallowing.caught,
    "__verifier_uncached__": swallowing.uncached,
    "__verifier_summed__": summary.summed,
}
"""What the rewritten code calls."""


class Rewriting(ast.NodeTransformer):
    """Rewrites calls of `CALLS` and subscripts inside function bodies; annotations stay."""

    def __init__(self) -> None:
        self.depth = 0

    def _function(self, node: Any) -> Any:
        self.depth += 1
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        if any("cache" in ast.unparse(d).split("(")[0] for d in decorators):
            decorators.insert(0, ast.copy_location(ast.Name("__verifier_uncached__", ast.Load()), decorators[0]))
        if isinstance(node, ast.FunctionDef) and computes_whole_numbers(node):
            decorators.append(ast.copy_location(ast.Name("__verifier_summed__", ast.Load()), node))
        node.body = [self.visit(s) for s in node.body] if isinstance(node.body, list) else self.visit(node.body)
        self.depth -= 1
        if getattr(node, "name", "") in ("__exit__", "__aexit__"):
            node.body.insert(0, _caught(node.body[0]))  # a context manager that passes over errors is a handler
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _function  # noqa: N815  ast's names

    def visit_Return(self, node: ast.Return) -> Any:
        """What is returned passes by `conversions.returned`, so that a finding can name the line."""
        self.generic_visit(node)
        if node.value is None:
            return node
        call = ast.Call(ast.Name(RETURN_NAME, ast.Load()), [node.value], [])
        node.value = ast.fix_missing_locations(ast.copy_location(call, node.value))
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """`y[key] += v`: a part of a stand-in is taken, changed and put back."""
        self.generic_visit(node)
        target = node.target
        if not self.depth or not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
            return node
        array = ast.Name(target.value.id, ast.Load())
        operation = ast.Constant(type(node.op).__name__)
        call = ast.Call(ast.Name(UPDATE_NAME, ast.Load()), [array, _key(target.slice), operation, node.value], [])
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(ast.copy_location(call, node)), node))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if (self.depth and isinstance(node.func, ast.Name) and node.func.id in CALLS) or (
            self.depth and _is_attribute_call(node.func)
        ):
            helper = ast.copy_location(ast.Name(CALL_NAME, ast.Load()), node.func)
            node.args = [node.func, *node.args]
            node.func = helper
        elif self.depth:
            return _instead(node, ANSWER_NAME, [node])
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        """What a call answers is let go where it is a statement."""
        self.generic_visit(node)
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == ANSWER_NAME:
            node.value = call.args[0]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """`(3).__eq__` is a method that knows no sizes."""
        self.generic_visit(node)
        if not self.depth or not isinstance(node.ctx, ast.Load) or node.attr not in operators.NAMES:
            return node
        return _instead(node, ATTRIBUTE_NAME, [node.value, ast.Constant(node.attr)])

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        """What only a stand-in raises is not for the code under test to catch."""
        self.generic_visit(node)
        node.body.insert(0, _caught(node.body[0]))
        return node

    def visit_Try(self, node: ast.Try) -> Any:
        self.generic_visit(node)
        if node.finalbody:
            node.finalbody.insert(0, _caught(node.finalbody[0]))
        return node

    def visit_TryStar(self, node: ast.TryStar) -> Any:
        return self.visit_Try(cast("ast.Try", node))

    def visit_Match(self, node: ast.Match) -> Any:
        self.generic_visit(node)
        node.subject = _instead(node.subject, "__verifier_subject__", [node.subject])
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        """`n in {1, 2}` asks whether n is one of them."""
        self.generic_visit(node)
        name = COMPARISONS.get(type(node.ops[0]))
        if not self.depth or len(node.ops) != 1 or name is None or _is_none(node.comparators[0]):
            return node
        return _instead(node, name, [node.left, node.comparators[0]])

    def visit_Set(self, node: ast.Set) -> Any:
        self.generic_visit(node)
        if not self.depth:
            return node
        return _instead(node, "__verifier_set__", [ast.List(node.elts, ast.Load())])

    def visit_Dict(self, node: ast.Dict) -> Any:
        self.generic_visit(node)
        if not self.depth or (node.keys and all(isinstance(k, ast.Constant) for k in node.keys)):
            return node
        pairs: list[ast.expr] = [
            ast.Tuple([k, v], ast.Load())
            if k is not None
            else ast.Starred(ast.Call(ast.Attribute(v, "items", ast.Load()), [], []), ast.Load())
            for k, v in zip(node.keys, node.values, strict=True)
        ]
        return _instead(node, "__verifier_dict__", [ast.List(pairs, ast.Load())])

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if self.depth and isinstance(node.ctx, ast.Store) and _is_name_for_key(node):
            node.slice = _instead(node.slice, "__verifier_key__", [_read_again(node.value), node.slice])
            return node
        if not self.depth or not isinstance(node.ctx, ast.Load):
            return node
        call = ast.Call(ast.Name(ITEM_NAME, ast.Load()), [node.value, _key(node.slice)], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.In: "__verifier_in__",
    ast.NotIn: "__verifier_not_in__",
    ast.Is: "__verifier_is__",
    ast.IsNot: "__verifier_is_not__",
}


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _caught(before: ast.stmt) -> ast.stmt:
    call = ast.Expr(ast.Call(ast.Name("__verifier_caught__", ast.Load()), [], []))
    return ast.fix_missing_locations(ast.copy_location(call, before))


def _instead(node: ast.expr, name: str, args: list[ast.expr]) -> ast.Call:
    call = ast.Call(ast.Name(name, ast.Load()), args, [])
    return ast.fix_missing_locations(ast.copy_location(call, node))


def _is_name_for_key(node: ast.Subscript) -> bool:
    """`cache[key] = value`, where reading `cache` twice does nothing and the key is no slice."""
    return isinstance(node.value, ast.Name) and isinstance(node.slice, (ast.Name, ast.Attribute, ast.Call))


def _read_again(node: ast.expr) -> ast.expr:
    assert isinstance(node, ast.Name)
    return ast.Name(node.id, ast.Load())


MATH = frozenset(
    f"math.{name}" for name in ("sqrt", "log", "exp", "pow", "log2", "sin", "cos", "ceil", "floor", "prod")
)


RANDOM = frozenset(
    ["normal", "standard_normal", "random", "uniform", "integers", "permutation", "choice", "binomial", "exponential"]
)
"""Methods of NumPy's generators, whose compiled code trusts what passes for an int."""


JOINING = frozenset(f.__name__ for f in conversions.JOINING)


def _is_attribute_call(node: ast.expr) -> bool:
    named = RANDOM | JOINING | lookups.METHODS | lookups.ALGEBRA | {"suppress"}
    return isinstance(node, ast.Attribute) and (_dotted(node) in MATH or node.attr in named)


def _dotted(node: ast.Attribute) -> str:
    return f"{node.value.id}.{node.attr}" if isinstance(node.value, ast.Name) else ""


def _key(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Slice):
        parts = [p if p is not None else ast.Constant(None) for p in (node.lower, node.upper, node.step)]
        return ast.Call(ast.Name("slice", ast.Load()), parts, [])
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_key(e) for e in node.elts], ast.Load())
    return node
