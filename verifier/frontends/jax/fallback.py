"""A function without a rule: its shape from JAX's abstract evaluation on symbolic sizes, its values not followed."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...dims import FloorDiv, Size, is_dim, symbol
from ...dims.dim import floordiv, symbols_of, terms_of
from ...errors import NeedsConcreteSize, Unsupported
from ...graph.ops import Opaque
from ..numpy.array import unsupported
from ..numpy.lower import record
from .array import KEY, SymbolicJaxArray
from .engine import jax, tree
from .lowering import holds_symbols, is_ours, lifted
from .types import jax_types

REFUSED = frozenset({"reshape", "ravel", "resize"})
"""JAX does not check the number of elements on symbolic sizes: that is ours to prove."""


def asked(name: str, args: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """What the function of that name returns, as far as its shape goes.

    Raises:
        Unsupported: JAX cannot tell.
    """
    from .session import originals

    original = originals().get(name)
    if original is None or name.rpartition(".")[2] in REFUSED:
        raise unsupported(name)
    leaves, structure = tree.tree_flatten((args, dict(options)))
    arrays = [leaf for leaf in leaves if is_ours(leaf)]
    if any(leaf.element == KEY for leaf in arrays) or any(
        holds_symbols(v) and not is_dim(v) for v in leaves if not is_ours(v)
    ):
        raise unsupported(name)
    try:
        known = _symbols(leaves)
        described = [jax.ShapeDtypeStruct(tuple(_theirs(s, known) for s in a.shape), a.element) for a in arrays]
        plain = [_theirs(leaf, known) if is_dim(leaf) else _own(leaf) for leaf in leaves]

        def run(*given: Any) -> Any:
            rest = iter(given)
            filled = [next(rest) if is_ours(old) else new for old, new in zip(leaves, plain, strict=True)]
            positional, named = tree.tree_unflatten(structure, filled)
            return original(*positional, **named)

        result = originals()["jax.eval_shape"](run, *described)
        nodes = [lifted(a).node for a in arrays]
        ours = {str(theirs): symbol(mine) for mine, theirs in known.items()}
        return tree.tree_map(lambda leaf: _ours(name, leaf, nodes, ours), result)
    except (Unsupported, NeedsConcreteSize):
        raise
    except Exception:  # whatever JAX says of sizes that it cannot compare is no finding
        raise unsupported(name) from None


def _own(leaf: Any) -> Any:
    """JAX's own function where ours stands for it: it knows `lax.max` from others."""
    return getattr(leaf, "__wrapped__", leaf) if hasattr(leaf, "__ours__") else leaf


def _symbols(leaves: list[Any]) -> dict[str, Any]:
    """JAX's symbol for each of ours."""
    sizes = [s for leaf in leaves for s in (leaf.shape if is_ours(leaf) else (leaf,)) if is_dim(s)]
    names = sorted({n for s in sizes for n in symbols_of(s)})
    if not names:
        return {}
    spelled = [f"s{i}" for i in range(len(names))]
    return dict(zip(names, jax.export.symbolic_shape(", ".join(spelled)), strict=True))


def _theirs(size: Any, known: Mapping[str, Any]) -> Any:
    if not is_dim(size):
        return size
    total: Any = 0
    for monomial, coefficient in terms_of(size).items():
        if isinstance(coefficient, Fraction) and coefficient.denominator != 1:
            raise unsupported("a size with a fraction")
        product: Any = int(coefficient)
        for atom, power in monomial:
            if isinstance(atom, FloorDiv):
                value = _theirs(atom.numerator, known) // _theirs(atom.denominator, known)
            else:
                value = known[str(atom)]
            product = product * value**power
        total = total + product
    return total


def _ours(name: str, leaf: Any, nodes: list[Any], ours: Mapping[str, Size]) -> SymbolicJaxArray:
    extent = tuple(size_from(str(s), ours) if type(s) is not int else s for s in leaf.shape)
    with jax_types():
        op = Opaque(name.rpartition(".")[2], extent, (None,) * len(extent))
        return SymbolicJaxArray(record(op, *nodes, dtype=leaf.dtype))


def size_from(text: str, names: Mapping[str, Size]) -> Size:
    """A size as JAX prints it: `s0*s1 + floordiv(s0, 2) - 1`."""
    return _read(ast.parse(text.replace("^", "**"), mode="eval").body, names)


def _read(node: ast.expr, names: Mapping[str, Size]) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_read(node.operand, names)
    if isinstance(node, ast.BinOp):
        left, right = _read(node.left, names), _read(node.right, names)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Pow):
            return left**right
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        first, second = (_read(a, names) for a in node.args)
        if node.func.id == "floordiv":
            return floordiv(first, second)
        if node.func.id == "mod":
            return first - second * floordiv(first, second)
        if node.func.id == "max":
            return first if first >= second else second
        if node.func.id == "min":
            return first if first <= second else second
    raise unsupported(f"the size {ast.unparse(node)}")
