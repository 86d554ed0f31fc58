"""A comparison of two sizes whose truth depends on the sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from ..errors import UndecidedSize
from .looked_at import by_code_under_test

deciding: ContextVar[Callable[[Relation], bool] | None] = ContextVar("deciding", default=None)
"""Who answers `bool(relation)`: the explorer that runs the code, where one is at work."""

knowing: ContextVar[Callable[[Relation], bool | None] | None] = ContextVar("knowing", default=None)
"""Who knows the truth of a relation without a path being taken for it; None is "it depends"."""

assuming: ContextVar[Callable[[Relation], None] | None] = ContextVar("assuming", default=None)
"""Who takes a relation that holds by construction into the facts of the path at work, such as the range of an index."""

NEGATION = {"==": "!=", "!=": "==", "<": ">=", "<=": ">"}
HOLDS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}


@dataclass(frozen=True, eq=False)
class Relation:
    """`left op right` with op one of `== != < <=`; sizes or terms on either side.

    `bool()` asks whoever is `deciding`; where nobody is, it is an error and never a guess.
    """

    op: str
    left: Any
    right: Any

    def __bool__(self) -> bool:
        decide = deciding.get()
        if decide is None:
            raise UndecidedSize(
                f"the truth of {self} depends on the sizes",
                remedy="run the code through the explorer, or give the sizes as numbers",
            )
        return decide(self)

    @property
    def known(self) -> bool | None:
        """Its truth where the facts of the run at work settle it: nothing is assumed, and no path forks."""
        ask = knowing.get()
        return None if ask is None else ask(self)

    def negated(self) -> Relation:
        if self.op == "<":
            return Relation("<=", self.right, self.left)
        if self.op == "<=":
            return Relation("<", self.right, self.left)
        return Relation(NEGATION[self.op], self.left, self.right)

    def mapped(self, change: Callable[[Any], Any]) -> Relation:
        """The same comparison of changed sides."""
        return Relation(self.op, change(self.left), change(self.right))

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.op, str(self.left), str(self.right))

    def __eq__(self, other: object) -> bool:
        if by_code_under_test() or (isinstance(other, (bool, int)) and deciding.get() is not None):
            return bool(self) == (bool(other) if type(other) is Relation else other)
        return isinstance(other, Relation) and self.key == other.key

    def __hash__(self) -> int:
        return hash(bool(self)) if by_code_under_test() else hash(self.key)

    def __str__(self) -> str:
        if by_code_under_test():  # to the code, a comparison is True or False
            return str(bool(self))
        return f"{self.left} {self.op} {self.right}"

    __repr__ = __str__
