"""Sums and maxima over bound indices, in normal form.

Laws, each a step of `sum_over`: a sum is linear; a factor that does not depend on a bound index stands
outside; nested sums are one sum over several indices; a sum over independent indices is a product of sums; a
sum over a merged axis of h*d elements is a sum over h and over d; an equality indicator removes its index;
bound indices have canonical names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import count, islice, permutations, product
from typing import Any

from ..dims import Dim, FloorDiv, Lookup, Relation, Size, identical, polynomial, symbol
from ..dims.dim import floordiv, symbols_of, terms_of
from ..dims.dim import rebuild as rebuild_size
from ..dims.dim import substitute as substitute_size
from ..dims.polynomial import Coefficient, Monomial
from .atoms import Call, Entry, Exponential, Fold, Group, Indicator
from .ranges import bounds, fresh_index, index_name, is_index, simplify, surely_nonnegative, surely_within
from .term import Term, atom_term, exponential, function, indicator, multiply, one, power, zero

MAX_PERMUTED = 5
"""Up to this many bound indices that play the same part every naming is tried; above, they keep their order."""
MAX_UNROLLED = 8
"""A sum over at most so many places is written out."""
WORDS = re.compile(r"\w+")

Change = Callable[[Size, "Ranges"], Size]
Binders = tuple[tuple[str, Size], ...]
Ranges = Mapping[str, Size]


@lru_cache(maxsize=65536)
def free_symbols(atom: Any) -> frozenset[str]:
    """Size and index symbols that occur free."""
    match atom:
        case str():
            return frozenset({atom})
        case FloorDiv():
            return symbols_of(atom.numerator) | symbols_of(atom.denominator)
        case Lookup():
            return symbols_of(Dim({((atom, 1),): 1}))
        case Entry():
            return frozenset().union(*(symbols_of(i) for i in atom.index))
        case Call():
            return frozenset().union(*(term_symbols(t) for t in atom.arguments))
        case Exponential():
            return term_symbols(atom.exponent)
        case Group():
            return term_symbols(atom.term)
        case Indicator():
            return symbols_of(atom.left) | symbols_of(atom.right)
        case Fold():
            bound = {name for name, _ in atom.binders}
            sizes = frozenset().union(*(symbols_of(s) for _, s in atom.binders))
            return (term_symbols(atom.body) - bound) | sizes
        case _:
            raise TypeError(f"{atom!r} is no atom")


def term_symbols(term: Term) -> frozenset[str]:
    return frozenset().union(*(free_symbols(a) for m in term.terms for a, _ in m))


def substitute(term: Term, values: Mapping[str, Size], ranges: Ranges) -> Term:
    """The term with size and index symbols replaced, in normal form again."""
    if not values:
        return term

    def change(size: Size, inside: Ranges) -> Size:
        return simplify(substitute_size(size, values), inside)

    return map_sizes(term, change, frozenset(values), ranges)


def map_sizes(term: Term, change: Change, names: frozenset[str], ranges: Ranges) -> Term:
    """The term with its sizes and indices changed, in normal form again; only what mentions the names is touched."""
    if not term_symbols(term) & names:
        return term
    return rebuild(term, lambda atom: _map_atom(atom, change, names, ranges))


def rebuild(term: Term, atom_value: Any) -> Term:
    """The same polynomial over other atoms."""
    total = zero
    for monomial, coefficient in term.terms.items():
        product = Term({polynomial.ONE: coefficient})
        for atom, exponent in monomial:
            product = multiply(product, power(atom_value(atom), exponent))
        total = total + product
    return total


def _map_atom(atom: Any, change: Change, names: frozenset[str], ranges: Ranges) -> Term:
    if not free_symbols(atom) & names:
        return atom_term(atom)
    match atom:
        case str():
            return Term(terms_of(change(symbol(atom), ranges)))
        case FloorDiv() | Lookup():
            return Term(terms_of(change(Dim({((atom, 1),): 1}), ranges)))
        case Entry():
            return atom_term(Entry(atom.array, tuple(change(i, ranges) for i in atom.index)))
        case Call():
            return function(atom.function, *(map_sizes(t, change, names, ranges) for t in atom.arguments))
        case Exponential():
            return exponential(map_sizes(atom.exponent, change, names, ranges))
        case Group():
            return map_sizes(atom.term, change, names, ranges)
        case Indicator():
            return decided(Relation(atom.op, change(atom.left, ranges), change(atom.right, ranges)), ranges)
        case Fold():
            opened, body = open_fold(atom)
            changed = tuple((name, change(size, ranges)) for name, size in opened)
            return fold(atom.kind, changed, map_sizes(body, change, names, {**ranges, **dict(changed)}), ranges)
        case _:
            raise TypeError(f"{atom!r} is no atom")


def replace_entries(term: Term, rule: Callable[[Entry], Term | None], ranges: Ranges) -> Term:
    """The term with elements of inputs replaced, in normal form again; the rule says None for what stays."""

    def atom_value(atom: Any) -> Term:
        match atom:
            case Entry():
                value = rule(atom)
                return atom_term(atom) if value is None else value
            case Call():
                return function(atom.function, *(replace_entries(t, rule, ranges) for t in atom.arguments))
            case Exponential():
                return exponential(replace_entries(atom.exponent, rule, ranges))
            case Group():
                return replace_entries(atom.term, rule, ranges)
            case Fold():
                opened, body = open_fold(atom)
                inside = {**ranges, **dict(opened)}
                return fold(atom.kind, opened, replace_entries(body, rule, inside), ranges)
            case _:
                return atom_term(atom)

    return rebuild(term, atom_value)


def decided(relation: Relation, ranges: Ranges) -> Term:
    """The indicator of a relation, or its value where the ranges decide it."""
    if relation.op == "<":
        difference = relation.right - relation.left
        if surely_positive(difference, ranges):
            return one
        if surely_positive(1 - difference, ranges):
            return zero
        return indicator(compare_sizes("<", relation.left, relation.right))
    if relation.op != "==":
        return one - decided(relation.negated(), ranges)
    difference = relation.left - relation.right
    if surely_positive(difference, ranges) or surely_positive(-difference, ranges):
        return zero
    return indicator(compare_sizes(relation.op, relation.left, relation.right))


def compare_sizes(op: str, left: Size, right: Size) -> Relation | bool:
    difference = left - right
    if type(difference) is int:
        return {"==": difference == 0, "!=": difference != 0, "<": difference < 0, "<=": difference <= 0}[op]
    return Relation(op, left, right)


def surely_positive(size: Size, ranges: Ranges) -> bool:
    extent = bounds(size, ranges)
    return extent is not None and surely_nonnegative(extent[0] - 1)


def open_fold(atom: Fold) -> tuple[Binders, Term]:
    """The fold's binders under names that occur nowhere else, and its body in them."""
    names = {name: fresh_index() for name, _ in atom.binders}
    renamed = rename(atom.body, names)
    return tuple((names[name], size) for name, size in atom.binders), renamed


def rename(term: Term, names: Mapping[str, str]) -> Term:
    """Replaces free index symbols by others; nothing simplifies, so ranges do not matter."""
    return substitute(term, {old: symbol(new) for old, new in names.items()}, {})


def fold(kind: str, binders: Binders, body: Term, ranges: Ranges) -> Term:
    """The fold of that kind; binders are fresh names, and the body of an any or all is 0 or 1."""
    if kind == "sum":
        return sum_over(binders, body, ranges)
    binders, body = _unpermuted(binders, body, ranges)
    used = term_symbols(body)
    needed = tuple((name, size) for name, size in binders if name in used)
    if kind == "product" or not all(surely_nonnegative(size - 1) for _, size in binders):
        return atom_term(canonical(kind, binders, body))  # over nothing, any is 0 and all is 1, whatever the body
    return atom_term(canonical(kind, needed, body)) if needed else body


def sum_over(binders: Binders, body: Term, ranges: Ranges) -> Term:
    """The sum of a body over bound indices with fresh names."""
    inside = {**ranges, **dict(binders)}
    for name, size in binders:
        others = tuple(b for b in binders if b[0] != name)
        if type(size) is int and size <= MAX_UNROLLED:
            parts = (substitute(body, {name: place}, inside) for place in range(size))
            return sum((sum_over(others, part, ranges) for part in parts), zero)
        threshold = _threshold(name, size, body, inside)
        if threshold is not None:
            # Where the body changes at a place, as a concatenation does, the range is cut there.
            low, high = fresh_index(), fresh_index()
            below = substitute(body, {name: symbol(low)}, {**inside, low: threshold})
            above = substitute(body, {name: symbol(high) + threshold}, {**inside, high: size - threshold})
            return sum_over((*others, (low, threshold)), below, ranges) + sum_over(
                (*others, (high, size - threshold)), above, ranges
            )
    total = zero
    for monomial, coefficient in body.terms.items():
        total = total + multiply(Term({polynomial.ONE: coefficient}), _sum_of_product(binders, monomial, ranges))
    return total


def _sum_of_product(binders: Binders, monomial: Monomial, ranges: Ranges) -> Term:
    inside = {**ranges, **dict(binders)}
    bound = {name for name, _ in binders}
    renamed, whole = _unpermuted(binders, Term({monomial: 1}), ranges)
    if renamed != binders:
        return sum_over(renamed, whole, ranges)
    split = _split_merged(binders, monomial)
    if split is not None:
        name, parts, value = split
        others = tuple(b for b in binders if b[0] != name)
        wider = {**inside, **dict(parts)}
        changed = substitute(Term({monomial: 1}), {name: value}, wider)
        return sum_over((*others, *parts), changed, ranges)
    for atom, exponent in monomial:
        if (
            isinstance(atom, Fold)
            and atom.kind == "sum"
            and type(exponent) is int
            and exponent > 0
            and free_symbols(atom) & bound
        ):
            opened, body = open_fold(atom)
            rest = polynomial.multiply_monomials(monomial, ((atom, -1),))
            product = multiply(Term({rest: 1}), body)
            return sum_over((*binders, *opened), product, ranges)
        if isinstance(atom, Indicator) and free_symbols(atom) & bound:
            known = decided(Relation(atom.op, atom.left, atom.right), inside).number
            if known is not None:
                rest = polynomial.multiply_monomials(monomial, ((atom, -exponent),))
                return sum_over(binders, Term({rest: 1}), ranges) if known else zero
        if isinstance(atom, Indicator) and atom.op == "==":
            solved = _solved(atom, binders, inside)
            if solved is not None:
                name, value = solved
                others = tuple(b for b in binders if b[0] != name)
                rest = polynomial.multiply_monomials(monomial, ((atom, -exponent),))
                return sum_over(others, substitute(Term({rest: 1}), {name: value}, inside), ranges)
    inverse = _inverse_pair(binders, monomial)
    if inverse is not None:
        name, rest, delta = inverse
        others = tuple(b for b in binders if b[0] != name)
        return sum_over(others, multiply(rest, delta), ranges)
    outside = tuple((a, p) for a, p in monomial if not free_symbols(a) & bound)
    dependent = [(a, p) for a, p in monomial if free_symbols(a) & bound]
    result = Term({outside: 1})
    for names, factors in _components(binders, dependent):
        if not factors:
            for _, size in names:
                result = multiply(result, Term(terms_of(size)))
        else:
            result = multiply(result, atom_term(canonical("sum", names, Term({tuple(factors): 1}))))
    return result


INVERSE = "⁻¹"
"""What the name of an inverse matrix ends in; no Python name and no axis contains it."""


def _inverse_pair(binders: Binders, monomial: Monomial) -> tuple[str, Term, Term] | None:
    """Σ_k M[a, k]·M⁻¹[k, b] is 1 where a = b, else 0: the index, the other factors, and that indicator."""
    for name, _ in binders:
        using = [(a, p) for a, p in monomial if name in free_symbols(a)]
        entries = [a for a, p in using if isinstance(a, Entry) and p == 1 and len(a.index) == 2]
        if len(using) != 2 or len(entries) != 2:
            continue
        for left, right in (entries, entries[::-1]):
            if left.array == right.array:
                continue
            if left.array not in (f"{right.array}{INVERSE}", right.array.removesuffix(INVERSE)):
                continue
            if identical(left.index[1], symbol(name)) and identical(right.index[0], symbol(name)):
                rest = Term({tuple((a, p) for a, p in monomial if a not in (left, right)): 1})
                return name, rest, indicator(compare_sizes("==", left.index[0], right.index[1]))
    return None


def _unpermuted(binders: Binders, body: Term, ranges: Ranges) -> tuple[Binders, Term]:
    """A fold over i that reads i only as p[i], p a permutation of its range, is the fold over the range itself."""
    for name, size in binders:
        for atom in body.atoms:
            for permutation in _lookups_in(atom):
                if not (
                    len(permutation.index) == 1
                    and identical(permutation.index[0], symbol(name))
                    and identical(permutation.permutes, size)
                ):
                    continue
                new = fresh_index()

                def change(old: Size, inside: Ranges, permutation: Lookup = permutation, new: str = new) -> Size:
                    return simplify(_read_directly(old, permutation, new), inside)

                renamed = map_sizes(body, change, frozenset({name}), {**ranges, **dict(binders), new: size})
                if name not in term_symbols(renamed):
                    others = tuple((new, size) if b[0] == name else b for b in binders)
                    return others, renamed
    return binders, body


def _read_directly(size: Size, permutation: Lookup, new: str) -> Size:
    """The size with each reading of the permutation at that index replaced by the new index."""

    def atom_value(atom: object) -> Size:
        if atom == permutation:
            return symbol(new)
        if isinstance(atom, FloorDiv):
            return floordiv(*(_read_directly(s, permutation, new) for s in (atom.numerator, atom.denominator)))
        return Dim({((atom, 1),): 1})

    return rebuild_size(size, atom_value)


def _lookups_in(atom: Any) -> frozenset[Lookup]:
    """Every reading of an array of places that occurs in an atom's indices."""
    match atom:
        case Lookup():
            return frozenset({atom})
        case Entry():
            return frozenset().union(*(_lookups_of(i) for i in atom.index))
        case Call():
            return frozenset().union(*(_lookups_in(a) for t in atom.arguments for a in t.atoms))
        case Exponential():
            return frozenset().union(*(_lookups_in(a) for a in atom.exponent.atoms))
        case Group():
            return frozenset().union(*(_lookups_in(a) for a in atom.term.atoms))
        case Indicator():
            return _lookups_of(atom.left) | _lookups_of(atom.right)
        case Fold():
            return frozenset().union(*(_lookups_in(a) for a in atom.body.atoms))
        case _:
            return frozenset()


def _lookups_of(size: Size) -> frozenset[Lookup]:
    return frozenset(a for m in terms_of(size) for a, _ in m if isinstance(a, Lookup))


def _threshold(name: str, size: Size, body: Term, ranges: Ranges) -> Size | None:
    """A place strictly inside the range, free of indices, at which an indicator of the body changes."""
    for monomial in body.terms:
        for atom, _ in monomial:
            if not (isinstance(atom, Indicator) and atom.op == "<" and name in free_symbols(atom)):
                continue
            difference = atom.right - atom.left  # positive where the indicator holds
            sign = terms_of(difference).get(((name, 1),), 0)
            place = symbol(name) - difference if sign == 1 else difference + symbol(name)
            cut = place + 1 if sign == 1 else place  # the first place that differs from the one before
            if sign not in (1, -1) or any(map(is_index, symbols_of(cut))):
                continue
            if surely_nonnegative(cut - 1) and surely_nonnegative(size - cut - 1):
                return cut
    return None


def _split_merged(binders: Binders, monomial: Monomial) -> tuple[str, Binders, Size] | None:
    """An index c over q*s elements that occurs as c // s: c becomes a*s + k, as the merged axis it is."""
    for name, size in binders:
        if type(size) is int:
            continue
        for atom, _ in monomial:
            for quotient in quotients_in(atom):
                if identical(quotient.numerator, symbol(name)) and not (
                    symbols_of(quotient.denominator) & {n for n, _ in binders}
                ):
                    outer = floordiv(size, quotient.denominator)
                    if identical(outer * quotient.denominator, size):
                        a, k = fresh_index(), fresh_index()
                        parts: Binders = ((a, outer), (k, quotient.denominator))
                        return name, parts, symbol(a) * quotient.denominator + symbol(k)
    return None


def quotients_in(atom: Any) -> frozenset[FloorDiv]:
    """Every floor quotient that occurs in an atom's indices."""
    match atom:
        case FloorDiv():
            return frozenset({atom}) | _in_size(atom.numerator)
        case Entry():
            return frozenset().union(*(_in_size(i) for i in atom.index))
        case Call():
            return frozenset().union(*(_in_term(t) for t in atom.arguments))
        case Exponential():
            return _in_term(atom.exponent)
        case Group():
            return _in_term(atom.term)
        case Indicator():
            return _in_size(atom.left) | _in_size(atom.right)
        case Fold():
            return _in_term(atom.body)
        case _:
            return frozenset()


def _in_term(term: Term) -> frozenset[FloorDiv]:
    return frozenset().union(*(quotients_in(a) for m in term.terms for a, _ in m))


def _in_size(size: Size) -> frozenset[FloorDiv]:
    if type(size) is int:
        return frozenset()
    found = {a for m in terms_of(size) for a, _ in m if isinstance(a, FloorDiv)}
    return frozenset(found).union(*(_in_size(a.numerator) for a in found))


def _solved(atom: Indicator, binders: Binders, ranges: Ranges) -> tuple[str, Size] | None:
    """The binder that an equality determines, and its value, where that surely lies in its range."""
    difference = atom.left - atom.right
    for name, size in binders:
        coefficient = terms_of(difference).get(((name, 1),), 0)
        if abs(coefficient) != 1:
            continue
        value = symbol(name) - difference * coefficient
        if name not in symbols_of(value) and surely_within(value, size, ranges):
            return name, value
    return None


def _components(
    binders: Binders, factors: list[tuple[Any, Coefficient]]
) -> list[tuple[Binders, list[tuple[Any, Coefficient]]]]:
    """Binders grouped by the factors that tie them together; a binder that nothing uses stands alone."""
    groups: list[tuple[set[str], list[tuple[Any, Coefficient]]]] = [({name}, []) for name, _ in binders]
    for factor in factors:
        used = free_symbols(factor[0])
        touched = [g for g in groups if g[0] & used]
        merged: tuple[set[str], list[tuple[Any, Coefficient]]] = (set(), [factor])
        for group in touched:
            merged[0].update(group[0])
            merged[1].extend(group[1])
            groups.remove(group)
        groups.append(merged)
    order = dict(binders)
    return [(tuple((n, order[n]) for n, _ in binders if n in names), items) for names, items in groups]


def canonical(kind: str, binders: Binders, body: Term) -> Fold:
    """The fold with bound indices named i₁, i₂, ... above those bound inside, in the order that prints first."""
    depth = max((_depth(a) for m in body.terms for a, _ in m), default=0)
    taken = term_symbols(body)  # an index that the caller named like one of ours is not to be caught
    free = (name for name in map(index_name, count(depth + 1)) if name not in taken)
    names = list(islice(free, len(binders)))
    best: Fold | None = None
    for order in _orders(binders, body):
        mapping = {old: new for (old, _), new in zip(order, names, strict=True)}
        renamed = rename(body, mapping)
        candidate = Fold(kind, tuple((mapping[old], size) for old, size in order), renamed)
        if best is None or str(candidate) < str(best):
            best = candidate
    if best is None:
        raise ValueError("a fold needs a binder")
    return best


def _orders(binders: Binders, body: Term) -> Iterator[Binders]:
    """The orders worth naming the binders in: those that play different parts have one order, equals are permuted."""
    names = {name for name, _ in binders}
    parts: dict[tuple[Any, ...], list[tuple[str, Size]]] = {}
    for name, size in binders:
        factors = [_part(f"{atom}^{power}", name, names) for m in body.terms for atom, power in m]
        parts.setdefault((str(size), *sorted(factors)), []).append((name, size))
    groups = [parts[key] for key in sorted(parts)]
    if any(len(g) > MAX_PERMUTED for g in groups):
        yield tuple(b for g in groups for b in g)
        return
    for chosen in product(*(permutations(g) for g in groups)):
        yield tuple(b for g in chosen for b in g)


def _part(text: str, name: str, names: set[str]) -> str:
    """The words of a factor in sorted order, with one binder marked and the others alike: it names no binder."""
    words = WORDS.findall(text)
    return " ".join(sorted("★" if w == name else "•" if w in names else w for w in words))


@lru_cache(maxsize=65536)
def _depth(atom: Any) -> int:
    """How many canonical names are bound inside an atom."""
    match atom:
        case Fold():
            inner = max((_depth(a) for m in atom.body.terms for a, _ in m), default=0)
            return inner + len(atom.binders)
        case Call():
            return max((_depth(a) for t in atom.arguments for m in t.terms for a, _ in m), default=0)
        case Exponential():
            return max((_depth(a) for m in atom.exponent.terms for a, _ in m), default=0)
        case Group():
            return max((_depth(a) for m in atom.term.terms for a, _ in m), default=0)
        case _:
            return 0
