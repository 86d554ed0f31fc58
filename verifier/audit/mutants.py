"""Mutants of a relation: small changes that a proof must not survive.

A coefficient is changed, two sizes change places, a root is dropped, a comparison is shifted by one. A mutant with
the same values at all sizes is no mutant (n·m is m·n) and is left out by evaluation, not by a list.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping

from ..dims.expression import parse

SWAPS = (("n", "m"), ("d_k", "d_v"), ("h", "d_k"), ("d_model", "d_k"))
MAX_MUTANTS = 12


def mutants_of(text: str) -> list[str]:
    """Relations that differ from this one in one place."""
    tree = parse(text).tree
    found = dict.fromkeys(ast.unparse(t) for t in _mutations(tree))
    found.pop(ast.unparse(tree), None)
    return list(found)[:MAX_MUTANTS]


def array_mutants(text: str, arrays: Mapping[str, str], method: str) -> list[str]:
    """Relations of arrays that differ from this one in one place.

    One side is doubled or grows by 1, arrays declared alike change places on one side, a transposition is dropped, a
    number grows by 1; an order is turned round.
    """
    tree = parse(text).tree
    if not isinstance(tree, ast.Compare) or isinstance(tree.ops[0], ast.NotEq):
        return []
    found = dict.fromkeys(ast.unparse(t) for t in _array_mutations(tree, arrays, method))
    found.pop(ast.unparse(tree), None)
    return list(found)[:MAX_MUTANTS]


TURNED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.LtE: ast.Gt,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
}


def _array_mutations(tree: ast.Compare, arrays: Mapping[str, str], method: str) -> Iterator[ast.expr]:
    if method == "rank":
        yield ast.Compare(tree.left, tree.ops, [ast.BinOp(tree.comparators[0], ast.Sub(), ast.Constant(1))])
        return
    turned = TURNED.get(type(tree.ops[0]))
    if turned is not None:
        yield ast.Compare(tree.left, [turned()], tree.comparators)
        return
    for name, number in (("times", 2), ("add", 1)):
        grown = ast.Call(ast.Name(name, ast.Load()), [tree.comparators[0], ast.Constant(number)], [])
        yield ast.Compare(tree.left, tree.ops, [grown])
    if method == "limit":
        return
    for path, node in _walk(tree):
        if not path or path[0][0] != "left":
            continue
        if isinstance(node, ast.Name) and node.id in arrays:
            for other, declared in arrays.items():
                if other != node.id and declared == arrays[node.id]:
                    yield _replaced(tree, path, ast.Name(other, ast.Load()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "transpose":
            yield _replaced(tree, path, node.args[0])
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield _replaced(tree, path, ast.Constant(node.value + 1))


def _mutations(tree: ast.expr) -> Iterator[ast.expr]:
    if isinstance(tree, ast.Compare) and not isinstance(tree.left, ast.Tuple):
        shifted = copy.deepcopy(tree)
        side = shifted.comparators[0]
        if not isinstance(side, ast.Tuple) and isinstance(tree.ops[0], ast.Eq) and not _is_shape(tree.left):
            shifted.comparators[0] = ast.BinOp(side, ast.Add(), ast.Constant(1))
            yield shifted
    for path, node in _walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield _replaced(tree, path, ast.Constant(node.value + 1))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sqrt":
            yield _replaced(tree, path, node.args[0])
        if isinstance(node, ast.Name):
            for a, b in SWAPS:
                if node.id in (a, b):
                    yield _replaced(tree, path, ast.Name(b if node.id == a else a, ast.Load()))


def _is_shape(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith("shape")
    )


Step = tuple[str, int | None]


def _walk(node: ast.AST, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], ast.AST]]:
    """Every node with the way to it; the functions' and kernels' names are left alone."""
    yield path, node
    for name, value in ast.iter_fields(node):
        if isinstance(node, ast.Call) and name == "func":
            continue
        if isinstance(value, ast.AST):
            yield from _walk(value, (*path, (name, None)))
        elif isinstance(value, list):
            for i, item in enumerate(value):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
                if isinstance(item, ast.AST):
                    yield from _walk(item, (*path, (name, i)))


def _replaced(tree: ast.expr, path: tuple[Step, ...], new: ast.AST) -> ast.expr:
    if not path:
        return new  # pyright: ignore[reportReturnType]
    result = copy.deepcopy(tree)
    node: ast.AST = result
    for name, index in path[:-1]:
        node = getattr(node, name) if index is None else getattr(node, name)[index]
    name, index = path[-1]
    if index is None:
        setattr(node, name, new)
    else:
        getattr(node, name)[index] = new
    return result
