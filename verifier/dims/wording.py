"""Sizes and conditions as a person would write them: `d % 2`, not `d - 2*(d // 2)`.

Law: what is printed is Python, and at every choice of sizes of at least 1 it has the value, or the truth, of what it
stands for. The normal form of `dim` is for comparing; this is the one place that is for reading.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from . import polynomial
from .dim import FloorDiv, Size, from_terms, is_dim, terms_of
from .polynomial import Coefficient, Monomial, Terms
from .relation import Relation

Exact = Sequence[tuple[Size, Size]]
"""Pairs (a, b) of which a premise says that b divides a."""


@dataclass(frozen=True)
class Written:
    """An atom that prints as a text."""

    text: str

    def __str__(self) -> str:
        return self.text


def size_text(size: Size, exact: Exact = ()) -> str:
    """A size.

    >>> from verifier.dims import symbol
    >>> d, h = symbol("d"), symbol("h")
    >>> size_text(d - 2 * (d // 2)), size_text(d - d // 2), size_text(h * (d // h), [(d, h)])
    ('d % 2', '(d + 1) // 2', 'd')
    """
    size = divided_out(size, exact)
    if not is_dim(size):
        return str(size)
    terms = _with_remainders(size, exact)
    ((monomial, coefficient),) = terms.items() if len(terms) == 1 else ((None, 0),)
    if coefficient == 1 and monomial and len(monomial) == 1 and monomial[0][1] == 1:
        atom = monomial[0][0]
        return str(atom)[1:-1] if isinstance(atom, Written) and str(atom).startswith("(") else str(atom)
    return polynomial.render(terms)


def divided_out(size: Size, exact: Exact) -> Size:
    """The size with `b*(a // b)` as `a`, where b divides a."""
    if not is_dim(size):
        return size
    for a, b in exact:
        floor: Hashable = FloorDiv(a, b)
        below = terms_of(b)
        if len(below) != 1:
            continue
        ((divisor, factor),) = below.items()
        wanted = polynomial.multiply_monomials(((floor, 1),), divisor)
        total: dict[Monomial, Coefficient] = {}
        for monomial, coefficient in terms_of(size).items():
            rest = polynomial.divide_monomials(monomial, wanted)
            if rest is None:
                total = polynomial.add(total, {monomial: coefficient})
            else:
                total = polynomial.add(total, polynomial.multiply({rest: Fraction(coefficient, factor)}, terms_of(a)))
        size = from_terms({m: polynomial.tidy(c) for m, c in total.items()})
        if not is_dim(size):
            break
    return size


def _with_remainders(size: Size, exact: Exact) -> dict[Monomial, Coefficient]:
    """The polynomial with `a % b` and rounded-up quotients as atoms, where it is shorter so."""
    terms = dict(terms_of(size))
    for floor in sorted(_floors(terms), key=str):
        linear = {m: c for m, c in terms.items() if (floor, 1) in m}
        if any(a == floor and p != 1 for m in terms for a, p in m):
            continue
        rest = {m: c for m, c in terms.items() if m not in linear}
        factor = {tuple(f for f in m if f[0] != floor): c for m, c in linear.items()}
        for times, taken, atom in _shorter(floor, factor, exact):
            left = polynomial.add(rest, polynomial.multiply(times, taken), -1)
            if len(left) + len(times) < len(terms):
                terms = polynomial.add(left, polynomial.multiply(times, {((atom, 1),): 1}))
                break
    return _written(terms, exact)


def _shorter(floor: FloorDiv, factor: Terms, exact: Exact) -> Iterable[tuple[Terms, Terms, Written]]:
    """What `factor * (a // b)` may be a part of: times, what else it needs so often, and what both are together."""
    above, below = terms_of(floor.numerator), terms_of(floor.denominator)
    quotient, rest = polynomial.divide(factor, below)
    if not rest:
        text = f"({_grouped(floor.numerator, exact)} % {_grouped(floor.denominator, exact)})"
        yield polynomial.add({}, quotient, -1), above, Written(text)
    if type(floor.denominator) is int:  # a rounded-up quotient a/b is a - (a*(b - 1) // b)
        up = floor.denominator
        whole = {m: Fraction(c, up - 1) for m, c in above.items()} if up > 1 else {}
        if whole and all(c.denominator == 1 for c in whole.values()):
            top = from_terms({m: int(c) for m, c in whole.items()})
            written = Written(f"({_grouped(top + up - 1, exact)} // {up})")
            yield polynomial.add({}, factor, -1), terms_of(top), written


def _written(terms: Terms, exact: Exact) -> dict[Monomial, Coefficient]:
    """Quotients print their parts in the same words."""
    result: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in terms.items():
        parts: Monomial = ()
        for atom, power in monomial:
            if isinstance(atom, FloorDiv):
                atom = Written(f"({_grouped(atom.numerator, exact)} // {_grouped(atom.denominator, exact)})")
            parts = polynomial.multiply_monomials(parts, ((atom, power),))
        result = polynomial.add(result, {parts: coefficient})
    return result


def _floors(terms: Terms) -> set[FloorDiv]:
    return {a for m in terms for a, _ in m if isinstance(a, FloorDiv)}


def _grouped(size: Size, exact: Exact = ()) -> str:
    text = size_text(size, exact)
    return f"({text})" if any(c in text for c in " *-") else text


def condition_text(relation: Relation, exact: Exact = ()) -> str:
    """A condition on sizes; one of anything else as it is.

    >>> from verifier.dims import symbol
    >>> d, h, n = symbol("d"), symbol("h"), symbol("n")
    >>> condition_text(h * (d // h) != d), condition_text(2 * n * d < 2 * n * h), condition_text(3 - n < 0)
    ('d % h != 0', 'd < h', 'n > 3')
    """
    left, right = relation.left, relation.right
    if not all(is_dim(s) or type(s) is int for s in (left, right)):
        return str(relation)
    difference = divided_out(left - right, exact)
    if not is_dim(difference):
        return f"{size_text(left)} {relation.op} {size_text(right)}"
    if relation.op in ("==", "!="):
        said = _equality(difference, relation.op, exact)
        given = f"{size_text(left, exact)} {relation.op} {size_text(right, exact)}"
        return given if len(given) < len(said) and is_dim(left) else said
    return _order(_without_shared(terms_of(difference)), relation.op, exact)


def _equality(difference: Size, op: str, exact: Exact) -> str:
    said = next(remainders_of(difference), None)
    if said is not None:
        return f"{_grouped(said[0], exact)} % {_grouped(said[1], exact)} {op} 0"
    terms = _without_shared(terms_of(difference))
    ((monomial, _),) = terms.items() if len(terms) == 1 else ((None, 0),)
    if monomial and len(monomial) == 1 and isinstance(monomial[0][0], FloorDiv):
        floor = monomial[0][0]
        if all(c > 0 for c in terms_of(floor.numerator).values()):  # a quotient of sizes is 0 where a < b
            words = "<" if op == "==" else ">="
            return f"{_grouped(floor.numerator, exact)} {words} {_grouped(floor.denominator, exact)}"
    above, below = _halves(terms)
    if not is_dim(above):
        above, below = below, above
    return f"{size_text(above, exact)} {op} {size_text(below, exact)}"


def remainders_of(difference: Size) -> Iterator[tuple[Size, Size]]:
    """(a, b) where a difference vanishes exactly where b divides a: it is `a - b*(a // b)`, or a multiple of it."""
    if not is_dim(difference):
        return
    for floor in sorted(_floors(terms_of(difference)), key=str):
        remainder = floor.numerator - floor.denominator * from_terms({((floor, 1),): 1})
        for sign in (1, -1):
            quotient, rest = polynomial.divide(terms_of(difference), terms_of(remainder * sign))
            if not rest and len(quotient) == 1 and all(c > 0 for c in quotient.values()) and not _vanishing(quotient):
                yield floor.numerator, floor.denominator


def sides_of(difference: Size) -> tuple[Size, Size]:
    """An equation left == right for a size that is to vanish, without what both sides share and what cannot be 0."""
    return _halves(_without_shared(terms_of(difference))) if is_dim(difference) else (difference, 0)


def _order(terms: Terms, op: str, exact: Exact) -> str:
    """terms < 0 or terms <= 0, over whole numbers: with what is subtracted on the right."""
    slack = {m: -c for m, c in terms.items()}
    constant = int(slack.pop((), 0)) - (1 if op == "<" else 0)
    above, below = _halves(slack)
    over, under = size_text(above, exact), size_text(below, exact)
    if not is_dim(below):
        return f"{over} > {-constant - 1}" if op == "<" else f"{over} >= {-constant}"
    if not is_dim(above):
        return f"{under} < {constant + 1}" if op == "<" else f"{under} <= {constant}"
    if constant == 0:
        return f"{under} <= {over}"
    if constant == -1:
        return f"{under} < {over}"
    return f"{under} + {-constant} <= {over}" if constant < 0 else f"{under} <= {over} + {constant}"


def _halves(terms: Terms) -> tuple[Size, Size]:
    return from_terms({m: c for m, c in terms.items() if c > 0}), from_terms({m: -c for m, c in terms.items() if c < 0})


def _without_shared(terms: Terms) -> Terms:
    """Without what all terms share and what cannot be 0, whole numbers and names of sizes: of a comparison with 0."""
    scale = lcm(*(Fraction(c).denominator for c in terms.values()))
    whole = {m: int(c * scale) for m, c in terms.items()}
    number = gcd(*whole.values())
    shared = dict(next(iter(terms)))
    for monomial in terms:
        powers = dict(monomial)
        shared = {a: min(p, powers[a]) for a, p in shared.items() if a in powers and not _may_vanish(a)}
    if len(terms) == 1 and not any(map(_may_vanish, dict(next(iter(terms))))):
        shared = {}  # a lone product of sizes stays itself
    divisor: Monomial = tuple(shared.items())
    found: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in whole.items():
        rest = polynomial.divide_monomials(monomial, divisor)
        assert rest is not None
        found[rest] = coefficient // number
    return found


def _vanishing(terms: Terms) -> bool:
    return any(_may_vanish(a) for m in terms for a, _ in m)


def _may_vanish(atom: Hashable) -> bool:
    """Whether an atom may be 0: a quotient, the place in a loop, a count of what only data decide."""
    return not isinstance(atom, str) or atom.startswith("count_") or atom[-1] in "₀₁₂₃₄₅₆₇₈₉"


def exact_of(premises: Iterable[Relation]) -> list[tuple[Size, Size]]:
    """The pairs of which premises say that one divides the other."""
    return [
        pair
        for p in premises
        if p.op == "==" and all(is_dim(s) or type(s) is int for s in (p.left, p.right))
        for pair in remainders_of(p.left - p.right)
    ]
