"""Sparse polynomials over hashable atoms with exact rational coefficients: the normal form behind `Dim`.

A polynomial is a dict from monomial to coefficient; a monomial is a tuple of (atom, exponent) pairs in
the order of `atom_key`; the empty monomial is the constant. Sizes have natural exponents; terms, which share
this module, have rational ones. Zero coefficients are never stored, so two
polynomials are equal exactly when their dicts are.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction

Coefficient = int | Fraction
Monomial = tuple[tuple[Hashable, Coefficient], ...]
Terms = Mapping[Monomial, Coefficient]
ONE: Monomial = ()


def atom_key(atom: Hashable) -> tuple[bool, str]:
    """One-letter names first, then by name: `h*n*d_k`, as the field writes it."""
    name = str(atom)
    return (len(name) > 1, name)


def monomial_key(monomial: Monomial) -> tuple[Coefficient, tuple[tuple[tuple[bool, str], Coefficient], ...]]:
    """Degree first, then names: the order in which people read a polynomial."""
    return (-sum(power for _, power in monomial), tuple((atom_key(a), -p) for a, p in monomial))


def tidy(coefficient: Coefficient) -> Coefficient:
    """An integral Fraction as an int, so that equal coefficients look equal."""
    if isinstance(coefficient, Fraction) and coefficient.denominator == 1:
        return coefficient.numerator
    return coefficient


def multiply_monomials(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    powers: dict[Hashable, Coefficient] = dict(left)
    for atom, power in right:
        powers[atom] = tidy(powers.get(atom, 0) + power)
    return tuple(sorted(((a, p) for a, p in powers.items() if p), key=lambda item: atom_key(item[0])))


def divide_monomials(left: Monomial, right: Monomial) -> Monomial | None:
    """left / right, or None where it is no monomial."""
    powers = dict(left)
    for atom, power in right:
        rest = powers.get(atom, 0) - power
        if rest < 0:
            return None
        if rest:
            powers[atom] = rest
        else:
            del powers[atom]
    return tuple(powers.items())


def add(left: Terms, right: Terms, factor: Coefficient = 1) -> dict[Monomial, Coefficient]:
    """left + factor * right."""
    total: dict[Monomial, Coefficient] = dict(left)
    for monomial, coefficient in right.items():
        value = tidy(total.get(monomial, 0) + factor * coefficient)
        if value:
            total[monomial] = value
        else:
            total.pop(monomial, None)
    return total


def multiply(left: Terms, right: Terms) -> dict[Monomial, Coefficient]:
    total: dict[Monomial, Coefficient] = {}
    for m1, c1 in left.items():
        for m2, c2 in right.items():
            monomial = multiply_monomials(m1, m2)
            value = tidy(total.get(monomial, 0) + c1 * c2)
            if value:
                total[monomial] = value
            else:
                total.pop(monomial, None)
    return total


def grlex_key(monomial: Monomial, order: Mapping[Hashable, int]) -> tuple[Coefficient, tuple[Coefficient, ...]]:
    """Graded lexicographic order over the atoms' places: compatible with multiplication."""
    powers: list[Coefficient] = [0] * len(order)
    for atom, power in monomial:
        powers[order[atom]] = power
    return (sum(powers), tuple(powers))


def divide(left: Terms, right: Terms) -> tuple[dict[Monomial, Coefficient], dict[Monomial, Coefficient]]:
    """Quotient and remainder with integral quotient: left = q * right + r, r without a divisible term.

    Coefficients divide with floor, so the quotient stays integral and floor(left/right) = q + floor(r/right).
    """
    atoms = {a for terms in (left, right) for m in terms for a, _ in m}
    order = {a: i for i, a in enumerate(sorted(atoms, key=atom_key))}
    lead = max(right, key=lambda m: grlex_key(m, order))
    rest: dict[Monomial, Coefficient] = dict(left)
    quotient: dict[Monomial, Coefficient] = {}
    remainder: dict[Monomial, Coefficient] = {}
    while rest:
        top = max(rest, key=lambda m: grlex_key(m, order))
        coefficient = rest[top]
        monomial = divide_monomials(top, lead)
        factor = 0 if monomial is None else coefficient // right[lead]
        if monomial is None or not factor:
            remainder[top] = rest.pop(top)
            continue
        quotient = add(quotient, {monomial: factor})
        rest = add(rest, multiply(right, {monomial: factor}), -1)
        if top in rest:  # what the floor of the coefficient left over cannot be divided further
            remainder[top] = rest.pop(top)
    return quotient, remainder


def render(terms: Terms) -> str:
    """Plain Python notation, highest degree first."""
    if not terms:
        return "0"
    pieces: list[str] = []
    ordered = sorted(terms, key=monomial_key)
    if terms[ordered[0]] < 0:  # `3 - n`, not `-n + 3`
        ordered.sort(key=lambda m: terms[m] < 0)
    for monomial in ordered:
        coefficient = terms[monomial]
        factors = [
            str(a) if p == 1 else f"{a}**{p}" if type(p) is int and p >= 0 else f"{a}**({p})" for a, p in monomial
        ]
        size = abs(coefficient)
        if size != 1 or not factors:
            number = f"({size})" if isinstance(size, Fraction) and factors else str(size)
            factors.insert(0, number)
        sign = "-" if coefficient < 0 else "+"
        body = "*".join(factors)
        pieces.append(f"{sign} {body}" if pieces else (f"-{body}" if sign == "-" else body))
    return " ".join(pieces)
