"""`Term`: a real expression in normal form, a polynomial over atoms with rational exponents.

Flattened, sorted and collected by construction; products cancel (`x * x**-1` is 1), exp of a sum is a product,
powers distribute over positive factors only. Two terms that print the same are equal for all sizes and inputs.
A term passes for a float in the code under test, so `x / d ** 0.5` runs unchanged on symbolic sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import floor, isqrt
from typing import Any, cast

from ..dims import Dim, FloorDiv, Lookup, Relation, Size, is_dim, polynomial
from ..dims.dim import from_terms, terms_of
from ..dims.looked_at import by_code_under_test
from ..dims.polynomial import ONE, Coefficient, Monomial, Terms
from ..errors import NeedsConcreteSize
from .atoms import Atom, Call, Exponential, Group, Indicator

MAX_EXPANSION = 4
"""The largest natural power of a sum that is multiplied out."""


class Term:
    """A real number that depends on sizes, indices and entries of inputs.

    >>> from verifier.dims import symbol
    >>> d = as_term(symbol("d_k"))
    >>> d ** Fraction(1, 2) * d ** 0.5
    d_k
    >>> (2 * d / d ** 2) * d
    2
    """

    __slots__ = ("_text", "from_numpy", "terms")

    def __init__(self, terms: Terms, *, from_numpy: bool = False) -> None:
        self.terms: Terms = terms
        self.from_numpy = from_numpy
        """Whether it is a NumPy scalar: `np.sqrt(d)` turns single precision into double, `d ** 0.5` does not."""
        self._text: str | None = None

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        """`isinstance(t, float)` holds, for annotated code; ask `type(t) is Term` instead."""
        return float

    # -- arithmetic ---------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        return _binary(self, other, lambda a, b: Term(polynomial.add(a.terms, b.terms)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _binary(self, other, lambda a, b: Term(polynomial.add(a.terms, b.terms, -1)))

    def __rsub__(self, other: Any) -> Any:
        return _binary(self, other, lambda a, b: Term(polynomial.add(b.terms, a.terms, -1)))

    def __mul__(self, other: Any) -> Any:
        return _binary(self, other, multiply)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _binary(self, other, lambda a, b: multiply(a, power(b, -1)))

    def __rtruediv__(self, other: Any) -> Any:
        return _binary(self, other, lambda a, b: multiply(b, power(a, -1)))

    def __neg__(self) -> Term:
        return Term({m: -c for m, c in self.terms.items()}, from_numpy=self.from_numpy)

    def __pos__(self) -> Term:
        return self

    def __abs__(self) -> Term:
        number = self.number
        return as_term(abs(number)) if number is not None else self if self.is_positive else function("abs", self)

    def __pow__(self, exponent: Any) -> Any:
        return _binary(self, exponent, general_power)

    def __rpow__(self, base: Any) -> Any:
        return _binary(self, base, lambda e, b: general_power(b, e))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if Dim.array_arithmetic is not None and any(getattr(i, "shape", ()) != () for i in inputs):
            return Dim.array_arithmetic(ufunc, method, inputs, options)
        if method != "__call__":
            return NotImplemented
        return apply(f"numpy {ufunc.__name__}", *inputs)

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
        return hash(str(self))

    def same(self, other: Term) -> bool:
        """Whether the normal forms are one: a proof of equality. False says nothing."""
        return self.terms == other.terms

    # -- where a Python number is demanded ----------------------------------------------------

    def __float__(self) -> float:
        if self.number is None:
            raise NeedsConcreteSize(self)
        return float(self.number)

    def __int__(self) -> int:
        if self.number is None:
            raise NeedsConcreteSize(self)
        return int(self.number)

    def __bool__(self) -> bool:
        return bool(self != 0)

    # -- reading ------------------------------------------------------------------------------

    @property
    def number(self) -> Coefficient | None:
        """The value where the term is a plain rational number."""
        if not self.terms:
            return 0
        return self.terms[ONE] if len(self.terms) == 1 and ONE in self.terms else None

    @property
    def size(self) -> Size | None:
        """The same as a size, where only sizes with natural exponents and whole coefficients occur."""
        for monomial, coefficient in self.terms.items():
            if type(coefficient) is not int:
                return None
            for atom, exponent in monomial:
                if not isinstance(atom, (str, FloorDiv, Lookup)) or type(exponent) is not int or exponent < 0:
                    return None
        number = self.number
        return cast(Size, number) if type(number) is int else Dim(self.terms)

    @property
    def is_positive(self) -> bool:
        """Surely not negative, for sizes of at least 0 and whatever inputs: roots of factors may be taken apart."""
        if not self.terms:
            return False
        return all(c > 0 and all(positive(a) for a, _ in m) for m, c in self.terms.items())

    @property
    def atoms(self) -> frozenset[Any]:
        """The atoms at the top."""
        return frozenset(a for m in self.terms for a, _ in m)

    def __str__(self) -> str:
        if by_code_under_test():
            raise NeedsConcreteSize(self)
        if self._text is None:
            self._text = polynomial.render(self.terms)
        return self._text

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        if by_code_under_test():
            raise NeedsConcreteSize(self)
        return str(self)


zero = Term({})
one = Term({ONE: 1})
INFINITY = Call("inf", ())


def is_term(value: object) -> bool:
    return type(value) is Term


def positive(atom: Any) -> bool:
    """Size and index symbols are never negative; floor quotients of differences may be."""
    return isinstance(atom, str) or (isinstance(atom, Atom) and atom.positive)


def as_term(value: Any) -> Term:
    """A number, a size or a term as a term; a float is the decimal that it prints as.

    Raises:
        TypeError: anything else.
    """
    if type(value) is Term:
        return value
    if is_dim(value) or type(value) in (int, bool, Fraction):
        return Term(terms_of(value))
    if isinstance(value, float) or hasattr(value, "__float__"):
        number = float(value)
        if math.isinf(number):
            return Term({((INFINITY, 1),): 1 if number > 0 else -1})
        if not math.isnan(number):
            exact = polynomial.tidy(Fraction(repr(number)))
            return Term({ONE: exact} if exact else {})
    raise TypeError(f"{value!r} is no real number of ours")


def atom_term(atom: Any) -> Term:
    return Term({((atom, 1),): 1})


def _binary(left: Any, right: Any, operation: Callable[[Term, Term], Any]) -> Any:
    if _is_array(right):
        return NotImplemented
    try:
        return _marked(operation(as_term(left), as_term(right)), left, right)
    except TypeError:
        return NotImplemented


def _is_array(value: Any) -> bool:
    """Whether arithmetic is the value's own affair: NumPy's numbers are no arrays, other frameworks' are."""
    if is_dim(value) or is_term(value):
        return False
    if hasattr(value, "__array_priority__") and type(value).__module__ != "numpy":
        return True
    return hasattr(value, "__array_ufunc__") and getattr(value, "shape", ()) != ()


def _marked(result: Any, *operands: Any) -> Any:
    """The result, known as NumPy's where an operand is."""
    if type(result) is Term and any(_is_from_numpy(o) for o in operands):
        return Term(result.terms, from_numpy=True)
    return result


def _is_from_numpy(value: Any) -> bool:
    return value.from_numpy if type(value) is Term else type(value).__module__ == "numpy"


def multiply(left: Term, right: Term) -> Term:
    product = polynomial.multiply(left.terms, right.terms)
    if not any(_unfinished(a, p) for m in product for a, p in m):
        return Term(product)
    total = zero
    for monomial, coefficient in product.items():
        # An indicator is its own square; a group under a natural power, or a number under any, is multiplied out.
        kept = tuple((a, 1 if isinstance(a, Indicator) else p) for a, p in monomial if not _opens(a, p))
        factor = Term({kept: coefficient})
        for atom, exponent in monomial:
            if _opens(atom, exponent):
                factor = multiply(factor, power(cast(Group, atom).term, exponent))
        total = Term(polynomial.add(total.terms, factor.terms))
    return total


def _unfinished(atom: Any, exponent: Coefficient) -> bool:
    return (isinstance(atom, Indicator) and exponent != 1) or _opens(atom, exponent)


def _opens(atom: Any, exponent: Coefficient) -> bool:
    """Whether a group is none under this power."""
    if not isinstance(atom, Group):
        return False
    if atom.term.number is not None and atom.term.number > 0:
        return not 0 < exponent < 1
    return type(exponent) is int and 0 < exponent <= MAX_EXPANSION


def power(base: Term, exponent: Coefficient) -> Term:
    """base ** exponent for a plain rational exponent.

    Natural powers of sums are multiplied out up to a bound; products take the exponent factor by factor where
    that is valid; whatever is left becomes a `Group`.

    Raises:
        ZeroDivisionError: 0 to a negative power. A term that divides by what is 0 everywhere has no value anywhere.
    """
    exponent = polynomial.tidy(exponent)
    if exponent == 0:
        return one
    if exponent == 1:
        return base
    if not base.terms:
        if exponent < 0:
            raise ZeroDivisionError("division by zero")
        return zero
    if len(base.terms) == 1:
        ((monomial, coefficient),) = base.terms.items()
        whole = type(exponent) is int
        if whole or all(positive(a) for a, _ in monomial):
            outside = _number_power(coefficient, exponent)
            if outside is not None:
                inside = tuple((a, polynomial.tidy(p * exponent)) for a, p in monomial)
                if any(isinstance(a, Indicator) and p < 0 for a, p in inside):
                    return atom_term_power(Group(base), exponent)
                return multiply(Term({inside: 1}), outside) if inside else outside
    if type(exponent) is int and 0 < exponent <= MAX_EXPANSION:
        result = base
        for _ in range(exponent - 1):
            result = multiply(result, base)
        return result
    content = _content(base)
    if content is not None and content != (ONE, 1):
        inverse = tuple((a, -p) for a, p in content[0])
        divided = {
            polynomial.multiply_monomials(m, inverse): polynomial.tidy(Fraction(c) / content[1])
            for m, c in base.terms.items()
        }
        inner = multiply(Term(divided), one)
        if type(exponent) is int or (content[1] > 0 and all(positive(a) for a, _ in content[0])):
            return multiply(power(Term({content[0]: content[1]}), exponent), power(inner, exponent))
    return atom_term_power(Group(base), exponent)


def atom_term_power(atom: Atom, exponent: Coefficient) -> Term:
    return Term({((atom, exponent),): 1})


def _content(term: Term) -> tuple[Monomial, Coefficient] | None:
    """The largest common factor: shared powers, and the number that makes the rest primitive."""
    shared: dict[Any, Coefficient] | None = None
    for monomial in term.terms:
        powers = dict(monomial)
        shared = powers if shared is None else {a: min(p, powers[a]) for a, p in shared.items() if a in powers}
    # A factor that may well be 0 is no divisor.
    shared = {a: p for a, p in (shared or {}).items() if not isinstance(a, Indicator) and a != INFINITY}
    numbers = [Fraction(c) for c in term.terms.values()]
    numerator = math.gcd(*(n.numerator for n in numbers))
    denominator = math.lcm(*(n.denominator for n in numbers))
    leading = term.terms[min(term.terms, key=polynomial.monomial_key)]
    factor = Fraction(numerator, denominator) * (1 if leading > 0 else -1)
    monomial = tuple(sorted(((a, p) for a, p in shared.items()), key=lambda item: polynomial.atom_key(item[0])))
    return (monomial, polynomial.tidy(factor))


def _number_power(number: Coefficient, exponent: Coefficient) -> Term | None:
    """number ** exponent exactly: rational, times roots of primes, each a group under a power between 0 and 1."""
    if type(exponent) is int:
        return Term({ONE: polynomial.tidy(Fraction(number) ** exponent)})
    if number <= 0:
        return None
    outside = Fraction(1)
    roots: list[tuple[Group, Coefficient]] = []
    for prime, multiplicity in _factors(Fraction(number)):
        exact = multiplicity * Fraction(exponent)
        outside *= Fraction(prime) ** floor(exact)
        if exact != floor(exact):
            roots.append((Group(Term({ONE: prime})), exact - floor(exact)))
    monomial = tuple(sorted(roots, key=lambda item: polynomial.atom_key(item[0])))
    return Term({monomial: polynomial.tidy(outside)})


LARGEST_DIVISOR = 10_000
"""Primes up to here are found by trial; what is left of a number beyond its square stays one factor."""


@lru_cache(maxsize=4096)
def _factors(number: Fraction) -> tuple[tuple[int, int], ...]:
    """Factors with multiplicities, those of the denominator negative; distinct ones have no factor in common."""
    found: dict[int, int] = {}
    for rest, sign in ((number.numerator, 1), (number.denominator, -1)):
        divisor = 2
        while divisor * divisor <= rest and divisor <= LARGEST_DIVISOR:
            while rest % divisor == 0:
                found[divisor] = found.get(divisor, 0) + sign
                rest //= divisor
            divisor += 1
        root = isqrt(rest)
        if rest > 1:
            factor, multiplicity = (root, 2) if root * root == rest else (rest, 1)
            found[factor] = found.get(factor, 0) + sign * multiplicity
    return tuple(found.items())


def general_power(base: Term, exponent: Term) -> Term:
    """base ** exponent; a symbolic exponent goes through exp and log where the base is surely not negative."""
    number = exponent.number
    if number is not None:
        return power(base, number)
    if base.same(one):
        return one
    if not base.is_positive:  # (-2) ** 2.0 is 4 and has no logarithm
        return atom_term(Call("power", (base, exponent)))
    return exponential(multiply(exponent, function("log", base)))


def exponential(exponent: Term) -> Term:
    """exp, as a product over the summands of the exponent: exp(2*a - b) = exp(a)**2 * exp(b)**-1."""
    result = one
    for monomial, coefficient in exponent.terms.items():
        if monomial == ((INFINITY, 1),) and coefficient < 0:
            return zero
        if len(monomial) == 1 and isinstance(monomial[0][0], Call) and monomial[0][1] == 1:
            call = monomial[0][0]
            if call.function == "log":
                result = multiply(result, power(call.arguments[0], coefficient))
                continue
            if call.function == "select":
                condition, then, otherwise = call.arguments
                scaled = (exponential(multiply(t, Term({ONE: coefficient}))) for t in (then, otherwise))
                result = multiply(result, select(condition, *scaled))
                continue
        given = tuple((a, p) for a, p in monomial if isinstance(a, Indicator))
        if given:  # exp([c]*t) is exp(t) where c holds, else 1
            rest = tuple((a, p) for a, p in monomial if not isinstance(a, Indicator))
            held = exponential(Term({rest: coefficient})) - one
            result = multiply(result, one + multiply(Term({given: 1}), held))
            continue
        result = multiply(result, atom_term_power(Exponential(Term({monomial: 1})), coefficient))
    return result


def indicator(relation: Relation | bool) -> Term:
    """1 where the relation holds, else 0; `!=` and `>=` are complements, so that each fact has one form."""
    if isinstance(relation, bool):
        return one if relation else zero
    if relation.op == "!=":
        return one - indicator(Relation("==", relation.left, relation.right))
    if relation.op == "<=":  # of integers
        return indicator(_less(relation.left, relation.right + 1))
    if relation.op == "<":
        return indicator_of_less(relation.left, relation.right)
    difference = relation.left - relation.right
    if type(difference) is int:
        return one if difference == 0 else zero
    flip = terms_of(difference)[min(terms_of(difference), key=polynomial.monomial_key)] < 0
    left, right = _split(-difference if flip else difference)
    return atom_term(Indicator("==", left, right))


def indicator_of_less(left: Size, right: Size) -> Term:
    difference = right - left
    if type(difference) is int:
        return one if difference > 0 else zero
    constant = terms_of(difference).get(ONE, 0)
    if type(constant) is int and constant < 1:
        # Of a fact and its complement, just one has a constant of at least 1; renaming an index does not change which.
        return one - indicator_of_less(right, left + 1)
    smaller, larger = _split(-difference)
    return atom_term(Indicator("<", smaller, larger))


def _less(left: Size, right: Size) -> Relation | bool:
    answer = left < right
    return answer if isinstance(answer, (bool, Relation)) else bool(answer)


def _split(difference: Size) -> tuple[Size, Size]:
    """difference = left - right with positive coefficients on both sides."""
    terms = terms_of(difference)
    left = {m: c for m, c in terms.items() if c > 0}
    right = {m: -c for m, c in terms.items() if c < 0}
    return from_terms(left), from_terms(right)


def select(condition: Term, then: Term, otherwise: Term) -> Term:
    """then where the condition is 1, otherwise where it is 0; linear in both where they are finite."""
    if condition.number is not None:
        return then if condition.number else otherwise
    if then.same(otherwise):
        return then
    if any(INFINITY in dict(m) for t in (then, otherwise) for m in t.terms):
        return atom_term(Call("select", (condition, then, otherwise)))
    return multiply(condition, then) + multiply(one - condition, otherwise)


def function(name: str, *arguments: Term) -> Term:
    """A named function; the laws that the normal form uses are applied here, the rest stays opaque."""
    known = FUNCTIONS.get(name)
    if known is not None:
        return known(*arguments)
    return atom_term(Call(name, arguments))


def logarithm(argument: Term) -> Term:
    if argument.same(one):
        return zero
    if len(argument.terms) == 1:
        ((monomial, coefficient),) = argument.terms.items()
        if coefficient == 1 and len(monomial) == 1 and isinstance(monomial[0][0], Exponential):
            return multiply(monomial[0][0].exponent, Term({ONE: monomial[0][1]}))
    return atom_term(Call("log", (argument,)))


FUNCTIONS: Mapping[str, Callable[..., Term]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": multiply,
    "divide": lambda a, b: multiply(a, power(b, -1)),
    "true_divide": lambda a, b: multiply(a, power(b, -1)),
    "power": general_power,
    "float_power": general_power,
    "negative": lambda a: -a,
    "positive": lambda a: a,
    "sqrt": lambda a: power(a, Fraction(1, 2)),
    "square": lambda a: power(a, 2),
    "reciprocal": lambda a: power(a, -1),
    "exp": exponential,
    "log": logarithm,
    "select": select,
}


def apply(name: str, *operands: Any) -> Any:
    """Arithmetic that leaves the integers; registered with `Dim`, and used by NumPy's functions on scalars."""
    if name.startswith("compare "):
        return compare(name.removeprefix("compare "), *operands)
    by_numpy = name.startswith("numpy ")
    try:
        terms = tuple(as_term(o) for o in operands)
    except TypeError:
        return NotImplemented
    result = function(name.removeprefix("numpy "), *terms)
    return Term(result.terms, from_numpy=True) if by_numpy else _marked(result, *operands)


def compare(op: str, left: Any, right: Any) -> Any:
    """True or False where the difference is a plain number, a Relation where it is not."""
    if _is_array(right):
        return NotImplemented
    try:
        difference = as_term(left) - as_term(right)
    except TypeError:
        return {"==": False, "!=": True}.get(op, NotImplemented)
    value = difference.number
    if value is not None:
        return {"==": value == 0, "!=": value != 0, "<": value < 0, "<=": value <= 0}[op]
    sizes = _as_sizes(as_term(left), as_term(right))
    return Relation(op, *(sizes or (as_term(left), as_term(right))))


def _as_sizes(left: Term, right: Term) -> tuple[Size, Size] | None:
    """Both sides times their common denominator, where that leaves sizes: n / 2 < 2.5 is n < 5."""
    coefficients = [*left.terms.values(), *right.terms.values()]
    times = math.lcm(*(c.denominator for c in coefficients))
    scaled = [(t if times == 1 else t * times).size for t in (left, right)]
    return None if scaled[0] is None or scaled[1] is None else (scaled[0], scaled[1])


Dim.real_arithmetic = staticmethod(apply)
