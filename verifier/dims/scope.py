"""`Scope`: the size symbols in play, the smallest value of each, and the named assumptions about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ..errors import ExpressionError
from . import expression
from .dim import Dim, is_dim, symbol
from .relation import Relation


@dataclass(frozen=True)
class Assumption:
    """A premise about sizes: its name, the text as its author wrote it, and the relation."""

    name: str
    text: str
    relation: Relation

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Scope:
    """Size symbols with their least values, and assumptions; immutable.

    >>> scope = Scope.of("d_model h").assuming("d_model % h == 0")
    >>> scope.assumptions[0].text
    'd_model % h == 0'
    """

    least: Mapping[str, int] = field(default_factory=lambda: dict[str, int]())
    assumptions: tuple[Assumption, ...] = ()

    @classmethod
    def of(cls, names: str | Iterable[str], least: int = 1) -> Scope:
        """A scope of these symbols (a string is split at blanks), each at least `least`."""
        return cls(dict.fromkeys(names.split() if isinstance(names, str) else names, least))

    def declaring(self, names: Iterable[str], least: int = 1) -> Scope:
        """The scope with further symbols; known ones keep their least value."""
        return replace(self, least={**dict.fromkeys(names, least), **self.least})

    def assuming(self, text: str, name: str | None = None) -> Scope:
        """The scope with one more premise, written in the expression language.

        Raises:
            ExpressionError: unknown symbol (nearest suggested) or no relation.
        """
        relation = expression.relation(text, self.names)
        if isinstance(relation, bool):
            relation = Relation("==", 0 if relation else 1, 0)
        if not all(is_dim(s) or type(s) in (int, Fraction) for s in (relation.left, relation.right)):
            raise ExpressionError(f"{text!r} compares more than sizes", remedy="multiply quotients and roots out")
        return replace(self, assumptions=(*self.assumptions, Assumption(name or text, text, relation)))

    def given(self, relation: Relation, name: str = "") -> Scope:
        """The scope with a premise that is already a relation."""
        text = str(relation)
        return replace(self, assumptions=(*self.assumptions, Assumption(name or text, text, relation)))

    def without(self, name: str) -> Scope:
        """The scope with the assumption of that name dropped."""
        return replace(self, assumptions=tuple(a for a in self.assumptions if a.name != name))

    @property
    def names(self) -> Mapping[str, Dim]:
        """Every symbol by name."""
        return {name: symbol(name) for name in self.least}

    def __getitem__(self, name: str) -> Dim:
        if name not in self.least:
            raise KeyError(name)
        return symbol(name)
