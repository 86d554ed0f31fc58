"""What a scope's assumptions say, solved: substitutions, equations left over, and sizes known to be at least 0.

`h*d_k == d_model` replaces d_model everywhere; `d_model % h == 0` is `d_model == h*r` with a fresh size r, so
that floor quotients vanish; an inequality becomes a size that is at least 0. A common factor that is surely
positive is cancelled, so `h*d_k == d_model` and `h*d_v == d_model` give d_v == d_k.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from ..dims import FloorDiv, Relation, Scope, Size, identical, is_dim, polynomial, symbol
from ..dims.dim import evaluate, floordiv, floors_of, from_terms, rebuild, substitute, symbols_of, terms_of

REMEMBERED = 4096
"""Sets of facts that are kept."""


@dataclass
class Facts:
    """Premises in the form that `order` and `decide` use.

    `solved` maps a symbol to its value in the others; `equations` vanish; `nonnegative` are at least 0;
    `unequal` are never 0. All are already reduced by `solved`.
    """

    least: dict[str, int]
    solved: dict[str, Size] = field(default_factory=lambda: dict[str, Size]())
    equations: list[Size] = field(default_factory=lambda: list[Size]())
    nonnegative: list[Size] = field(default_factory=lambda: list[Size]())
    unequal: list[Size] = field(default_factory=lambda: list[Size]())
    quotients: dict[str, tuple[Size, Size]] = field(default_factory=lambda: dict[str, tuple[Size, Size]]())
    """Fresh symbols r, each with the (numerator, denominator) whose exact quotient it is."""
    contradictory: bool = False
    answers: dict[tuple[str, str, str], bool | None] = field(
        default_factory=lambda: dict[tuple[str, str, str], bool | None](), compare=False, repr=False
    )
    """What was decided under them, when all are in: explorations that begin alike ask for the same again."""

    @classmethod
    def of(cls, scope: Scope, further: Iterable[Relation] = ()) -> Facts:
        """The facts of a scope and more relations; paths that begin alike ask for the same again, and share them."""
        relations = [*(a.relation for a in scope.assumptions), *further]
        key = (tuple(scope.least.items()), tuple(r.key for r in relations))
        found = _remembered.get(key)
        if found is None:
            if len(_remembered) >= REMEMBERED:
                _remembered.clear()
            found = _remembered[key] = cls._solved(scope, relations)
        return found

    @classmethod
    def _solved(cls, scope: Scope, relations: list[Relation]) -> Facts:
        facts = cls(dict(scope.least))
        # Equations first: whatever they solve simplifies the rest.
        for relation in sorted(relations, key=lambda r: ("==", "<", "<=", "!=").index(r.op)):
            if all(_is_size(s) for s in (relation.left, relation.right)):
                try:
                    facts.add(relation)
                except ZeroDivisionError:  # a premise divides by what the others make 0: nothing satisfies it
                    facts.contradictory = True
        return facts

    def reduce(self, size: Size) -> Size:
        """The size with everything solved put in, and floor quotients that are known to be exact."""
        return self._exactly(substitute(size, self.solved))

    def _exactly(self, size: Size) -> Size:
        """`3*d // 32` where 32 divides 3*d is the quotient that this was given, though d is not solved for."""
        if not self.quotients or not floors_of(size):
            return size
        known = [
            (name, substitute(numerator, self.solved), substitute(denominator, self.solved))
            for name, (numerator, denominator) in self.quotients.items()
        ]

        def value(atom: object) -> Size:
            if not isinstance(atom, FloorDiv):
                return from_terms({((atom, 1),): 1})
            over, under = exactly(atom.numerator), exactly(atom.denominator)
            for name, numerator, denominator in known:
                if identical(over, numerator) and identical(under, denominator):
                    return substitute(symbol(name), self.solved)
            return floordiv(over, under)

        def exactly(part: Size) -> Size:
            return rebuild(part, value) if floors_of(part) else part

        return exactly(size)

    def add(self, relation: Relation) -> None:
        difference = self.reduce(relation.right) - self.reduce(relation.left)
        if relation.op == "==":
            self._equate(difference)
        elif relation.op == "!=":
            self._differ(difference)
        else:
            self._bound(whole(difference) - (1 if relation.op == "<" else 0))

    def _differ(self, difference: Size) -> None:
        """Notes that the difference is not 0; a symbol that is not its least value is above it."""
        difference = self.primitive(difference)
        if not is_dim(difference):
            self.contradictory |= difference == 0
        elif not self._above_least(difference):
            self.unequal.append(difference)

    def _above_least(self, difference: Size) -> bool:
        """Whether the difference is a symbol less its least value, or the opposite: then the least value rises."""
        names = symbols_of(difference)
        if len(names) != 1:
            return False
        name = next(iter(names))
        gap = symbol(name) - self.least.get(name, 0)
        if not (identical(difference, gap) or identical(-difference, gap)):
            return False
        self.least[name] = self.least.get(name, 0) + 1
        unequal, self.unequal = self.unequal, []
        for other in unequal:
            self._differ(other)
        return True

    def _bound(self, size: Size) -> None:
        """Notes that the size is at least 0; a bound on one symbol raises its least value, or pins it there."""
        size = tightened(self.primitive(size))
        if not is_dim(size):
            self.contradictory |= size < 0
            return
        terms = dict(terms_of(size))
        constant = terms.pop(polynomial.ONE, 0)
        name = next(iter(symbols_of(size)), "")
        coefficient = terms.get(((name, 1),)) if len(terms) == 1 else None
        if coefficient == 1:
            self.least[name] = max(self.least.get(name, 0), -int(constant))
            return
        if coefficient == -1 and constant <= self.least.get(name, 0):
            self.contradictory |= constant < self.least.get(name, 0)
            self._equate(symbol(name) - self.least.get(name, 0))
            return
        self.nonnegative.append(size)

    def primitive(self, size: Size) -> Size:
        """The size without its common positive factor; it vanishes exactly where the size does."""
        terms = terms_of(whole(size))
        if not terms:
            return 0
        number = gcd(*(int(c) for c in terms.values()))
        terms = {m: int(c) // number for m, c in terms.items()}
        shared = dict(next(iter(terms)))
        for monomial in terms:
            powers = dict(monomial)
            shared = {a: min(p, powers[a]) for a, p in shared.items() if a in powers}
        shared = {a: p for a, p in shared.items() if isinstance(a, str) and self.least.get(a, 0) >= 1}
        divisor = tuple(shared.items())
        if divisor:
            terms = {polynomial.divide_monomials(m, divisor) or (): c for m, c in terms.items()}
        return from_terms(terms)

    def _equate(self, difference: Size) -> None:
        difference = self.primitive(self._open_remainders(self.primitive(difference)))
        if not is_dim(difference):
            self.contradictory |= difference != 0
            return
        if _misses_zero(difference):
            self.contradictory = True
            return
        ones = self._product_of_one(difference)
        if ones:
            for name in ones:
                self._equate(self.reduce(symbol(name)) - 1)
            return
        for name in sorted(symbols_of(difference), key=lambda n: (n in self.quotients, -len(n), n)):
            coefficient = terms_of(difference).get(((name, 1),))
            if coefficient not in (1, -1):
                continue
            value = symbol(name) - difference * coefficient
            if name not in symbols_of(value):
                self._solve(name, value)
                return
        self.equations.append(difference)

    def _product_of_one(self, difference: Size) -> tuple[str, ...]:
        """The sizes whose product is 1, so that each is; none where the equation says something else."""
        terms = dict(terms_of(difference))
        constant = terms.pop(polynomial.ONE, 0)
        if len(terms) != 1:
            return ()
        ((monomial, coefficient),) = terms.items()
        if coefficient != -constant or sum(p for _, p in monomial) < 2:
            return ()
        names = tuple(a for a, _ in monomial if isinstance(a, str) and self.least.get(a, 0) >= 0)
        return names if len(names) == len(monomial) else ()

    def _open_remainders(self, difference: Size) -> Size:
        """`a % b == 0` reads a - b*(a // b): the quotient becomes a size of its own.

        Only where a and b are surely not negative: else the quotient may be negative, and no size is.
        """
        for atom in floors_of(difference):
            remainder = atom.numerator - atom.denominator * floordiv(atom.numerator, atom.denominator)
            if not (identical(difference, remainder) or identical(difference, -remainder)):
                continue
            if not (self._surely_natural(atom.numerator) and self._surely_natural(atom.denominator)):
                continue
            name = f"({_factor(atom.numerator)}/{_factor(atom.denominator)})"
            self.quotients[name] = (atom.numerator, atom.denominator)
            self.least.setdefault(name, 1 if self._surely_positive(atom.numerator) else 0)
            return atom.numerator - atom.denominator * symbol(name)
        return difference

    def _surely_natural(self, size: Size) -> bool:
        """Whether every coefficient and every symbol is at least 0; b is not 0 where a % b exists."""
        return all(
            c > 0 and all(isinstance(a, str) and self.least.get(a, 0) >= 0 for a, _ in m)
            for m, c in terms_of(size).items()
        )

    def _surely_positive(self, size: Size) -> bool:
        return all(
            c > 0 and all(isinstance(a, str) and self.least.get(a, 0) >= 1 for a, _ in m)
            for m, c in terms_of(size).items()
        )

    def _solve(self, name: str, value: Size) -> None:
        """Puts the value in wherever the symbol stands, and keeps that it is at least the symbol's least."""
        one = {name: value}
        self.solved = {n: substitute(v, one) for n, v in self.solved.items()}
        self.solved[name] = value
        lower = value - self.least.get(name, 0)
        equations, self.equations = self.equations, []
        bounds, self.nonnegative = self.nonnegative, []
        unequal, self.unequal = self.unequal, []
        for size in (*bounds, lower):
            self._bound(substitute(size, one))
        for size in unequal:
            self._differ(substitute(size, one))
        for equation in equations:
            self._equate(self.reduce(equation))  # the one before may have solved a further symbol

    def free(self, sizes: Iterable[Size]) -> tuple[str, ...]:
        """The symbols left after solving, in a fixed order."""
        names = {n for s in sizes for n in symbols_of(self.reduce(s))}
        return tuple(sorted(names))


def _is_size(value: object) -> bool:
    return is_dim(value) or type(value) is int


def _misses_zero(size: Size) -> bool:
    """Whether an integer is never 0 since a divisor of all its other terms does not divide the constant: 2*k - 1."""
    terms = dict(terms_of(size))
    constant = terms.pop(polynomial.ONE, 0)
    if not terms or not all(type(c) is int for c in (*terms.values(), constant)):
        return False
    return int(constant) % gcd(*(int(c) for c in terms.values())) != 0


def tightened(size: Size) -> Size:
    """What an integer that is at least 0 says of its symbols: 2*q - 3 >= 0 is q - 2 >= 0."""
    terms = dict(terms_of(size))
    constant = terms.pop(polynomial.ONE, 0)
    if not terms or not all(type(c) is int for c in (*terms.values(), constant)):
        return size
    shared = gcd(*(int(c) for c in terms.values()))
    return from_terms({**{m: int(c) // shared for m, c in terms.items()}, **_constant(int(constant) // shared)})


def _constant(value: int) -> dict[polynomial.Monomial, int]:
    return {polynomial.ONE: value} if value else {}


def whole(size: Size) -> Size:
    """The size times the common denominator of its coefficients: an integer of the same sign."""
    return size * lcm(*(Fraction(c).denominator for c in terms_of(size).values()))


def _factor(size: Size) -> str:
    text = str(size)
    return f"({text})" if " " in text or "*" in text else text


def solution(facts: Facts, values: Mapping[str, int]) -> dict[str, int] | None:
    """Every symbol's number where the free ones have these values; None where a least value is missed."""
    sizes = dict(values)
    for name, value in facts.solved.items():
        try:
            sizes[name] = evaluate(value, values)
        except (KeyError, ZeroDivisionError):
            return None
    if any(type(v) is not int or v < facts.least.get(n, 0) for n, v in sizes.items()):
        return None
    return sizes


_remembered: dict[tuple[tuple[tuple[str, int], ...], tuple[tuple[str, str, str], ...]], Facts] = {}
