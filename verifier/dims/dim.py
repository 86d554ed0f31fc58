"""`Dim`: an integer expression of sizes in normal form that acts like an `int` in the code under test.

Law: two Dims print the same exactly when they are the same polynomial in symbols and floor quotients, and
then `==` is True. Where two Dims differ by a constant, `==` is False. Otherwise `==` is a `Relation`,
whose truth depends on the sizes: it is never False for "don't know".
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from numbers import Number
from typing import Any, ClassVar, Union, cast

from ..errors import NeedsConcreteSize
from . import polynomial
from .looked_at import by_code_under_test
from .polynomial import Monomial, Terms
from .relation import Relation, deciding

Size = Union[int, "Dim"]
"""A number of elements along an axis: a plain int, or a Dim where it is symbolic."""


@dataclass(frozen=True)
class FloorDiv:
    """The atom floor(numerator / denominator), where nothing can be divided out any more."""

    numerator: Size
    denominator: Size

    @cached_property
    def text(self) -> str:
        return f"({_group(self.numerator)} // {_group(self.denominator)})"

    def __str__(self) -> str:
        return self.text

    @cached_property
    def _hashed(self) -> int:
        """From its sizes as they are: nobody but polynomials asks for it, so that none of them need be watched."""
        sides = (self.numerator, self.denominator)
        return hash(("//", *(s.hashed if type(s) is Dim else s for s in sides)))

    def __hash__(self) -> int:
        return self._hashed

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, FloorDiv) and self.text == other.text)


@dataclass(frozen=True)
class Lookup:
    """The atom array[index]: a place that an array of integers holds; with `permutes`, each place once."""

    array: str
    index: tuple[Size, ...]
    permutes: Size = 0
    """How many places the array permutes; 0 where it is no permutation."""

    def __str__(self) -> str:
        return f"{self.array}[{', '.join(map(str, self.index))}]"

    def __hash__(self) -> int:
        return hash(str(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lookup) and str(self) == str(other)


def lookup(array: str, index: tuple[Size, ...], permutes: Size = 0) -> Size:
    """The place that an array of integers holds at an index; a permutation of one place holds 0."""
    if type(permutes) is int and permutes == 1:
        return 0
    return Dim({((Lookup(array, index, permutes), 1),): 1})


def _refuse_zero(size: Dim, text: str) -> None:
    """What Python does with a size of 0, asked only of quotients: no other size can be 0 unnoticed.

    A quotient a // b of sizes is 0 exactly where a < b, which is what a caller can be asked for.
    """
    floors = [a for m in size.terms for a, _ in m if isinstance(a, FloorDiv)]
    if deciding.get() is None or not floors:
        return
    gone = any(f.numerator < f.denominator for f in floors) if len(size.terms) == 1 else size == 0
    if gone:
        raise ZeroDivisionError(text)


def _group(size: Size) -> str:
    text = str(size)
    return f"({text})" if any(c in text for c in " *") and not text.startswith("((") else text


class Dim:
    """An integer expression of size symbols: `+ - * // % **` stay Dims, comparisons are Relations.

    Mixed with ints it behaves as an int: a result that is constant *is* a plain int. `d ** 0.5`, `d / h`
    and `np.sqrt(d)` leave the integers and give a term (see `verifier.terms`, which registers how).

    >>> n, h = symbol("n"), symbol("h")
    >>> h * (n + 1) - h
    h*n
    >>> (h * n) // h, (4 * n + 6) % 4
    (n, 2)
    """

    __slots__ = ("_terms", "_text", "hashed")

    real_arithmetic: ClassVar[Callable[..., Any] | None] = None
    """(operation name, *operands) -> term; set by `verifier.terms`, since sizes know no real numbers."""

    array_arithmetic: ClassVar[Callable[..., Any] | None] = None
    """(ufunc, method, inputs, options) -> array where a real array meets a size; set by `verifier.frontends.numpy`."""

    def __init__(self, terms: Terms) -> None:
        self._terms: Terms = terms
        self.hashed = hash(frozenset(terms.items()))
        self._text = ""

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        """`isinstance(d, int)` holds, for annotated code and run-time checkers; ask `is_dim` instead."""
        return int

    @property
    def terms(self) -> Terms:
        """Monomial -> coefficient; never to be changed."""
        return self._terms

    # -- arithmetic ---------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        terms = _terms_of(other)
        return self._real("add", self, other) if terms is None else from_terms(polynomial.add(self._terms, terms))

    def __radd__(self, other: Any) -> Any:
        return self._real("add", other, self) if _terms_of(other) is None else self + other

    def __sub__(self, other: Any) -> Any:
        terms = _terms_of(other)
        if terms is None:
            return self._real("subtract", self, other)
        return from_terms(polynomial.add(self._terms, terms, -1))

    def __rsub__(self, other: Any) -> Any:
        return self._real("subtract", other, self) if _terms_of(other) is None else -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, (list, tuple, str)):
            raise NeedsConcreteSize(self)
        terms = _terms_of(other)
        if terms is None:
            return self._real("multiply", self, other)
        return from_terms(polynomial.multiply(self._terms, terms))

    def __rmul__(self, other: Any) -> Any:
        if isinstance(other, (list, tuple, str)):
            raise NeedsConcreteSize(self)
        return self._real("multiply", other, self) if _terms_of(other) is None else self * other

    def __neg__(self) -> Size:
        return cast(Size, self * -1)

    def __pos__(self) -> Dim:
        return self

    def __abs__(self) -> Size:
        return self if self >= 0 else -self

    def __pow__(self, power: Any) -> Any:
        if isinstance(power, (int, float)) and not is_dim(power) and power < 0:
            _refuse_zero(self, "0.0 cannot be raised to a negative power")
        if type(power) is int and power >= 0:
            result: Any = 1
            for _ in range(power):
                result = result * self
            return result
        return self._real("power", self, power)

    def __rpow__(self, base: Any) -> Any:
        return self._real("power", base, self)

    def __truediv__(self, other: Any) -> Any:
        if is_dim(other):
            _refuse_zero(other, "division by zero")
        return self._real("divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, (int, float)):
            _refuse_zero(self, "division by zero")
        return self._real("divide", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return self._real("floor_divide", self, other) if _terms_of(other) is None else _divided(self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _divided(other, self) if _terms_of(other) is not None else self._real("floor_divide", other, self)

    def __mod__(self, other: Any) -> Any:
        return self - other * (self // other)

    def __rmod__(self, other: Any) -> Any:
        if isinstance(other, str):
            return NotImplemented
        return other - self * _divided(other, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def _real(self, operation: str, *operands: Any) -> Any:
        for operand in operands:
            if hasattr(operand, "__array_priority__") or (hasattr(operand, "__array_ufunc__") and not is_dim(operand)):
                return NotImplemented  # an array, symbolic or real: its own arithmetic takes sizes
        if Dim.real_arithmetic is None or any(isinstance(o, (str, bytes, type(None))) for o in operands):
            return NotImplemented
        return Dim.real_arithmetic(operation, *operands)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if Dim.array_arithmetic is not None and any(getattr(i, "shape", ()) != () for i in inputs):
            return Dim.array_arithmetic(ufunc, method, inputs, options)
        if method != "__call__":
            return NotImplemented
        whole = OF_INTEGERS.get(ufunc.__name__)
        if whole is not None and all(_terms_of(i) is not None for i in inputs):
            return whole(*(from_terms(terms_of(i)) for i in inputs))
        if Dim.real_arithmetic is None:
            return NotImplemented
        return Dim.real_arithmetic(f"numpy {ufunc.__name__}", *inputs)

    # -- comparison ---------------------------------------------------------------------------

    def __eq__(self, other: object) -> Any:
        return compare("==", self, other)

    def __ne__(self, other: object) -> Any:
        return compare("!=", self, other)

    def __lt__(self, other: Any) -> Any:
        return compare("<", self, other)

    def __le__(self, other: Any) -> Any:
        return compare("<=", self, other)

    def __gt__(self, other: Any) -> Any:
        return compare("<", other, self)

    def __ge__(self, other: Any) -> Any:
        return compare("<=", other, self)

    def __hash__(self) -> int:
        if by_code_under_test():
            raise NeedsConcreteSize(self)
        return self.hashed

    # -- where a Python number is demanded ----------------------------------------------------

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __index__(self) -> int:
        raise NeedsConcreteSize(self)

    __int__ = __index__
    __round__ = __trunc__ = __ceil__ = __floor__ = __pos__

    def __float__(self) -> float:
        raise NeedsConcreteSize(self)

    def bit_length(self) -> int:
        raise NeedsConcreteSize(self)

    @property
    def real(self) -> Dim:
        return self

    numerator = real
    """As an int has it; a `Fraction` on the left then asks for a number."""

    @property
    def denominator(self) -> int:
        return 1

    def item(self) -> Dim:
        return self

    # -- reading ------------------------------------------------------------------------------

    def symbols(self) -> frozenset[str]:
        """Names of the size symbols that occur, floor quotients included."""
        return symbols_of(self)

    def __str__(self) -> str:
        if by_code_under_test():
            raise NeedsConcreteSize(self)
        if not self._text:
            self._text = polynomial.render(self._terms)
        return self._text

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        # jaxtyping evaluates an axis such as `{h}` as an f-string, and the resulting text as an expression
        # in which this size may have no name: there the text must stand for the size itself.
        if sys._getframe(1).f_code.co_filename == "<string>":  # pyright: ignore[reportPrivateUsage]
            _formatted[id(self)] = self
            return f"__import__({__name__!r}, fromlist=['_']).restore({id(self)})"
        if by_code_under_test():
            raise NeedsConcreteSize(self)
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        if by_code_under_test() and not _copies():
            raise NeedsConcreteSize(self)
        return (from_terms, (dict(self._terms),))


def _copies() -> bool:
    """Whether `copy` asks, which looks at nothing."""
    return sys._getframe(2).f_globals.get("__name__") == "copy"  # pyright: ignore[reportPrivateUsage]


OF_INTEGERS: Mapping[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "negative": operator.neg,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}
"""Functions of NumPy that keep integers among themselves: `np.int64(2) * n` is a size."""

_formatted: dict[int, Dim] = {}


def restore(identity: int) -> Dim:
    """The size that was put into an f-string axis."""
    return _formatted[identity]


def is_dim(value: object) -> bool:
    """Whether a value is symbolic; `isinstance` cannot tell, since a Dim passes for an int."""
    return type(value) is Dim


def symbol(name: str) -> Dim:
    """The size symbol of that name."""
    return Dim({((name, 1),): 1})


def from_terms(terms: Terms) -> Size:
    """A Dim, or a plain int where the polynomial is a whole constant.

    Other constants stay Dims: a Fraction takes a Dim for an int, since `isinstance` says so, and fails on it.
    """
    if not terms:
        return 0
    if len(terms) == 1 and type(terms.get(polynomial.ONE)) is int:
        return cast(int, terms[polynomial.ONE])
    return Dim(terms)


def terms_of(size: Size) -> Terms:
    """The polynomial of a size; a plain number is a constant one."""
    terms = _terms_of(size)
    if terms is None:
        raise TypeError(f"{size!r} is no size")
    return terms


def _terms_of(value: Any) -> Terms | None:
    if type(value) is Dim:
        return value._terms  # pyright: ignore[reportPrivateUsage]
    if isinstance(value, int) or type(value) is Relation:  # a bool, a member of an IntEnum, a comparison
        value = int(value)
    if type(value) is int or type(value) is Fraction:
        return {polynomial.ONE: value} if value else {}
    if type(value).__module__ == "numpy" and hasattr(value, "__index__") and getattr(value, "shape", None) == ():
        try:
            number = value.__index__()  # a NumPy integer scalar
        except TypeError:
            return None
        return {polynomial.ONE: number} if number else {}
    return None


def compare(op: str, left: Any, right: Any) -> Any:
    """True or False where the difference is constant, a Relation where it is not."""
    left_terms, right_terms = _terms_of(left), _terms_of(right)
    if left_terms is None or right_terms is None:
        other = right if left_terms is not None else left
        if isinstance(other, (float, complex)) and type(other) in (float, complex) and Dim.real_arithmetic:
            return Dim.real_arithmetic(f"compare {op}", left, right)
        if hasattr(other, "__array_ufunc__") or hasattr(other, "__array_priority__"):
            return NotImplemented
        if isinstance(other, Number):
            raise NeedsConcreteSize(left if left_terms is not None else right)
        return {"==": False, "!=": True}.get(op, NotImplemented)
    difference = polynomial.add(left_terms, right_terms, -1)
    if not difference or (len(difference) == 1 and polynomial.ONE in difference):
        value = difference.get(polynomial.ONE, 0)
        return {"==": value == 0, "!=": value != 0, "<": value < 0, "<=": value <= 0}[op]
    return Relation(op, left, right)


def _divided(numerator: Size, denominator: Size) -> Size:
    """The quotient in code at work: where the denominator may be 0, that is a way of its own, and Python's error."""
    if is_dim(denominator) and deciding.get() is not None and denominator == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    return floordiv(numerator, denominator)


def floordiv(numerator: Size, denominator: Size) -> Size:
    """floor(numerator / denominator), whatever divides taken out.

    Where the denominator is 0 there is no quotient, and this says nothing; the operators `//` and `%` ask for that
    while an explorer decides. Raises ZeroDivisionError for the plain denominator 0.
    """
    top, bottom = terms_of(numerator), terms_of(denominator)
    if not bottom:
        raise ZeroDivisionError("integer division or modulo by zero")
    common = lcm(*(Fraction(c).denominator for c in (*top.values(), *bottom.values())))
    if common > 1:
        whole_terms = ({m: polynomial.tidy(c * common) for m, c in t.items()} for t in (top, bottom))
        return floordiv(*map(from_terms, whole_terms))
    if bottom[min(bottom, key=polynomial.monomial_key)] < 0:  # one form for a // b and -a // -b
        return floordiv(-numerator, -denominator)
    quotient, remainder = polynomial.divide(top, bottom)
    whole = from_terms(quotient)
    if not remainder:
        return whole
    rest = from_terms(remainder)
    if type(denominator) is int:
        if type(rest) is int:
            return cast(Size, whole + rest // denominator)
        common = gcd(denominator, *(int(c) for c in remainder.values()))
        if common > 1:
            rest = from_terms({m: int(c) // common for m, c in remainder.items()})
            return cast(Size, whole + floordiv(rest, denominator // common))
    else:
        shared = _shared_monomial([*remainder, *bottom])
        if shared:
            rest = from_terms({_must_divide(m, shared): c for m, c in remainder.items()})
            below = from_terms({_must_divide(m, shared): c for m, c in bottom.items()})
            return cast(Size, whole + floordiv(rest, below))
    return cast(Size, whole + Dim({((FloorDiv(rest, denominator), 1),): 1}))


def _shared_monomial(monomials: list[Monomial]) -> Monomial:
    """The largest monomial that divides all; it divides a denominator, so it is not 0 where it matters."""
    shared = dict(monomials[0])
    for monomial in monomials[1:]:
        powers = dict(monomial)
        shared = {a: min(p, powers[a]) for a, p in shared.items() if a in powers}
    return tuple(shared.items())


def _must_divide(monomial: Monomial, divisor: Monomial) -> Monomial:
    quotient = polynomial.divide_monomials(monomial, divisor)
    if quotient is None:
        raise ArithmeticError("the divisor was to divide every term")
    return quotient


def identical(left: Size, right: Size) -> bool:
    """Whether two sizes have one normal form: no question to anybody, and False says nothing."""
    return terms_of(left) == terms_of(right)


def symbols_of(size: Size) -> frozenset[str]:
    if type(size) is not Dim:
        return frozenset()
    names: set[str] = set()
    for monomial in size.terms:
        for atom, _ in monomial:
            if isinstance(atom, FloorDiv):
                names |= symbols_of(atom.numerator) | symbols_of(atom.denominator)
            elif isinstance(atom, Lookup):
                names |= frozenset().union(*(symbols_of(i) for i in atom.index), symbols_of(atom.permutes))
            else:
                names.add(cast(str, atom))
    return frozenset(names)


def floors_of(size: Size) -> frozenset[FloorDiv]:
    """The floor quotients that occur at the top of a size (not those inside them)."""
    if type(size) is not Dim:
        return frozenset()
    return frozenset(a for m in size.terms for a, _ in m if isinstance(a, FloorDiv))


def substitute(size: Size, values: Mapping[str, Size]) -> Size:
    """The size with symbols replaced, in normal form again; floor quotients are divided anew."""
    if type(size) is not Dim or values.keys().isdisjoint(symbols_of(size)):
        return size

    def atom_value(atom: Any) -> Size:
        if isinstance(atom, FloorDiv):
            return floordiv(substitute(atom.numerator, values), substitute(atom.denominator, values))
        if isinstance(atom, Lookup):
            index = tuple(substitute(i, values) for i in atom.index)
            return lookup(atom.array, index, substitute(atom.permutes, values))
        return values.get(atom, symbol(atom))

    return rebuild(size, atom_value)


def rebuild(size: Size, atom_value: Callable[[Any], Size]) -> Size:
    """The same polynomial over other sizes in the atoms' places."""
    if type(size) is not Dim:
        return size
    total: Any = 0
    for monomial, coefficient in size.terms.items():
        product: Any = from_terms({polynomial.ONE: coefficient})
        for atom, power in monomial:
            product = product * atom_value(atom) ** power
        total = total + product
    return total


def evaluate(size: Size, sizes: Mapping[str, int], read: Callable[[str, tuple[int, ...]], int] | None = None) -> int:
    """The number at concrete sizes, in exact arithmetic; `read` knows what arrays of places hold.

    Raises:
        KeyError: a symbol or an array without a value.
    """
    if type(size) is not Dim:
        return cast(int, size)
    total: Any = 0
    for monomial, coefficient in size.terms.items():
        for atom, power in monomial:
            if isinstance(atom, FloorDiv):
                value = evaluate(atom.numerator, sizes, read) // evaluate(atom.denominator, sizes, read)
            elif isinstance(atom, Lookup):
                if read is None:
                    raise KeyError(atom.array)
                value = read(atom.array, tuple(evaluate(i, sizes, read) for i in atom.index))
            else:
                value = sizes[cast(str, atom)]
            coefficient = coefficient * value**power
        total = total + coefficient
    return cast(int, polynomial.tidy(total))
