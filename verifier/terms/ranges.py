"""Index arithmetic: which quotients vanish because an index runs over a known range.

An index is a size symbol whose value is at least 0 and below its size; index names carry subscript digits,
which no Python name and no axis of jaxtyping can, so they never meet a size's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from ..dims import Dim, FloorDiv, Lookup, Size, lookup, polynomial, symbol
from ..dims.dim import floordiv, floors_of, from_terms, rebuild, symbols_of, terms_of
from ..dims.dim import substitute as substitute_size

SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_fresh = count(1)


def index_name(number: int, letter: str = "i") -> str:
    return letter + str(number).translate(SUBSCRIPT)


def fresh_index() -> str:
    """A name that no other index has."""
    return index_name(next(_fresh), "j")


def is_index(name: str) -> bool:
    return name[-1] in "₀₁₂₃₄₅₆₇₈₉"


def surely_nonnegative(size: Size) -> bool:
    """Whether a polynomial is surely at least 0 for sizes of at least 1 and indices of at least 0.

    Shifted by those least values, no coefficient is below 0.
    """
    if type(size) is int:
        return size >= 0
    if any(isinstance(a, FloorDiv) for m in terms_of(size) for a, _ in m):
        return _natural(size)
    shifted = substitute_size(size, {n: symbol(n) + 1 for n in symbols_of(size) if not is_index(n)})
    return all(c > 0 for c in terms_of(shifted).values())


def _natural(size: Size) -> bool:
    """Whether no coefficient is negative, here and inside every quotient."""
    return all(c > 0 for c in terms_of(size).values()) and all(
        _natural(a.numerator) and _natural(a.denominator) for a in floors_of(size)
    )


def bounds(size: Size, ranges: Mapping[str, Size]) -> tuple[Size, Size] | None:
    """Smallest and largest value over the indices' ranges, where each index occurs with one sign, linearly."""
    for found in [a for m in terms_of(size) for a, _ in m if isinstance(a, Lookup)]:
        if type(found.permutes) is int and not found.permutes:
            return None  # what an array holds is known to its reader alone
        # What a permutation holds runs over its places, whatever else the size depends on.
        name = fresh_index()
        ranges = {**ranges, name: found.permutes}
        size = rebuild(size, lambda a, found=found, name=name: symbol(name) if a == found else _keep(a))
    for floor in floors_of(size):
        extent = _quotients(floor, ranges)
        if extent is not None:
            name = fresh_index()
            ranges = {**ranges, name: extent}
            size = rebuild(size, lambda a, floor=floor, name=name: symbol(name) if a == floor else _keep(a))
    low, high = size, size
    for name in symbols_of(size):
        if name not in ranges:
            continue
        if any(a == name and p != 1 for m in terms_of(size) for a, p in m):
            return None
        coefficient = substitute_size(size, {name: symbol(name) + 1}) - size
        top = ranges[name] - 1
        if surely_nonnegative(coefficient):
            low, high = substitute_size(low, {name: 0}), substitute_size(high, {name: top})
        elif surely_nonnegative(-coefficient):
            low, high = substitute_size(low, {name: top}), substitute_size(high, {name: 0})
        else:
            return None
    return low, high


def _quotients(floor: FloorDiv, ranges: Mapping[str, Size]) -> Size | None:
    """How many values a quotient of indices takes, from 0 on: i // r is below h where i is below h*r."""
    if symbols_of(floor.numerator).isdisjoint(ranges) or not symbols_of(floor.denominator).isdisjoint(ranges):
        return None
    extent = bounds(floor.numerator, ranges)
    if extent is None or not surely_nonnegative(extent[0]) or not surely_nonnegative(floor.denominator - 1):
        return None
    quotient, rest = polynomial.divide(terms_of(extent[1] + 1), terms_of(floor.denominator))
    return from_terms(quotient) if not rest else None


def surely_within(size: Size, limit: Size, ranges: Mapping[str, Size]) -> bool:
    """Whether 0 <= size < limit for every value of the indices."""
    extent = bounds(size, ranges)
    return extent is not None and surely_nonnegative(extent[0]) and surely_nonnegative(limit - 1 - extent[1])


def simplify(size: Size, ranges: Mapping[str, Size]) -> Size:
    """The same index with every floor quotient taken out that the ranges decide: (i*d + k) // d is i."""
    if type(size) is int or all(type(a) is str for m in terms_of(size) for a, _ in m):
        return size

    def atom_value(atom: object) -> Size:
        if isinstance(atom, FloorDiv):
            return divide(simplify(atom.numerator, ranges), simplify(atom.denominator, ranges), ranges)
        if isinstance(atom, Lookup):
            return lookup(atom.array, tuple(simplify(i, ranges) for i in atom.index), atom.permutes)
        return symbol(str(atom))

    return rebuild(size, atom_value)


def divide(numerator: Size, denominator: Size, ranges: Mapping[str, Size]) -> Size:
    """floor(numerator / denominator) with the ranges' help."""
    quotient = floordiv(numerator, denominator)
    if type(quotient) is int:
        return quotient
    for atom in {a for m in terms_of(quotient) for a, _ in m if isinstance(a, FloorDiv)}:
        if surely_within(atom.numerator, atom.denominator, ranges):
            quotient = rebuild(quotient, lambda a, atom=atom: 0 if a == atom else _keep(a))
            if type(quotient) is int:
                return quotient
    return quotient


def _keep(atom: object) -> Size:
    if isinstance(atom, FloorDiv):
        return floordiv(atom.numerator, atom.denominator)
    return Dim({((atom, 1),): 1})


def flatten(index: tuple[Size, ...], shape: tuple[Size, ...]) -> Size:
    """The place of an element in row-major order."""
    flat: Size = 0
    for i, extent in zip(index, shape, strict=True):
        flat = flat * extent + i
    return flat


def unflatten(flat: Size, shape: tuple[Size, ...], ranges: Mapping[str, Size]) -> tuple[Size, ...]:
    """The index of the element at a place in row-major order."""
    index: list[Size] = []
    for position, extent in reversed(list(enumerate(shape))):
        if position == 0:
            index.append(flat)
            break
        quotient = divide(flat, extent, ranges)
        index.append(flat - quotient * extent)
        flat = quotient
    return tuple(reversed(index))
