"""Array expressions of claims: kernels and plain operations, on symbolic arrays and on real ones.

`concatenate_heads(project_heads(x, W)) == output_projection(x, concatenate_heads(W))` is evaluated twice: on
symbolic arrays, whose elements become terms, and on real arrays, where it must hold or fail as the terms say.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice
from math import prod
from typing import Any

import numpy as np

from .. import kernels
from ..dims import Scope, Size
from ..dims.axes import parse_axes, sizes_of
from ..dims.dim import evaluate
from ..dims.expression import COMPARISON, Expression, parse
from ..errors import ExpressionError, VerifierError
from ..frontends.explorer import explore
from ..frontends.numpy.array import SymbolicArray
from ..frontends.numpy.lower import lift
from ..frontends.recording import current_graph
from ..frontends.signature import arguments_of
from ..graph.node import Node
from ..graph.ops import Input
from ..graph.primitive import element_term
from ..prove.facts import Facts
from ..prove.nonzero import Known, never_zero
from ..prove.same import without_known_indicators
from ..prove.search import models
from ..readings.divisors import above_zero_by_construction, divisors
from ..readings.meaning import indices_of
from .array_functions import PLAIN
from .context import ARRAY_KINDS, Context

SEED = 20170612
MAX_ELEMENTS = 1_000_000
"""Claims are tried on small arrays: what is larger has its sizes written as numbers."""
SMALL = 40
"""Smallest sizes at which both sides are run on real arrays."""
PRIMES = ((2, 3, 5, 7, 11, 13, 17, 19), (3, 2, 7, 5, 2, 3, 5, 2), (5, 4, 3, 2, 3, 2, 4, 3))
"""Sizes without coincidences, for the free symbols in turn."""
PLACES = (1, 0, 2)
"""Places without coincidences, for the free indices in turn."""
TOLERANCE = 1e-9


def functions() -> Mapping[str, Callable[..., Any]]:
    """Everything that an array expression may call."""
    return {**{name: _taking_numbers(getattr(kernels, name)) for name in kernels.__all__}, **_PLAIN}


@lru_cache(maxsize=256)
def _taking_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel with whole numbers taken where it wants a real one, and fractions as floats everywhere."""
    real = [i for i, a in enumerate(arguments_of(function)) if a.kind == "number"]

    def call(*args: Any) -> Any:
        return function(
            *(float(a) if type(a) is Fraction or (i in real and type(a) is int) else a for i, a in enumerate(args))
        )

    return call


def _taking_fractions(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: function(*(float(a) if type(a) is Fraction else a for a in args))


_PLAIN = {name: _taking_fractions(function) for name, function in PLAIN.items()}


def _real(value: Any) -> np.ndarray:
    return np.asarray(float(value) if type(value) is Fraction else value)


@dataclass(frozen=True)
class Declared:
    """An array of a claim: its axes, and what it holds."""

    name: str
    axes: str
    kind: str = "float"

    @classmethod
    def of(cls, name: str, text: str) -> Declared:
        """`"n d_model"`, `"bool n m"`, `"positive m"`, `"permutation n"`, `"invertible d d"`, `"index m"` (a place).

        Raises:
            VerifierError: axes that are none, or have no size.
        """
        kind, _, rest = text.partition(" ")
        declared = cls(name, rest, kind) if kind in ARRAY_KINDS else cls(name, text)
        axes = parse_axes(declared.axes)
        for axis in axes:
            if axis.kind in ("variadic", "anonymous") or axis.size < 0:
                raise VerifierError(f"the axis {axis.text} of {name} has no size", remedy="name every axis")
        if declared.kind in ("permutation", "index") and len(axes) != 1:
            raise VerifierError(f"the {kind} {name} has {len(axes)} axes", remedy=f'{name} = "{kind} n"')
        if declared.kind == "invertible" and (len(axes) != 2 or axes[0].text != axes[1].text):
            raise VerifierError(f"the invertible {name} is no square matrix", remedy=f'{name} = "invertible d d"')
        return declared

    def shape(self, sizes: Mapping[str, Size]) -> tuple[Size, ...]:
        return sizes_of(parse_axes(self.axes), sizes)

    @property
    def dtype(self) -> type:
        return {"bool": np.bool_, "mask": np.bool_, "permutation": np.int64}.get(self.kind, np.float64)

    def symbolic(self, sizes: Mapping[str, Size]) -> SymbolicArray:
        """A fresh input of the graph that is being recorded."""
        op = Input(self.name, self.shape(sizes), permutes=self.kind == "permutation")
        return SymbolicArray(current_graph().add(op, dtype=self.dtype))

    def real(self, sizes: Mapping[str, int], random: np.random.Generator) -> np.ndarray:
        """Quarters between -1 and 1, so that sums are exact; random truth values; a random permutation."""
        shape = tuple(evaluate(s, sizes) for s in self.shape(sizes))
        if prod(shape) > MAX_ELEMENTS:
            raise VerifierError(f"{self.name} is too large to try: {list(shape)}", remedy="name its axes")
        if self.kind == "permutation":
            return random.permutation(shape[0])
        if self.kind in ("bool", "mask"):
            mask = random.random(shape) < 0.6
            if self.kind == "mask" and mask.ndim:  # every row sees a key
                mask[..., 0] |= ~mask.any(axis=-1)
            return mask
        if self.kind == "invertible":  # triangular factors with ones on the diagonal
            lower, upper = (np.tril(random.integers(-1, 2, shape), -1) + np.eye(shape[0]) for _ in range(2))
            return lower @ upper.T
        if self.kind == "positive":
            return random.integers(1, 9, shape) / 4.0
        return random.integers(-4, 5, shape) / 4.0

    def restored(self, values: Any) -> np.ndarray:
        """The array that a report holds as nested lists."""
        return np.asarray(values, dtype=self.dtype)


@dataclass(frozen=True)
class Comparison:
    """A relation of two array expressions, with the arrays and sizes that it speaks of."""

    op: str
    left: Expression
    right: Expression
    arrays: Mapping[str, Declared]
    scope: Scope

    @classmethod
    def of(cls, text: str, context: Context) -> Comparison:
        """The relation in the terms of a claim.

        Raises:
            ExpressionError: it is no comparison, or speaks of an array or a size that is not declared.
        """
        tree = parse(text).tree
        if not (isinstance(tree, ast.Compare) and len(tree.ops) == 1):
            raise ExpressionError(f"{text!r} is no relation of arrays", remedy="write left == right")
        left, right = (Expression(ast.unparse(t), t) for t in (tree.left, tree.comparators[0]))
        declared = {name: Declared.of(name, axes) for name, axes in context.claim.arrays.items()}
        names = left.names | right.names
        names = names.union(*(parse(p.relation).names for p in context.premises if p.relation))
        used = {n: a for n, a in declared.items() if n in names}
        if not used and not parse(text).functions:
            raise ExpressionError(f"{text!r} speaks of no array", remedy='declare it: arrays = { x = "n d_model" }')
        return cls(COMPARISON[type(tree.ops[0])], left, right, used, _scope(context, used, names))

    @property
    def ranges(self) -> dict[str, Size]:
        """The declared indices, each with the size that it runs over, from 0."""
        return {n: a.shape(self.scope.names)[0] for n, a in self.arrays.items() if a.kind == "index"}

    @property
    def as_json(self) -> dict[str, Any]:
        """Everything needed to evaluate it again."""
        return {
            "op": self.op,
            "left": self.left.text,
            "right": self.right.text,
            "arrays": {n: f"{a.kind} {a.axes}" if a.kind != "float" else a.axes for n, a in self.arrays.items()},
            "sizes": dict(self.scope.least),
            "assumptions": [a.text for a in self.scope.assumptions],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Comparison:
        """What `as_json` wrote."""
        scope = Scope(dict(data["sizes"]))
        for text in data["assumptions"]:
            scope = scope.assuming(str(text))
        arrays = {n: Declared.of(n, axes) for n, axes in data["arrays"].items()}
        return cls(str(data["op"]), parse(data["left"]), parse(data["right"]), arrays, scope)

    @cached_property
    def nodes(self) -> tuple[Node, Node]:
        """Both sides on symbolic arrays, on the one path that returns.

        Raises:
            VerifierError: they fail, or take different ways at different sizes.
        """

        def run() -> tuple[Node, Node]:
            names = self._names
            inputs = {n: a.symbolic(names) for n, a in self.arrays.items() if a.kind != "index"}
            values = {**names, **inputs}
            return side(self.left, values, lift).node, side(self.right, values, lift).node

        paths = explore(run, self.scope)
        returning = [p for p in paths if p.error is None]
        if len(returning) != 1:
            why = next((str(p.error) for p in paths if p.error is not None), "it takes several ways")
            raise VerifierError(f"{self.left.text} does not run at all sizes: {why}", remedy="add an assumption")
        return returning[0].value

    @property
    def _names(self) -> dict[str, Size]:
        """The sizes and places as symbols; or as the number that a premise says: an axis of one place has one index."""
        known = {n: v for n, v in Facts.of(self.scope).solved.items() if type(v) is int}
        return {n: known.get(n, symbol) for n, symbol in self.scope.names.items()}

    def at(self, sizes: Mapping[str, int], inputs: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
        """Both sides on real arrays."""
        values = {**sizes, **inputs}
        return side(self.left, values, _real), side(self.right, values, _real)

    def drawn(self, small: int = SMALL) -> Iterator[tuple[dict[str, int], dict[str, np.ndarray]]]:
        """Small sizes and sizes without coincidences, with random inputs at each."""
        random = np.random.default_rng(SEED)
        for sizes in (*islice(models(self.scope), small), *self._uneven()):
            yield sizes, {n: a.real(sizes, random) for n, a in self.arrays.items() if a.kind != "index"}

    def _uneven(self) -> Iterable[dict[str, int]]:
        facts = Facts.of(self.scope)
        free = [n for n in self.scope.least if n not in facts.solved]
        indices = [n for n in free if n in self.ranges]
        for primes in PRIMES:
            # Indices small, so that the sizes are; where a premise does not let them, as large as sizes.
            apart = dict(zip(indices, PLACES, strict=False))
            apart |= dict(zip([n for n in free if n not in apart], primes, strict=False))
            for values in (apart, dict(zip(free, primes, strict=False))):
                scope = self.scope
                for name, value in values.items():
                    scope = scope.assuming(f"{name} == {value}")
                found = next(models(scope), None)
                if found is not None:
                    yield found
                    break


def side(expression: Expression, values: Mapping[str, Any], wrap: Callable[[Any], Any]) -> Any:
    """One side of a comparison; of several results the first."""
    result = expression.value(values, functions())
    return wrap(result[0] if isinstance(result, tuple) else result)


def _scope(context: Context, used: Mapping[str, Declared], names: frozenset[str]) -> Scope:
    """The sizes that the arrays introduce, those that the relation and its premises name, and the premises."""
    found = {s: None for a in used.values() for axis in parse_axes(a.axes) for s in axis.symbols}
    premises = [p for p in context.premises if p.relation]
    mentioned = names.union(*(parse(p.relation).names for p in premises))
    found.update((n, None) for n in context.claim.sizes if n in mentioned)
    scope = Scope.of(found)
    for name, array in used.items():
        if array.kind == "index":
            scope = scope.declaring([name], least=0).assuming(f"{name} < {array.axes}")
    for premise in premises:
        if parse(premise.relation).names <= scope.least.keys():
            scope = scope.assuming(premise.relation, premise.name)
    return scope


def compare_on_arrays(comparison: Comparison, holds: Callable[[Any, Any], Any] | None = None) -> dict[str, Any] | None:
    """The smallest sizes tried at which the relation fails on real arrays, with the values; None where none was found.

    Without `holds`, the relation is equality up to rounding.
    """
    for sizes, inputs in comparison.drawn():
        found = failure(comparison, sizes, inputs, holds)
        if found is not None:
            return found
    return None


def differs_without_coincidences(text: str, context: Context) -> bool:
    """Whether two sides of one shape differ on real arrays at pairwise different sizes."""
    comparison = Comparison.of(text, context)
    return any(
        (found := failure(comparison, sizes, inputs, None)) is not None and "error" not in found
        for sizes, inputs in comparison.drawn(small=0)
    )


def close(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Equal up to rounding, which is relative to the largest elements: they are what was rounded."""
    largest = max((float(np.max(np.abs(a[np.isfinite(a)]), initial=0.0)) for a in (left, right)), default=0.0)
    return np.isclose(left, right, rtol=TOLERANCE, atol=TOLERANCE * max(1.0, largest))


def undefined(comparison: Comparison) -> str | None:
    """A divisor of either side that is not shown to differ from 0: an identity says nothing where it is 0."""
    facts = Facts.of(comparison.scope)
    positive = frozenset(n for n, a in comparison.arrays.items() if a.kind == "positive")
    seeing = frozenset(n for n, a in comparison.arrays.items() if a.kind == "mask")
    known = Known(facts, comparison.ranges, positive, seeing)
    for below, node in divisors(comparison.nodes):
        if above_zero_by_construction(below, known):
            continue
        index, ranges = indices_of(below.shape)
        term = without_known_indicators(element_term(below, index, dict(ranges)), facts)
        if not never_zero(term, Known(facts, {**ranges, **comparison.ranges}, positive, seeing)):
            where = f" ({node.source.text})" if node.source else ""
            return f"it divides by {term}, which is not shown to differ from 0{where}"
    return None


def failure(
    comparison: Comparison, sizes: Mapping[str, int], inputs: Mapping[str, Any], holds: Callable[[Any, Any], Any] | None
) -> dict[str, Any] | None:
    """What is wrong with the relation on these arrays, or None."""
    arrays = {n: np.asarray(v).tolist() for n, v in inputs.items()}
    try:
        with np.errstate(all="ignore"):
            left, right = comparison.at(sizes, inputs)
    except (ValueError, IndexError) as error:
        return {"sizes": dict(sizes), "arrays": arrays, "error": str(error).splitlines()[0]}
    if left.shape != right.shape and left.shape and right.shape:
        shapes = (f"shape {list(s)}" for s in (left.shape, right.shape))
        return {"sizes": dict(sizes), "arrays": arrays, **dict(zip(("left", "right"), shapes, strict=True))}
    left, right = np.broadcast_arrays(left, right)
    good = close(left, right) if holds is None else holds(left, right)
    if np.all(good):
        return None
    place = np.unravel_index(int(np.argmin(good)), left.shape)
    return {
        "sizes": dict(sizes),
        "arrays": arrays,
        "at": [int(i) for i in place],
        "left": f"{float(left[place]):.6g}",
        "right": f"{float(right[place]):.6g}",
    }
