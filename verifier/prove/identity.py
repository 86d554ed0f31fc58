"""Equality of two terms of sizes, under polynomial assumptions: SymPy finds the cofactors that certify it.

Law: multiplier · denominator · (left - right) = Σ cofactor_i · (assumption_i.left - assumption_i.right) as
polynomials, with multiplier and denominator never 0, so left = right wherever the assumptions hold. Roots and
exact quotients take part as symbols with a defining relation of their own: s**2 == d_k, d == h*q.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..dims import Dim, FloorDiv, Relation, Scope, Size, identical
from ..dims.dim import floors_of
from ..terms import Group, Term, as_term
from ..terms.fold import term_symbols
from ..verdict import Truth, Verdict
from .facts import Facts
from .refute import compare_values, counterexample, value_at

if TYPE_CHECKING:
    import sympy


FIRST_TRIES = 3
"""Smallest sizes that are tried before a proof is looked for."""


@dataclass
class _Translation:
    """Sizes as SymPy symbols; roots and floor quotients as further symbols with their defining relations."""

    symbols: dict[str, sympy.Symbol] = field(default_factory=lambda: dict[str, Any]())
    roots: dict[str, tuple[str, int, sympy.Expr]] = field(default_factory=lambda: dict[str, Any]())
    quotients: dict[str, tuple[str, FloorDiv]] = field(default_factory=lambda: dict[str, Any]())

    def symbol(self, name: str) -> sympy.Symbol:
        import sympy

        if name not in self.symbols:
            self.symbols[name] = sympy.Symbol(name)
        return self.symbols[name]

    def term(self, term: Term) -> sympy.Expr:
        import sympy

        # Added and multiplied all at once: one by one SymPy sorts what is there again each time.
        return sympy.Add(
            *(
                sympy.Mul(
                    sympy.Rational(Fraction(coefficient).numerator, Fraction(coefficient).denominator),
                    *(self._power(atom, Fraction(exponent)) for atom, exponent in monomial),
                )
                for monomial, coefficient in term.terms.items()
            )
        )

    def _power(self, atom: Any, exponent: Fraction) -> sympy.Expr:
        base = self._atom(atom)
        if exponent.denominator == 1:
            return base**exponent.numerator
        key = f"{atom}^1/{exponent.denominator}"
        if key not in self.roots:
            self.roots[key] = (f"root{len(self.roots) + 1}", exponent.denominator, base)
        return self.symbol(self.roots[key][0]) ** exponent.numerator

    def _atom(self, atom: Any) -> sympy.Expr:
        match atom:
            case str():
                return self.symbol(atom)
            case FloorDiv():
                if str(atom) not in self.quotients:
                    self.quotients[str(atom)] = (f"quotient{len(self.quotients) + 1}", atom)
                return self.symbol(self.quotients[str(atom)][0])
            case Group():
                return self.term(atom.term)
            case _:
                raise TypeError(f"{atom} depends on more than sizes")

    def size(self, size: Size) -> sympy.Expr:
        return self.term(as_term(size))


def as_sympy(term: Term) -> sympy.Expr:
    """A term of sizes as a SymPy expression over plain symbols, roots as rational powers."""
    translation = _Translation()
    expression = translation.term(term)
    roots = {translation.symbol(name): (base, order) for name, order, base in translation.roots.values()}
    import sympy

    return expression.subs({root: base ** sympy.Rational(1, order) for root, (base, order) in roots.items()})


def prove_equal(left: Any, right: Any, scope: Scope) -> Verdict:
    """Whether two terms of sizes agree at all sizes that the scope admits.

    PROVED with cofactors as the certificate, REFUTED with the smallest sizes at which they differ, or UNDECIDED.
    """
    left_term, right_term = as_term(left), as_term(right)
    instance = instance_certificate(Relation("==", left_term, right_term), scope)
    if instance is not None:
        return Verdict(Truth.PROVED, "at the sizes given", certificate=instance)
    certificate = equality_certificate(left_term, right_term, scope)
    if certificate is not None:
        steps = _steps(left_term, right_term, certificate)
        return Verdict(Truth.PROVED, "an identity of polynomials", certificate=certificate, steps=steps)
    refutation = counterexample(Relation("==", left_term, right_term), scope)
    if refutation is not None:
        return Verdict(Truth.REFUTED, f"{refutation['left']} is not {refutation['right']}", witness=refutation)
    return Verdict(
        Truth.UNDECIDED,
        f"no counterexample among small sizes, and {left_term - right_term} is not in the ideal of the assumptions",
    )


def instance_certificate(relation: Relation, scope: Scope) -> Mapping[str, Any] | None:
    """The evaluation of a relation whose every size the assumptions fix to a number; None where one is free."""
    facts = Facts.of(scope)
    left, right = as_term(relation.left), as_term(relation.right)
    sizes = {n: facts.solved.get(n) for n in term_symbols(left) | term_symbols(right)}
    known = {n: v for n, v in sizes.items() if type(v) is int}
    if len(known) < len(sizes) or not compare_values(relation.op, value_at(left, known), value_at(right, known)):
        return None
    return {"kind": "instance", "op": relation.op, "left": str(left), "right": str(right), "sizes": known}


def equality_certificate(left: Term, right: Term, scope: Scope) -> Mapping[str, Any] | None:
    """The cofactors that show left == right, or None where SymPy finds none.

    Sides that differ at one of the smallest sizes are not given to SymPy, which may look for long.
    """
    if counterexample(Relation("==", left, right), scope, tries=FIRST_TRIES) is not None:
        return None
    import sympy

    translation = _Translation()
    try:
        left_expr, right_expr = translation.term(left), translation.term(right)
    except TypeError:
        return None
    numerator, denominator = sympy.fraction(sympy.together(left_expr - right_expr))
    numerator, denominator = sympy.expand(numerator), sympy.expand(denominator)
    if denominator.could_extract_minus_sign():
        numerator, denominator = -numerator, -denominator
    relations = _relations(translation, scope)
    found = _cofactors(numerator, [r.left - r.right for r in relations], translation, scope.least)
    if found is None:
        return None
    multiplier, cofactors = found
    used = [(r, c) for r, c in zip(relations, cofactors, strict=True) if c != 0]
    return {
        "kind": "identity",
        "left": str(left_expr),
        "right": str(right_expr),
        "denominator": str(denominator),
        "multiplier": str(multiplier),
        "relations": [{"source": r.source, "left": str(r.left), "right": str(r.right)} for r, _ in used],
        "cofactors": [str(c) for _, c in used],
        "defined": {name: f"({base})**(1/{order})" for name, order, base in translation.roots.values()}
        | {name: str(atom) for name, atom in translation.quotients.values()},
    }


@dataclass(frozen=True)
class _Premise:
    source: str
    left: Any
    right: Any


def _relations(translation: _Translation, scope: Scope) -> list[_Premise]:
    """The assumptions that are equations, and the relations that define roots and exact quotients."""
    found: list[_Premise] = []
    for assumption in scope.assumptions:
        relation = assumption.relation
        if relation.op != "==":
            continue
        exact = _exact_quotient(relation)
        if exact is not None:
            quotient = translation.size(_floor(exact))
            found.append(
                _Premise(
                    assumption.text, translation.size(exact.numerator), translation.size(exact.denominator) * quotient
                )
            )
        else:
            try:
                found.append(
                    _Premise(
                        assumption.text,
                        translation.term(as_term(relation.left)),
                        translation.term(as_term(relation.right)),
                    )
                )
            except TypeError:
                continue
    for name, order, base in translation.roots.values():
        found.append(_Premise(f"{name} is a root", translation.symbol(name) ** order, base))
    return found


def _floor(atom: FloorDiv) -> Size:
    return Dim({((atom, 1),): 1})


def _exact_quotient(relation: Relation) -> FloorDiv | None:
    """a // b where the relation says a % b == 0."""
    difference = relation.left - relation.right
    for atom in floors_of(difference):
        remainder = atom.numerator - atom.denominator * _floor(atom)
        if identical(difference, remainder) or identical(difference, -remainder):
            return atom
    return None


def _cofactors(
    target: Any, generators: list[Any], translation: _Translation, least: Mapping[str, int]
) -> tuple[Any, list[Any]] | None:
    """Polynomials c_i with multiplier * target = sum c_i * generator_i; the multiplier is a product of sizes."""
    import sympy

    if target == 0:
        return sympy.Integer(1), [sympy.Integer(0)] * len(generators)
    if not generators:
        return None
    symbols = sorted(set().union(target.free_symbols, *(g.free_symbols for g in generators)), key=str)
    if not symbols:  # a number that is not 0, and premises such as n == n that say nothing
        return None
    ring = sympy.QQ.old_poly_ring(*symbols)
    ideal = ring.ideal(*generators)
    for multiplier in _multipliers(generators, translation, least):
        try:
            found = ideal.in_terms_of_generators(ring.convert(sympy.expand(multiplier * target)))
        except ValueError:  # SymPy's way to say that it is not in the ideal
            continue
        return multiplier, [sympy.expand(ring.to_sympy(c)) for c in found]
    return None


def _multipliers(generators: Iterable[Any], translation: _Translation, least: Mapping[str, int]) -> list[Any]:
    """1, and products of sizes that occur in the assumptions: cancelling h makes h*d_k = h*d_v say d_k = d_v."""
    import sympy

    # A floor quotient may be 0, and so may a size whose least value is.
    roots = {name for name, _, _ in translation.roots.values()}
    found = {s for g in generators for s in g.free_symbols if str(s) in roots or least.get(str(s), 0) >= 1}
    names = sorted(found, key=str)
    singles = [sympy.Integer(1), *names]
    return [*singles, sympy.Mul(*names)]


def _steps(left: Term, right: Term, certificate: Mapping[str, Any]) -> tuple[str, ...]:
    lines = [f"left  = {left}", f"right = {right}"]
    for relation, cofactor in zip(certificate["relations"], certificate["cofactors"], strict=True):
        lines.append(f"use {relation['left']} = {relation['right']}  ({relation['source']}), times {cofactor}")
    factor = "·".join(
        t for t in (certificate["multiplier"], f"({certificate['denominator']})") if t not in ("1", "(1)")
    )
    lines.append(f"{factor + '·' if factor else ''}(left - right) is the sum of these, so it is 0")
    return tuple(lines)
