"""Failing paths of a call: what was raised, where, and what kind of mismatch it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..dims import Relation, is_dim
from ..dims.dim import symbols_of
from ..frontends.explorer import Path
from .locating import Spot, spot_of
from .requirement import Requirement
from .world import World


@dataclass
class Failure:
    """A failing path: what it raised, and where."""

    world: World
    path: Path
    code: str
    spot: Spot
    example: dict[str, int] | None

    @property
    def place(self) -> tuple[str, int, str]:
        return (self.spot.file, self.spot.line, self.code)

    @property
    def matter(self) -> tuple[str, int, str, str]:
        """The place, and which of several bounds on one line: a window must fit the height, and the width as well."""
        relation = getattr(getattr(self.path.error, "obligation", None), "relation", None)
        return (*self.place, str(relation) if isinstance(relation, Relation) and relation.op in ("<", "<=") else "")

    @property
    def cause(self) -> str:
        """The comparison that came last before it failed, other than that a size is not 1 and so does not broadcast."""
        conditions = [d.condition for d in self.path.decisions]
        telling = [
            c for c in conditions if c.op != "!=" or not any(type(s) is int and s == 1 for s in (c.left, c.right))
        ]
        return str((telling or conditions or [""])[-1])


@dataclass
class Returned:
    """What a path returned, with the arguments it was called with and the line that returned it."""

    value: Any
    arguments: dict[str, Any]
    spot: Spot
    sizes: Mapping[str, Any]
    """What the names of the annotations stood for in the end."""


def arguments_of(error: BaseException) -> dict[str, Any]:
    """What the function was called with that raised it, where it came to be called."""
    return getattr(error, "arguments_under_test", {})


def spot_for(error: BaseException) -> Spot | None:
    """The line of an error; a misfit of the result is at the return statement."""
    known = getattr(error, "spot", None)
    return known if isinstance(known, Spot) else spot_of(error)


def by_coincidence(failure: Failure) -> bool:
    """A misfit of the result where a size happens to be 1."""
    conditions = failure.path.conditions
    return failure.code == "ATT001" and any(c.op == "==" and "1" in (str(c.left), str(c.right)) for c in conditions)


def meets_weights(failure: Failure) -> bool:
    """Whether an array of the caller's sizes is contracted with one whose sizes are all the object's own: with weights.

    An array that has axes of the object's as well was laid out by the object's own code, which may have mixed them up.
    """
    shapes = getattr(getattr(failure.path.error, "obligation", None), "operands", ())
    sizes = [[n for size in shape if is_dim(size) for n in symbols_of(size)] for shape in shapes]
    own = [[n.startswith("self.") for n in names] for names in sizes]
    return any(map(all, own)) and all(all(mine) or not any(mine) for mine in own)


def pair_of(requirement: Requirement) -> set[str] | None:
    """The two names that a requirement makes equal; None where it is of another kind."""
    relation = requirement.relation
    return {str(relation.left), str(relation.right)} if equates_names(relation) else None


def equates_names(relation: Relation) -> bool:
    sides = (relation.left, relation.right)
    return relation.op == "==" and all(is_dim(s) and len(s.terms) == 1 and len(symbols_of(s)) == 1 for s in sides)
