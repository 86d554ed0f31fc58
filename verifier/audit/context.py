"""What a method works with: the claim's sizes and premises as a scope, and its relations as values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..dims import Relation, Scope, Size, symbol
from ..dims.axes import parse_axes
from ..dims.expression import dividing, parse
from ..errors import ExpressionError, VerifierError
from ..prove.laws import ASSUMPTIONS, FiniteLaw
from .claim import Claim, Premise
from .quantities import Quantities, Requirement

ARRAY_KINDS = ("bool", "mask", "positive", "permutation", "invertible", "index")
"""What an array of a claim may hold besides real numbers: the word before its axes."""


@dataclass(frozen=True)
class Context:
    """A claim in the terms of the prover, with some of its premises possibly left out."""

    claim: Claim
    dropped: frozenset[str] = frozenset()
    law: FiniteLaw | None = None

    @property
    def premises(self) -> tuple[Premise, ...]:
        return tuple(p for p in (*self.claim.given, *self.claim.assume) if p.name not in self.dropped)

    @property
    def names(self) -> tuple[str, ...]:
        """The sizes that the claim declares, and those that its arrays introduce."""
        found = dict.fromkeys(self.claim.sizes)
        for name, text in self.claim.arrays.items():
            try:
                for axis in parse_axes(text):
                    found.update(dict.fromkeys(s for s in axis.symbols if s not in ARRAY_KINDS))
                if text.startswith("index "):
                    found[name] = None
            except VerifierError as error:
                place = self.claim.places.get("arrays", self.claim.place)
                raise VerifierError(f"the axes of {name}: {error.fact}", place=place, remedy=error.remedy) from None
        return tuple(found)

    @property
    def sizes(self) -> Mapping[str, Size]:
        return {n: symbol(n) for n in self.names}

    @property
    def scope(self) -> Scope:
        """The sizes and those premises that speak of them.

        Raises:
            ExpressionError: a premise with an unknown symbol.
        """
        indices = {n: t.removeprefix("index ") for n, t in self.claim.arrays.items() if t.startswith("index ")}
        scope = Scope.of(n for n in self.names if n not in indices)
        for name, size in indices.items():
            scope = scope.declaring([name], least=0).assuming(f"{name} < {size}")
        for premise in self.premises:
            if premise.relation:
                try:
                    scope = scope.assuming(premise.relation, premise.name)
                except VerifierError as error:
                    place = self.claim.places.get("assume" if premise in self.claim.assume else "given")
                    raise error.at(place or self.claim.place) from None
            elif premise.name not in ASSUMPTIONS and self.claim.method == "relation":
                raise VerifierError(
                    f"the premise {premise.name!r} is neither a relation nor an assumption of a law",
                    remedy=f"write a relation, or one of: {', '.join(ASSUMPTIONS)}",
                )
        return scope

    def relation(self, text: str, sizes: Mapping[str, int] | None = None) -> Relation:
        """A relation of the language, at the claim's symbols or at concrete sizes.

        Raises:
            ExpressionError: it is none.
        """
        return self.relation_and_requirements(text, sizes)[0]

    def relation_and_requirements(
        self, text: str, sizes: Mapping[str, int] | None = None
    ) -> tuple[Relation, tuple[Requirement, ...]]:
        """The same, and what the sizes must satisfy for the kernels that it names to return at all."""
        values: Mapping[str, Any] = self.sizes if sizes is None else sizes
        quantities = Quantities(values, self.law, frozenset(p.name for p in self.premises))
        with dividing() as divisors:
            value = parse(text).value(values, quantities.functions)
        if not isinstance(value, Relation):
            raise ExpressionError(f"{text!r} is no relation", remedy="compare two quantities, or use O(f, g)")
        needed = (Requirement("the division", Relation("!=", d, 0)) for d in divisors)
        return value, (*quantities.requirements, *needed)

    def at(self, where: Iterable[str]) -> Context:
        """The context at some of its sizes and places: `h == 1`."""
        claim = replace(self.claim, assume=(*self.claim.assume, *(Premise(text, text) for text in where)))
        return replace(self, claim=claim)

    def without(self, names: Collection[str]) -> Context:
        """The context with premises dropped."""
        return replace(self, dropped=self.dropped | frozenset(names))
