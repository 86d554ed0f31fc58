"""Numbers without rounding: quotients of sums of c·exp(x), with c and x made of rationals and square roots.

They are closed under what attention computes: sums, products, quotients, roots of sizes, exponentials of scores.
Exponentials of different algebraic numbers are linearly independent over the algebraic numbers
(Lindemann-Weierstrass), so that such a sum is 0 only where every coefficient is: equality is decided, not rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from functools import wraps
from math import gcd, isfinite
from typing import Any

Algebraic = tuple[tuple[int, Fraction], ...]
"""Σ q·√r with r square-free and ascending, every q other than 0."""
Sum = Mapping[Algebraic, Algebraic]
"""Σ c·exp(x): exponent -> coefficient, none of them 0."""

ZERO: Algebraic = ()
ONE: Algebraic = ((1, Fraction(1)),)
LARGEST = 4_000
"""Terms of a sum: more are refused, since products multiply their numbers."""
DIGITS = Context(prec=60)


class Inexact(ArithmeticError):
    """A value that these numbers do not hold."""


def algebraic(terms: Iterable[tuple[int, Fraction]]) -> Algebraic:
    total: dict[int, Fraction] = {}
    for root, factor in terms:
        total[root] = total.get(root, Fraction(0)) + factor
    return tuple(sorted((r, q) for r, q in total.items() if q))


def multiplied(a: Algebraic, b: Algebraic) -> Algebraic:
    """a·b: √r·√s is g·√(r·s/g²), g the greatest common divisor."""
    if a == ONE:
        return b
    if b == ONE:
        return a
    found: list[tuple[int, Fraction]] = []
    for r, p in a:
        for s, q in b:
            common = gcd(r, s)
            found.append((r * s // common**2, p * q * common))
    return algebraic(found)


def root_of(number: Fraction) -> Algebraic:
    """The square root of a rational that is not negative."""
    if number < 0:
        raise Inexact("the root of a negative number")
    inside = number.numerator * number.denominator
    outside, step = Fraction(1, number.denominator), 2
    while step * step <= inside:
        while inside % step**2 == 0:
            inside //= step**2
            outside *= step
        step += 1
    return algebraic([(inside, outside)]) if inside else ZERO


def _add(a: Sum, b: Sum) -> Sum:
    total = dict(a)
    for exponent, factor in b.items():
        here = algebraic((*total.pop(exponent, ZERO), *factor))
        if here:
            total[exponent] = here
    return total


def _product(a: Sum, b: Sum) -> Sum:
    if len(a) * len(b) > LARGEST:
        raise Inexact("too many terms")
    total: dict[Algebraic, list[tuple[int, Fraction]]] = {}
    for x, c in a.items():
        for y, d in b.items():
            total.setdefault(algebraic((*x, *y)) if x and y else x or y, []).extend(multiplied(c, d))
    reduced = {x: algebraic(c) for x, c in total.items()}
    return {x: c for x, c in reduced.items() if c}


def _inverse(a: Sum) -> Sum | None:
    """1 over a sum of one term whose coefficient is one root; None for others."""
    if len(a) != 1:
        return None
    ((exponent, factor),) = a.items()
    if len(factor) != 1:
        return None
    ((root, q),) = factor
    return {tuple((r, -p) for r, p in exponent): ((root, 1 / (q * root)),)}


def rational(value: Any) -> Fraction:
    """A plain number as the fraction that it is.

    Raises:
        Inexact: it is none, or not finite.
    """
    if not isinstance(value, (int, float, Fraction)) or not isfinite(value):
        raise Inexact(f"{value!r} is no finite number")
    return Fraction(value)


UNIT: Sum = {ZERO: ONE}


def _left_to_arrays(operation: Callable[[Exact, Any], Any]) -> Callable[[Exact, Any], Any]:
    """An array on the other side takes each of its elements itself."""

    @wraps(operation)
    def operator(self: Exact, other: Any) -> Any:
        return NotImplemented if getattr(other, "ndim", 0) else operation(self, other)

    return operator


class Exact:
    """One number; with integers, fractions and finite floats (which are fractions) it mixes freely."""

    __slots__ = ("above", "below")

    def __init__(self, above: Sum, below: Sum = UNIT) -> None:
        self.above = above
        self.below = below

    @classmethod
    def of(cls, value: Any) -> Exact:
        """A number, exactly.

        Raises:
            Inexact: it is none, or not finite.
        """
        if type(value) is Exact:
            return value
        if hasattr(value, "item"):
            value = value.item()
        if isinstance(value, Exact):
            return value
        number = rational(value)
        return cls({ZERO: ((1, number),)} if number else {})

    def __bool__(self) -> bool:
        return bool(self.above)

    def __hash__(self) -> int:
        raise TypeError("exact numbers are compared, not hashed")

    @_left_to_arrays
    def __add__(self, other: Any) -> Any:
        if _infinite(other):
            return other
        b = Exact.of(other)
        if self.below == b.below:
            return _quotient(_add(self.above, b.above), self.below)
        crossed = _add(_product(self.above, b.below), _product(b.above, self.below))
        return _quotient(crossed, _product(self.below, b.below))

    def __neg__(self) -> Exact:
        return Exact({x: tuple((r, -q) for r, q in c) for x, c in self.above.items()}, self.below)

    @_left_to_arrays
    def __sub__(self, other: Any) -> Any:
        return -other if _infinite(other) else self + -Exact.of(other)

    @_left_to_arrays
    def __rsub__(self, other: Any) -> Any:
        return other if _infinite(other) else Exact.of(other) - self

    @_left_to_arrays
    def __mul__(self, other: Any) -> Any:
        b = Exact.of(other)
        if not self.above or not b.above:
            return Exact({})
        return _quotient(_product(self.above, b.above), _product(self.below, b.below))

    @_left_to_arrays
    def __truediv__(self, other: Any) -> Any:
        b = Exact.of(other)
        if not b.above:
            raise ZeroDivisionError("division by an exact 0")
        return self * _quotient(b.below, b.above)

    @_left_to_arrays
    def __rtruediv__(self, other: Any) -> Any:
        return Exact.of(other) / self

    def __pow__(self, power: Any) -> Any:
        if not isinstance(power, int):
            raise Inexact(f"the power {power!r}")
        result = Exact.of(1)
        for _ in range(abs(power)):
            result = result * self
        return result if power >= 0 else 1 / result

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> Exact:
        return -self if self < 0 else self

    @_left_to_arrays
    def __eq__(self, other: object) -> bool:
        return not _infinite(other) and not (self - other).above

    @_left_to_arrays
    def __lt__(self, other: Any) -> bool:
        return bool(other > 0) if _infinite(other) else (self - other).sign < 0

    @_left_to_arrays
    def __le__(self, other: Any) -> bool:
        return bool(other > 0) if _infinite(other) else (self - other).sign <= 0

    @_left_to_arrays
    def __gt__(self, other: Any) -> bool:
        return not self <= other

    @_left_to_arrays
    def __ge__(self, other: Any) -> bool:
        return not self < other

    @property
    def sign(self) -> int:
        """-1, 0 or 1.

        Raises:
            Inexact: 60 digits do not show it.
        """
        if not self.above:
            return 0
        top, size = _decimal(self.above)
        bottom, other = _decimal(self.below)
        if abs(top) < size * Decimal("1e-40") or abs(bottom) < other * Decimal("1e-40"):
            raise Inexact("too near to 0 to tell its sign")
        return 1 if (top > 0) == (bottom > 0) else -1

    def exp(self) -> Exact:
        """e to this power, which must have no exponential in it."""
        if not self.above:
            return Exact.of(1)
        if self.below != UNIT or list(self.above) != [ZERO]:
            raise Inexact("an exponential of an exponential")
        return Exact({self.above[ZERO]: ONE})

    def sqrt(self) -> Exact:
        """The root of a rational number."""
        if not self.above:
            return self
        factor = self.above.get(ZERO, ZERO)
        if self.below != UNIT or len(self.above) != 1 or len(factor) != 1 or factor[0][0] != 1:
            raise Inexact("the root of what is no rational number")
        return Exact({ZERO: root_of(factor[0][1])})

    def __float__(self) -> float:
        return float(_decimal(self.above)[0] / _decimal(self.below)[0])

    def __repr__(self) -> str:
        return f"Exact({float(self):.6g})"


def _infinite(value: Any) -> bool:
    return isinstance(value, float) and not isfinite(value)


def _quotient(above: Sum, below: Sum) -> Exact:
    if below == UNIT or not above:
        return Exact(above)
    inverse = _inverse(below)
    return Exact(above, below) if inverse is None else Exact(_product(above, inverse))


def _decimal(sum_: Sum) -> tuple[Decimal, Decimal]:
    """The value to 60 digits, and how large its terms are."""
    total = size = Decimal(0)
    for exponent, factor in sum_.items():
        grown = DIGITS.exp(_plain(exponent))
        value = DIGITS.multiply(_plain(factor), grown)
        total = DIGITS.add(total, value)
        size = DIGITS.add(size, abs(value))
    return total, size


def _plain(number: Algebraic) -> Decimal:
    total = Decimal(0)
    for root, q in number:
        fraction = DIGITS.divide(Decimal(q.numerator), Decimal(q.denominator))
        total = DIGITS.add(total, DIGITS.multiply(fraction, DIGITS.sqrt(Decimal(root))))
    return total
