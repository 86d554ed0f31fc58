"""Which equations of sizes are a contract, and which a mistake that some sizes hide.

An array that meets the object's weights has to fit them, and two arrays of the caller have to fit each other: nobody
named their axes, so that is the contract. Scores `q @ k` without a transpose also "need" something: as many tokens as a
head has channels. There an array that the object's own code laid out meets another such array, and the equation binds
one axis of the caller's array to the object's sizes through what the code made of another axis of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...dims import Relation, Size, is_dim
from ...dims.dim import floors_of, from_terms, symbols_of, terms_of
from ...dims.wording import sides_of
from ...graph.node import ShapeMismatch
from .supposed import Supposed


def solutions(relation: Relation, homes: Mapping[str, str]) -> Iterator[tuple[str, Size]]:
    """The ways to read an equation as the size of a free axis; those of later arrays first.

    >>> from verifier.dims import symbol
    >>> x, y, d = map(symbol, ("x0", "y0", "d"))
    >>> [f"{axis} = {size}" for axis, size in solutions(Relation("==", x * d, y * d), {"x0": "x", "y0": "y"})]
    ['y0 = x0', 'x0 = y0']
    """
    if relation.op != "==" or not all(is_dim(s) or type(s) is int for s in (relation.left, relation.right)):
        return
    left, right = sides_of(relation.left - relation.right)
    difference = left - right
    if not is_dim(difference):
        return
    hidden = {n for f in floors_of(difference) for n in symbols_of(from_terms({((f, 1),): 1}))}
    terms = terms_of(difference)
    for axis in sorted(symbols_of(difference) & homes.keys(), key=list(homes).index, reverse=True):
        holding = {m: c for m, c in terms.items() if any(a == axis for a, _ in m)}
        factor = holding.get(((axis, 1),), 0)
        if axis in hidden or len(holding) != 1 or not factor or any(c % factor for c in terms.values()):
            continue
        size = from_terms({m: -c // factor for m, c in terms.items() if m not in holding})
        if all(c > 0 for c in terms_of(size).values()):
            yield axis, size


def is_contract(
    axis: str, size: Size, supposed: Supposed, error: BaseException | None, guard: bool, asked: bool = True
) -> bool:
    """Whether an axis of the caller's array may be asked to have that size.

    `asked`: the operation that failed states the equation itself; else it is one that the code decided by before.
    """
    if not guard and ("view" in str(error) or (not is_dim(size) and not asked and not _says(error, size))):
        return False  # memory that happens to lie in order; an axis of one element, at which all broadcasts
    home = supposed.homes()[axis]
    others = {n for n in supposed.axes(home) if n != axis}
    names = symbols_of(size) if is_dim(size) else frozenset[str]()
    if guard or (names and names <= supposed.homes().keys() - others):
        return True  # the code says so itself, or it is an axis of another array of the caller's
    mine = {n for s in supposed.shape(home) if is_dim(s) for n in symbols_of(s)}
    obligation = error.obligation if isinstance(error, ShapeMismatch) else None
    shapes = (obligation.operands or obligation.joined) if obligation is not None else ()
    whole = [str(s) for s in supposed.shape(home)]
    own = names - supposed.homes().keys()
    if own and any(axis in map(str, shape) and str(size) in map(str, shape) for shape in shapes):
        return False  # a bias added to rows that should have been columns: one size on two axes
    if any(shape and all(not _names(s) & supposed.homes().keys() for s in shape) for shape in shapes):
        return True  # an array of the object's own sizes: weights, a table of positions
    if str(size) not in whole and any([str(s) for s in shape] == whole for shape in shapes):
        return True  # the caller's array as it came
    if own & (mine - supposed.homes().keys()):
        return False  # one size of the object's for two axes of an array
    if not shapes:
        return not names & others or not own
    return any(axis in here and here <= mine for here in ({n for s in shape for n in _names(s)} for shape in shapes))


def _says(error: BaseException | None, size: Size) -> bool:
    """Whether a library refuses all sizes but that number: "Expected 4, got x2"."""
    known = error is not None and not isinstance(error, ShapeMismatch) and type(size) is int and size > 1
    return known and re.search(rf"\b{size}\b", str(error)) is not None


def _names(size: Size) -> frozenset[str]:
    return symbols_of(size) if is_dim(size) else frozenset()
