"""A relation of array expressions on real arrays without rounding: the second evaluator of identities.

The kernels themselves run, on NumPy's arrays of numbers of two kinds: `Residue`, modulo a random prime with random
inputs of 40 bits, for equality; `Exact`, for order. Nothing of the graph, the terms or their normal form is used.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from jaxtyping import config

from .. import kernels
from ..dims.expression import Expression
from ..errors import VerifierError
from ..prove.exact import Exact, Inexact
from ..prove.residue import INPUT_BITS, RANDOM, Residue, field
from ..prove.term_text import TermText
from .array_functions import PLAIN
from .arrays import Comparison, Declared

COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
RUNS = 4
"""Sizes at which a certificate is run, the ones without coincidences among them."""
SMALL = 12
"""Smallest sizes among which the others are taken."""
LARGEST = {Exact: 120, Residue: 1_500}
"""Elements of all arrays together: such numbers are slow, and sums of exponentials grow."""
ROUNDED = 2**20
"""A float with a larger denominator comes from rounding."""
STEPS = 2_000
"""Additions that the sums of a certificate's term may take: at larger sizes it is not evaluated."""


PLACES = 1
"""Random elements at which a certificate's term is evaluated, at each of the sizes."""


@dataclass(frozen=True)
class Replay:
    """What a run without rounding has shown."""

    numbers: type
    sizes: tuple[Mapping[str, int], ...]

    @property
    def shows(self) -> str:
        """In the words of `verifier recheck`."""
        if self.numbers is Exact:
            return "run in exact arithmetic at several sizes, on drawn arrays"
        return f"run modulo a random prime at several sizes, on random arrays of {INPUT_BITS}-bit numbers"


def run_exactly(comparison: Comparison, term: str | None = None) -> Replay | None:
    """At which sizes the relation holds; of `!=`, whose witness is an identity, the identity is run.

    The term, where one is given, is what an element of the left side is said to be, or the difference of an order.
    None where the sides are made of other functions than exp and roots.

    Raises:
        VerifierError: they differ, or the term is another.
    """
    kinds = (Residue, Exact) if comparison.op in ("==", "!=") else (Exact,)
    text = None if term is None else TermText(term)
    for kind in kinds:
        done: list[Mapping[str, int]] = []
        for sizes, inputs in _drawn(comparison, kind):
            try:
                _hold(comparison, sizes, inputs, kind, text)
            except (Inexact, TypeError):  # NumPy's own word for a function that objects do not have
                if kind is Residue:  # where it fails once, what it holds at (ones, say) shows too little
                    done.clear()
                    break
                continue
            done.append(sizes)
            if len(done) >= RUNS:
                break
        if done:
            return Replay(kind, tuple(done))
    return None


def _drawn(comparison: Comparison, kind: type) -> Iterator[tuple[dict[str, int], dict[str, Any]]]:
    """Sizes and arrays, most different sizes first; of the smallest sizes, ones included, the last two."""
    drawn = [d for d in comparison.drawn(small=SMALL) if sum(a.size for a in d[1].values()) <= LARGEST[kind]]
    drawn.sort(key=lambda d: (len(set(d[0].values())), sum(d[0].values())), reverse=True)
    for sizes, inputs in (*drawn[: RUNS - 2], *drawn[-2:], *drawn[RUNS - 2 : -2]):
        yield sizes, {n: _random(comparison.arrays[n], a) if kind is Residue else _exact(a) for n, a in inputs.items()}


def _hold(
    comparison: Comparison, sizes: Mapping[str, int], inputs: Mapping[str, Any], kind: type, term: TermText | None
) -> None:
    number = number_of(kind)
    relation = f"{comparison.left.text} {comparison.op} {comparison.right.text}"
    try:
        left, right = sides(comparison, sizes, inputs, number)
        holds = _agree(comparison.op, left, right, number)
    except ZeroDivisionError:
        raise VerifierError(f"{relation} divides by 0 at {dict(sizes)}") from None
    if not holds:
        raise VerifierError(f"{relation} fails at {dict(sizes)}")
    if term is not None and term.steps(sizes) <= STEPS:
        first, last = (left, right) if comparison.op in ("==", "!=", ">", ">=") else (right, left)
        whole = first if comparison.op in ("==", "!=") else first - last
        if not matches(term, whole, {**sizes, **inputs}, number):
            raise VerifierError(f"the term {term.text[:60]} is no element of {relation} at {dict(sizes)}")


def number_of(kind: type) -> Callable[[Any], Any]:
    return field().of if kind is Residue else Exact.of


def matches(term: TermText, array: np.ndarray, values: Mapping[str, Any], number: Callable[[Any], Any]) -> bool:
    """Whether elements of the array, at random places, the last and one off every diagonal, are what the term says."""
    if term.places() > array.ndim:
        return False
    places = [tuple(RANDOM.randrange(s) for s in array.shape) for _ in range(PLACES)]
    places.append(tuple(min(axis, size - 1) for axis, size in enumerate(array.shape)))
    places.append(tuple(size - 1 for size in array.shape))
    return all(bool(term.at(values, place, number) == number(array[place])) for place in places)


def _agree(op: str, left: np.ndarray, right: np.ndarray, number: Callable[[Any], Any]) -> bool:
    if left.shape and right.shape and left.shape != right.shape:
        return False
    left, right = np.broadcast_arrays(left, right)
    compare = COMPARE[op]
    pairs = zip(left.flat, right.flat, strict=True)
    return all(compare(_unrounded(a, number), _unrounded(b, number)) for a, b in pairs)


def _unrounded(value: Any, number: Callable[[Any], Any]) -> Any:
    if isinstance(value, float) and (not np.isfinite(value) or Fraction(value).denominator > ROUNDED):
        raise Inexact(f"{value} is rounded")
    return number(value)


def sides(
    comparison: Comparison, sizes: Mapping[str, int], inputs: Mapping[str, Any], number: Callable[[Any], Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Both sides on arrays of such numbers."""
    values = {**sizes, **inputs}
    with _exact_numpy(number):
        return _side(comparison.left, values, number), _side(comparison.right, values, number)


def _side(expression: Expression, values: Mapping[str, Any], number: Callable[[Any], Any]) -> np.ndarray:
    result = expression.value(values, _functions(number))
    result = result[0] if isinstance(result, tuple) else result
    return np.asarray(number(result) if isinstance(result, (int, float, Fraction, Exact, Residue)) else result)


def _random(declared: Declared, drawn: np.ndarray) -> np.ndarray:
    """Large random numbers instead of the drawn quarters; truth values and permutations as they were drawn."""
    if drawn.dtype.kind != "f":
        return drawn
    made = np.empty(drawn.shape, object)
    for place in np.ndindex(drawn.shape):
        made[place] = field().draw(1) if declared.kind == "positive" else field().draw()
    if declared.kind != "invertible":
        return made
    # Triangular factors with ones on the diagonal.
    lower, upper = (np.where(np.eye(len(drawn)) == 1, 1, np.tril(part)) for part in (made, made.T))
    return lower @ upper.T


def _exact(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind != "f":
        return array
    made = np.empty(array.shape, object)
    for place, value in np.ndenumerate(array):
        made[place] = Exact.of(value)
    return made


def _taking_fractions(function: Callable[..., Any], number: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda *args: function(*(number(a) if type(a) is Fraction else a for a in args))


def _functions(number: Callable[[Any], Any]) -> dict[str, Callable[..., Any]]:
    functions = {**{name: getattr(kernels, name) for name in kernels.__all__}, **PLAIN}
    return {name: _taking_fractions(function, number) for name, function in functions.items()}


def _elementwise(name: str, on_infinity: float | None, number: Callable[[Any], Any]) -> Callable[..., Any]:
    def one(value: Any) -> Any:
        if isinstance(value, float) and value == -np.inf and on_infinity is not None:
            return number(on_infinity)
        return getattr(number(value), name)()

    def function(x: Any) -> Any:
        array = np.asarray(x)
        made = np.empty(array.shape, object)
        for place in np.ndindex(array.shape):
            made[place] = one(array[place])
        return made if made.shape else made[()]

    return function


def _inverse(matrix: Any) -> Any:
    """Gauss and Jordan: rows are only scaled, added and exchanged."""
    size = len(matrix)
    rows = np.concatenate([matrix, np.eye(size, dtype=int)], axis=1).astype(object)
    for place in range(size):
        pivot = next((r for r in range(place, size) if rows[r, place] != 0), None)
        if pivot is None:
            raise ZeroDivisionError("a matrix without an inverse")
        rows[[place, pivot]] = rows[[pivot, place]]
        rows[place] = rows[place] * (1 / rows[place, place])
        for other in range(size):
            if other != place:
                rows[other] = rows[other] - rows[place] * rows[other, place]
    return rows[:, size:]


def rank_of(matrix: np.ndarray) -> int:
    """The rank modulo the prime: never more than the rank, and as much for all but a few random inputs."""
    number, prime = field().of, field().prime
    rows = [[number(v).number for v in row] for row in matrix]
    rank = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((r for r in range(rank, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        scale = pow(rows[rank][column], -1, prime)
        for r in range(rank + 1, len(rows)):
            factor = rows[r][column] * scale
            rows[r] = [(a - factor * b) % prime for a, b in zip(rows[r], rows[rank], strict=True)]
        rank += 1
    return rank


def rank_exceeds(comparison: Comparison) -> tuple[Mapping[str, int] | None, int]:
    """Sizes at which the left side's rank is more than the right side, or None; and at how many it was computed."""
    done = 0
    for sizes, inputs in _drawn(comparison, Residue):
        try:
            left, right = sides(comparison, sizes, inputs, field().of)
            bound = number_of(Residue)(right[()]).exact
            rank = rank_of(left)
        except (Inexact, TypeError):
            continue
        if not isinstance(bound, int) or rank > bound:
            return sizes, done
        done += 1
    return None, done


@contextmanager
def _exact_numpy(number: Callable[[Any], Any]) -> Generator[None]:
    """exp, sqrt and inv answer exactly; arrays of objects pass the annotations, whose element types they have not."""
    replaced = [
        (np, "exp", _elementwise("exp", 0, number)),
        (np, "sqrt", _elementwise("sqrt", None, number)),
        (np.linalg, "inv", _inverse),
    ]
    before = [(module, name, getattr(module, name)) for module, name, _ in replaced]
    disabled = config.jaxtyping_disable
    config.update("jaxtyping_disable", True)
    for module, name, function in replaced:
        setattr(module, name, function)
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        for module, name, function in before:
            setattr(module, name, function)
        config.update("jaxtyping_disable", disabled)
