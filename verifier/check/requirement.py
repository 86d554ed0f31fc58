"""Which conditions are requirements that a user forgot to declare, and which are bugs.

That h divides d_model, that n is at most max_len, that a size is at least 3: code may need such a thing of its caller.
That two sizes with different names are equal, or below a number written into the code, is no requirement: it is a
mistake that some sizes hide.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ..dims import FloorDiv, Relation, Size, is_dim
from ..dims.dim import floors_of, from_terms, terms_of
from ..dims.polynomial import divide
from ..dims.wording import condition_text, remainders_of, sides_of


@dataclass(frozen=True)
class Requirement:
    """What the caller must keep, as a relation and as the line to add."""

    relation: Relation
    text: str


def natural(condition: Relation, known: Collection[str | int] = ()) -> Requirement | None:
    """The requirement that keeps a path's condition from holding, where it is one that a caller may be asked for.

    >>> from verifier.dims import symbol
    >>> n, m, d, h = map(symbol, ("n", "max_len", "d", "h"))
    >>> natural(m < n).text, natural(h * (d // h) != d).text, natural(n != m)
    ('n <= max_len', 'd % h == 0', None)
    """
    if not all(is_dim(s) or type(s) is int for s in (condition.left, condition.right)):
        return None
    wanted = condition.negated()
    if wanted.op == "==":
        return divisibility(wanted.left - wanted.right) or of_the_object(wanted.left - wanted.right, known)
    if wanted.op == "!=":
        return _not_empty(wanted.left - wanted.right)
    return order(wanted.right - wanted.left - (1 if wanted.op == "<" else 0))


def candidates(condition: Relation, known: Collection[str | int] = ()) -> Iterator[tuple[list[Requirement], bool]]:
    """Requirements worth trying against a condition, each with whether it must be needed at every size.

    What the condition says itself first. Then the divisions in it, one by one: `x[::2]` and `x[1::2]` are equally long
    where 2 divides the length, and that is a requirement only if no other length will do. Then all of them at once.
    """
    said = natural(condition, known)
    if said is not None:
        weaker = _or_equal(condition.negated())
        if weaker is not None:
            yield [weaker], False
        yield [said], False
        return
    if condition.op != "!=" or not all(is_dim(s) or type(s) is int for s in (condition.left, condition.right)):
        return
    difference = condition.left - condition.right
    plain = [f for f in floors_of(difference) if not floors_of(f.numerator) and not floors_of(f.denominator)]
    divided = [_exact(f) for f in sorted(plain, key=str)]
    if any(sum(isinstance(a, FloorDiv) for a, _ in m) > 1 for m in terms_of(difference)):
        yield divided, False
    for one in divided:
        yield [one], True


def _or_equal(wanted: Relation) -> Requirement | None:
    """`n <= m` where `n < m` would do: code often decides by the one and needs the other."""
    return order(wanted.right - wanted.left) if wanted.op == "<" else None


def _exact(floor: FloorDiv) -> Requirement:
    relation = Relation("==", floor.numerator % floor.denominator, 0)
    return Requirement(relation, condition_text(relation))


def divisibility(difference: Size) -> Requirement | None:
    """`a - b*(a // b)`, or a multiple of it, vanishes exactly where b divides a."""
    for a, b in remainders_of(difference):
        if not floors_of(a) and not floors_of(b):  # a caller is asked about sizes, not about quotients of them
            relation = Relation("==", a % b, 0)
            return Requirement(relation, condition_text(relation))
    return None


def of_the_object(difference: Size, known: Collection[str | int] = ()) -> Requirement | None:
    """An argument's size that must be one which an object was made with: `dim == self.dim`, `d == norm.width`.

    An annotation can say it of `self` in braces, `"n {self.dim}"`; an axis with the attribute's name asks the caller
    for it. An axis of another name does so too where it meets the object's weights (`known` holds the names of all
    sizes then, and the numbers that stand for some), unless the object has a size of that name as well: that was
    meant. Of an object that is passed, annotations can say nothing of the kind.
    """
    sides = sides_of(difference)
    for given, own in (sides, sides[::-1]):
        if type(own) is int and own in known and str(given).isidentifier() and f"self.{given}" not in known:
            return Requirement(Relation("==", given, own), f"{given} == {own}")
        if not (is_dim(own) and is_dim(given) and str(given).isidentifier()):
            continue
        root, dot, rest = str(own).partition(".")
        named = rest == str(given) if root == "self" else str(own).replace(".", "_").isidentifier()
        alone = OWN if MADE not in known else PRODUCT
        if (dot and named) or (known and alone.fullmatch(str(own)) and f"self.{given}" not in known):
            return Requirement(Relation("==", given, own), f"{given} == {own}")
    return None


OWN = re.compile(r"self\.\w+")
PRODUCT = re.compile(r"(\d+\*)?self\.\w+(\*self\.\w+)*")
MADE = "made by a maker"
"""Stands among the known names where a maker of the project made the object: sizes may be products of what it took."""


def _not_empty(difference: Size) -> Requirement | None:
    """A floor quotient that must not be 0: the divided size must be at least as large as the divisor."""
    for floor in floors_of(difference):
        quotient, rest = divide(terms_of(difference), {((floor, 1),): 1})
        if not rest and len(quotient) == 1:
            return Requirement(
                Relation("<=", floor.denominator, floor.numerator),
                f"{_group(floor.numerator)} >= {_group(floor.denominator)}",
            )
    return None


def order(slack: Size) -> Requirement | None:
    """slack >= 0, with what is subtracted on the left; an upper bound by a number alone is none."""
    terms = dict(terms_of(slack))
    constant = terms.pop((), 0)
    above = from_terms({m: c for m, c in terms.items() if c > 0})
    below = from_terms({m: -c for m, c in terms.items() if c < 0})
    if type(above) is int or floors_of(slack):
        return None
    if type(below) is int:
        text = f"{above} >= {-constant}"
    elif constant == 0:
        text = f"{below} <= {above}"
    elif constant == -1:
        text = f"{below} < {above}"
    elif constant < 0:
        text = f"{below} + {-constant} <= {above}"
    else:
        text = f"{below} <= {above} + {constant}"
    return Requirement(Relation("<=", 0, slack), text)


def _group(size: Size) -> str:
    text = str(size)
    return f"({text})" if any(c in text for c in " *") and not text.startswith("(") else text
