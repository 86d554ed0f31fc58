"""The same function on symbolic arrays and on real ones: the path that holds at some sizes does as NumPy does."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from pytest import approx

from verifier.dims import Scope, is_dim, symbol
from verifier.dims.axes import parse_axes, sizes_of
from verifier.dims.dim import evaluate
from verifier.errors import Unsupported
from verifier.frontends import Path, explore
from verifier.frontends.numpy import SymbolicArray
from verifier.frontends.recording import current_graph
from verifier.graph.ops import Constant, Input
from verifier.graph.primitive import element_term
from verifier.graph.run import run_nodes
from verifier.prove.search import true_at
from verifier.terms.evaluate import evaluate as evaluate_term
from verifier.terms.ranges import index_name

KINDS = (IndexError, ValueError, TypeError, ZeroDivisionError)


def symbolic_run(
    function: Callable[..., Any], shapes: Sequence[str], dtypes: Sequence[Any], sizes: Sequence[str]
) -> Any:
    """The function on fresh symbolic arrays and size symbols, inside a run."""
    arrays = []
    for number, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=True)):
        extent = sizes_of(parse_axes(shape), {})
        arrays.append(SymbolicArray(current_graph().add(Input(f"x{number}", extent), dtype=dtype)))
    return function(*arrays, *map(symbol, sizes))


def paths_of(function, shapes=(), dtypes=None, sizes=(), names="n m", least=0) -> list[Path]:
    dtypes = dtypes or [np.float64] * len(shapes)
    return explore(lambda: symbolic_run(function, shapes, dtypes, sizes), Scope.of(names, least=least))


def kind_of(error: BaseException) -> type:
    return next((kind for kind in KINDS if isinstance(error, kind)), type(error))


def agree(function, shapes=(), dtypes=None, sizes=(), names="n m", least=0, highest=3, values=True) -> None:
    """Fails where NumPy and the path that holds differ in shape, element type, values or kind of exception."""
    dtypes = dtypes or [np.float64] * len(shapes)
    paths = paths_of(function, shapes, dtypes, sizes, names, least)
    for path in paths:
        assert not isinstance(path.error, Unsupported), path.error
    for numbers in itertools.product(range(least, highest + 1), repeat=len(names.split())):
        at = dict(zip(names.split(), numbers, strict=True))
        holding = [p for p in paths if all(true_at(c, at) for c in p.conditions)]
        assert len(holding) == 1, f"at {at} hold {[p.conditions for p in holding]}"
        compare(function, shapes, dtypes, sizes, at, holding[0], values)


def compare(function, shapes, dtypes, sizes, at, path, values) -> None:
    generator = np.random.default_rng(sum(at.values()))
    arrays = []
    for shape, dtype in zip(shapes, dtypes, strict=True):
        extent = [evaluate(s, at) for s in sizes_of(parse_axes(shape), {})]
        arrays.append(generator.integers(-3, 4, extent).astype(dtype))
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            expected = function(*arrays, *(at[s] for s in sizes))
    except KINDS as error:
        assert path.error is not None, f"NumPy at {at}: {type(error).__name__}: {error}; recorded {path.value}"
        assert kind_of(path.error) is kind_of(error), f"NumPy at {at}: {error!r}, recorded {path.error!r}"
        return
    assert path.error is None, f"recorded {path.error!r} at {at}, NumPy gives {np.shape(expected)}"
    check_value(path.value, expected, arrays, at, values)


def check_value(found: Any, expected: Any, arrays: Sequence[np.ndarray], at: dict[str, int], values: bool) -> None:
    if isinstance(expected, tuple):
        assert len(found) == len(expected)
        for f, e in zip(found, expected, strict=True):
            check_value(f, e, arrays, at, values)
        return
    if is_dim(found) or type(found) is int:
        assert evaluate(found, at) == expected
        return
    if type(found) is not SymbolicArray:
        np.testing.assert_array_equal(found, expected)
        return
    shape = tuple(evaluate(s, at) for s in found.shape)
    assert shape == np.shape(expected), f"recorded {found} = {shape}, NumPy {np.shape(expected)} at {at}"
    assert found.dtype == np.asarray(expected).dtype, f"recorded {found.dtype}, NumPy {np.asarray(expected).dtype}"
    if values:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            (ran,) = run_nodes([found.node], at, {f"x{i}": a for i, a in enumerate(arrays)})
        np.testing.assert_allclose(ran, expected, rtol=1e-6, atol=1e-12)
        if tuple(at.values()) in MEANT:
            check_meaning(found.node, np.asarray(expected), arrays, at)


MEANT = [(1,), (3,), (1, 1), (2, 3), (3, 2), (1, 3)]
"""Sizes at which each element's term is evaluated too; terms are of sizes of at least 1."""


def check_meaning(node: Any, expected: np.ndarray, arrays: Sequence[np.ndarray], at: dict[str, int]) -> None:
    """The term of each element has the element's value, wherever that is a finite number."""
    names = [index_name(axis + 1, "k") for axis in range(expected.ndim)]
    term = element_term(node, tuple(map(symbol, names)), dict(zip(names, node.shape, strict=True)))
    inputs = {f"x{i}": a for i, a in enumerate(arrays)}
    for constant in current_constants(node):
        inputs[constant.name] = constant.value
    for place in np.ndindex(expected.shape):
        wanted = float(expected[place])
        if np.isfinite(wanted):
            value = evaluate_term(term, at, inputs, dict(zip(names, place, strict=True)))
            assert value == approx(wanted, rel=2e-3, abs=2e-3), f"{term} is {value} and not {wanted} at {at}, {place}"


def current_constants(node: Any) -> list[Any]:
    """The real arrays that a node was made of."""
    found = [node.op] if isinstance(node.op, Constant) and type(node.op.value) is np.ndarray else []
    return found + [c for other in node.inputs for c in current_constants(other)]
