"""The functions of the claim language: what a relation may ask of a kernel, at symbolic or at concrete sizes.

At symbols they are read off the kernel's graph; at plain integers the kernel is run: shapes on real arrays,
FLOPs on a graph recorded at those sizes, moments by exact enumeration of a finite law. A relation evaluated both ways
is checked by two evaluators that share the kernel alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import numpy as np

from .. import kernels
from ..dims import Relation, Scope, Size, is_dim
from ..dims.axes import sizes_of
from ..dims.dim import evaluate, substitute, symbols_of
from ..dims.expression import holds
from ..errors import ExpressionError
from ..frontends.explorer import explore
from ..frontends.signature import Argument, symbolic_call, symbols_in
from ..graph.node import Node
from ..graph.ops import Input
from ..graph.primitive import Cost, elements
from ..prove.laws import ASSUMPTIONS, FiniteLaw
from ..prove.moments import STANDARD, Moments, expectation, variance
from ..readings import Trace, cost_of, trace
from ..readings.meaning import meaning_of
from ..terms import Term, as_term, one
from ..terms.fold import replace_entries
from ..terms.fold import substitute as substitute_term
from ..terms.term import function

Function = Callable[..., Any]
MAX_ELEMENTS = 4_000_000
"""Real arrays of more elements are not made: the graph at these sizes answers instead."""


@dataclass(frozen=True)
class Requirement:
    """A kernel returns only where this holds."""

    kernel: str
    relation: Relation


def quoting(count: int) -> Callable[[Function], Function]:
    """Marks a function of the language whose first arguments are names, not values."""

    def mark(function_: Function) -> Function:
        function_.quotes = count  # pyright: ignore[reportFunctionMemberAccess]
        return function_

    return mark


def kernel(name: str) -> Callable[..., Any]:
    """The kernel of that name.

    Raises:
        ExpressionError: there is none; the nearest name is suggested.
    """
    if name not in kernels.__all__:
        near = get_close_matches(name, kernels.__all__, 1)
        remedy = f"did you mean {near[0]}?" if near else "see `verifier kernels`"
        raise ExpressionError(f"there is no kernel {name!r}", remedy=remedy)
    return getattr(kernels, name)


class Quantities:
    """The language's functions over the sizes that a claim declares.

    `law` replaces the standard law of random inputs by a finite one, whose moments are enumerated.
    """

    def __init__(self, sizes: Mapping[str, Size], law: FiniteLaw | None = None, assumed: Collection[str] = ()) -> None:
        self.sizes = sizes
        self.law = law
        self.assumed = assumed
        self.requirements: list[Requirement] = []

    @property
    def functions(self) -> Mapping[str, Function]:
        return {
            "flops": self.flops,
            "matmul_flops": self.matmul_flops,
            "params": self.params,
            "shape": self.shape,
            "rows": self.rows,
            "columns": self.columns,
            "shape_of": self.shape_of,
            "rows_of": self.rows_of,
            "columns_of": self.columns_of,
            "shape_within": self.shape_within,
            "rows_within": self.rows_within,
            "columns_within": self.columns_within,
            "scale": self.scale,
            "mean": self.mean,
            "var": self.var,
            "std": self.std,
            "rms": self.rms,
            "mean_abs": self.mean_abs,
            "sqrt": square_root,
            "O": order_of_growth,
        }

    # -- cost and parameters ------------------------------------------------------------------

    @quoting(1)
    def flops(self, name: str, **sizes: Any) -> Any:
        """All floating-point operations of a kernel; a multiply-add is 2, any other operation 1."""
        return self._cost(name, sizes).total

    @quoting(1)
    def matmul_flops(self, name: str, **sizes: Any) -> Any:
        """FLOPs of matrix products alone."""
        return self._cost(name, sizes).matmul

    @quoting(1)
    def params(self, name: str, **sizes: Any) -> Any:
        """Learned parameters of a kernel."""
        traced, binding, _ = self._bound(name, sizes)
        total: Any = 0
        for argument in traced.arguments:
            if argument.is_parameter:
                count: Any = 1
                for extent in _input(traced, argument.name).shape:
                    count = count * substitute(extent, binding)
                total = total + count
        return total

    def _cost(self, name: str, sizes: Mapping[str, Any]) -> Cost:
        traced, binding, _ = self._bound(name, sizes)
        if all(type(v) is int for v in binding.values()):
            return _concrete_cost(traced, binding)  # pyright: ignore[reportArgumentType]
        cost = cost_of(traced)
        return Cost(substitute(cost.matmul, binding), substitute(cost.other, binding))

    # -- shapes -------------------------------------------------------------------------------

    @quoting(1)
    def shape(self, name: str, **sizes: Any) -> Any:
        """The shape of what a kernel returns (its first array)."""
        traced, binding, numbers = self._bound(name, sizes)
        if binding and all(type(v) is int for v in binding.values()):
            return real_shape(traced, binding, numbers)  # pyright: ignore[reportArgumentType]
        return tuple(substitute(extent, binding) for extent in traced.outputs[0].shape)

    @quoting(1)
    def rows(self, name: str, **sizes: Any) -> Any:
        """The last axis but one of what a kernel returns."""
        return _axis(self.shape(name, **sizes), -2)

    @quoting(1)
    def columns(self, name: str, **sizes: Any) -> Any:
        """The last axis of what a kernel returns."""
        return _axis(self.shape(name, **sizes), -1)

    @quoting(2)
    def shape_of(self, name: str, argument: str, **sizes: Any) -> Any:
        """The shape that a kernel demands of an argument."""
        traced, binding, _ = self._bound(name, sizes)
        return tuple(substitute(extent, binding) for extent in _input(traced, argument).shape)

    @quoting(2)
    def rows_of(self, name: str, argument: str, **sizes: Any) -> Any:
        """The last axis but one of an argument."""
        return _axis(self.shape_of(name, argument, **sizes), -2)

    @quoting(2)
    def columns_of(self, name: str, argument: str, **sizes: Any) -> Any:
        """The last axis of an argument."""
        return _axis(self.shape_of(name, argument, **sizes), -1)

    @quoting(2)
    def shape_within(self, name: str, inner: str, **sizes: Any) -> Any:
        """The shape of what one kernel returns inside another's run (its last call)."""
        kernel(inner)
        traced, binding, _ = self._bound(name, sizes)
        if binding and all(type(v) is int for v in binding.values()):
            made = _recorded(traced, binding).nodes  # pyright: ignore[reportArgumentType]
        else:
            made = traced.graph.nodes
        inside = [n for n in made if n.source is not None and n.source.function == inner]
        if not inside:
            raise ExpressionError(f"{name} does not call {inner}")
        return tuple(substitute(extent, binding) for extent in inside[-1].shape)

    @quoting(2)
    def rows_within(self, name: str, inner: str, **sizes: Any) -> Any:
        """The last axis but one of what one kernel returns inside another's run."""
        return _axis(self.shape_within(name, inner, **sizes), -2)

    @quoting(2)
    def columns_within(self, name: str, inner: str, **sizes: Any) -> Any:
        """The last axis of what one kernel returns inside another's run."""
        return _axis(self.shape_within(name, inner, **sizes), -1)

    @quoting(1)
    def scale(self, name: str, **sizes: Any) -> Any:
        """The factor that a kernel applies to its dot products where it is given none."""
        traced, binding, numbers = self._bound(name, sizes)
        if numbers:
            raise ExpressionError("scale() asks for the scale that a kernel has of its own", remedy=f"scale({name})")
        bare, _ = meaning_of(trace(traced.function, frozenset({"scale"})))
        scaled, ranges = meaning_of(traced)
        plain = replace_entries(bare, lambda e: one if e.array == "scale" else None, ranges)
        return substitute_term(scaled / plain, binding, {})

    # -- moments ------------------------------------------------------------------------------

    @quoting(1)
    def mean(self, name: str, **options: Any) -> Any:
        """The expectation of an element of what a kernel returns, over its random inputs."""
        return self._moment(name, options, lambda values: values[0], expectation)

    @quoting(1)
    def var(self, name: str, **options: Any) -> Any:
        """The variance of an element, over the kernel's random inputs."""
        return self._moment(name, options, lambda values: values[1] - values[0] * values[0], variance)

    @quoting(1)
    def std(self, name: str, **options: Any) -> Any:
        """The standard deviation of an element."""
        return function("sqrt", as_term(self.var(name, **options)))

    @quoting(1)
    def rms(self, name: str, **options: Any) -> Any:
        """The root of the mean square of an element."""
        square = self._moment(name, options, lambda values: values[1], lambda t, m: expectation(t * t, m))
        return function("sqrt", as_term(square))

    @quoting(1)
    def mean_abs(self, name: str, **options: Any) -> Any:
        """The mean absolute value of an element: known for a finite law alone."""
        return self._moment(name, options, lambda values: values[2], None)

    def _moment(
        self,
        name: str,
        options: Mapping[str, Any],
        from_values: Callable[[tuple[Term, Term, Term]], Term],
        calculus: Callable[[Term, Moments], Term] | None,
    ) -> Any:
        traced, binding, numbers = self._bound(name, options)
        if self.law is not None:
            return from_values(enumerated(traced, binding, numbers, self.law))  # pyright: ignore[reportArgumentType]
        missing = [name for name in ASSUMPTIONS if name not in self.assumed]
        if missing:
            raise ExpressionError(
                f"a moment of {name} needs a law of its random inputs",
                remedy=f"add to given or assume: {', '.join(repr(m) for m in missing)}",
            )
        random = [a.name for a in traced.arguments if a.kind == "array" and not a.is_parameter and not a.optional]
        term, ranges = meaning_of(traced)
        term = replace_entries(term, lambda e: as_term(numbers[e.array]) if e.array in numbers else None, ranges)
        if calculus is None:
            raise ExpressionError("the law does not fix a mean absolute value", remedy='method = "moment_fixed"')
        result = calculus(term, Moments(dict.fromkeys(random, STANDARD)))
        return substitute_term(result, binding, {})

    # -- binding ------------------------------------------------------------------------------

    def _bound(self, name: str, given: Mapping[str, Any]) -> tuple[Trace, dict[str, Size], dict[str, Any]]:
        """The kernel's trace, the value of each of its size symbols, and numbers passed as arguments."""
        function_ = kernel(name)
        plain = trace(function_)
        arguments = {a.name: a for a in plain.arguments}
        numbers = {k: v for k, v in given.items() if k in arguments and arguments[k].kind == "number"}
        unknown = [k for k in given if k not in numbers and k not in symbols_in(plain.arguments)]
        if unknown:
            known = [*symbols_in(plain.arguments), *(a for a in arguments if arguments[a].kind == "number")]
            near = get_close_matches(unknown[0], known, 1)
            raise ExpressionError(
                f"{name} has no size {unknown[0]!r}",
                remedy=f"did you mean {near[0]}?" if near else f"sizes: {', '.join(known)}",
            )
        traced = trace(function_, frozenset(numbers))
        binding: dict[str, Size] = {}
        for size in symbols_in(traced.arguments):
            value = given.get(size, self.sizes.get(size))
            if value is None:
                raise ExpressionError(f"{name} needs the size {size}", remedy=f"declare {size} or pass {size}=...")
            if type(value) is int and value < 0:
                raise ExpressionError(f"{size} = {value} is no size", remedy="a size is not negative")
            if not (is_dim(value) or type(value) is int):
                raise ExpressionError(
                    f"{size} = {value} is no whole number", remedy="pass a size, such as an assumed quotient"
                )
            if size in given and is_dim(value) and symbols_of(value) != frozenset({str(value)}):
                self.requirements.append(Requirement(f"{name} with {size} = {value}", Relation("<=", 1, value)))
            binding[size] = value
        self._require(traced, binding)
        return traced, binding, numbers

    def _require(self, traced: Trace, binding: Mapping[str, Size]) -> None:
        """Notes the conditions of the path that returns, at this binding; at numbers they must hold."""
        returning = [p for p in traced.paths if p.error is None]
        for condition in returning[0].conditions if len(returning) == 1 else ():
            bound = Relation(condition.op, *(substitute(s, binding) for s in (condition.left, condition.right)))
            if all(type(s) is int for s in (bound.left, bound.right)):
                if not holds(bound, lambda side: side):
                    sizes = ", ".join(f"{n} = {v}" for n, v in binding.items())
                    raise ExpressionError(f"{traced.name} does not return at {sizes}", remedy=f"it needs {condition}")
            else:
                self.requirements.append(Requirement(traced.name, bound))


def _axis(shape: tuple[Any, ...], place: int) -> Any:
    if len(shape) < -place:
        axes = ", ".join(map(str, shape))
        raise ExpressionError(f"[{axes}] has no {'rows' if place == -2 else 'columns'}", remedy="use shape(...)")
    return shape[place]


def square_root(x: Any) -> Any:
    """The root of a number that is not negative."""
    return function("sqrt", as_term(x))


def order_of_growth(f: Any, g: Any) -> Relation:
    """f = O(g): some multiple of g bounds f at all sizes. It is a relation of its own."""
    return Relation("O", f, g)


def _input(traced: Trace, name: str) -> Node:
    for node in traced.paths[0].graph.nodes:
        if isinstance(node.op, Input) and node.op.name == name:
            return node
    raise ExpressionError(f"{traced.name} has no array argument {name!r}")


def _recorded(traced: Trace, sizes: Mapping[str, int]) -> Any:
    """The kernel's graph recorded on plain integers."""
    scope = Scope.of(())
    paths = explore(lambda: symbolic_call(traced.function, traced.arguments, traced.present, sizes), scope)
    if paths[0].error is not None:
        raise ExpressionError(f"{traced.name} fails at {dict(sizes)}: {paths[0].error}")
    return paths[0].graph


def _concrete_cost(traced: Trace, sizes: Mapping[str, int]) -> Cost:
    graph = _recorded(traced, sizes)
    total = Cost()
    for node in graph.reaching(tuple(graph.nodes[-1:])):
        total = total + node.op.cost(node)
    return total


def real_arguments(
    arguments: Iterable[Argument], sizes: Mapping[str, int], fill: Callable[[str, tuple[int, ...]], np.ndarray]
) -> dict[str, Any]:
    """Real arrays for a function's required arguments, sizes as plain ints."""
    values: dict[str, Any] = {}
    for argument in arguments:
        if argument.axes is not None and not argument.optional:
            shape = tuple(evaluate(s, sizes) for s in sizes_of(argument.axes, sizes))
            values[argument.name] = fill(argument.name, shape).astype(argument.dtype)
        elif argument.kind == "size":
            values[argument.name] = sizes[argument.name]
    return values


def real_shape(traced: Trace, sizes: Mapping[str, int], numbers: Mapping[str, Any]) -> tuple[int, ...]:
    """The shape that the kernel returns for real arrays of these sizes, or would where they are too large to make."""
    graph = _recorded(traced, sizes)
    if any(elements(node.shape) > MAX_ELEMENTS for node in graph.nodes):
        return tuple(substitute(extent, sizes) for extent in traced.outputs[0].shape)  # pyright: ignore[reportReturnType]
    arguments = real_arguments(traced.arguments, sizes, lambda _, shape: np.ones(shape))
    try:
        with np.errstate(all="ignore"):  # only the shape is asked for
            result = traced.function(**arguments, **dict.fromkeys(numbers, 1.0))
    except (ValueError, ZeroDivisionError) as error:  # sizes of 0 have no largest entry and no scale
        fact = f"{traced.name} fails at {', '.join(f'{n} = {v}' for n, v in sizes.items())}: {error}"
        raise ExpressionError(fact, remedy="sizes of at least 1") from None
    return tuple((result[0] if isinstance(result, tuple) else result).shape)


def enumerated(
    traced: Trace, sizes: Mapping[str, int], numbers: Mapping[str, Any], law: FiniteLaw
) -> tuple[Term, Term, Term]:
    """Mean, mean square and mean absolute value of the kernel's first element over a finite law, by running it.

    The first two array arguments are the random ones. The kernel runs unscaled on whole numbers, where its
    products are exact, and the scale multiplies the exact moments.
    """
    random = [a.name for a in traced.arguments if a.kind == "array"]
    if len(random) < 2 or "d_k" not in sizes or "scale" not in {a.name for a in traced.arguments}:
        raise ExpressionError(f"{traced.name} makes no dot products of d_k entries", remedy="ask attention_scores")
    query_name, key_name = random[:2]
    width = sizes["d_k"]
    scale = as_term(numbers["scale"]) if "scale" in numbers else function("sqrt", as_term(Fraction(1, width)))
    mean = square = absolute = Fraction(0)
    for probability, query, key in law.outcomes(width):
        entries = {query_name: query, key_name: key}
        values = real_arguments(
            traced.arguments, {**sizes, "n": 1, "m": 1}, lambda name, _, entries=entries: np.array([entries[name]])
        )
        product = Fraction(float(traced.function(**values, scale=1.0).item()))
        mean += probability * product
        square += probability * product * product
        absolute += probability * abs(product)
    return scale * mean, scale * scale * square, scale * absolute
