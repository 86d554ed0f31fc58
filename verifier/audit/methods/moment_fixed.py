"""A moment that the law may not fix: refuted by a finite law that satisfies every assumption."""

from __future__ import annotations

from ...dims import Relation
from ...prove.laws import STANDARD_LAWS
from ...verdict import Truth, Verdict
from ..claim import Reading
from ..context import Context
from .relation import holds_at

WIDTHS = (1, 2, 3)


def establish(reading: Reading, context: Context) -> Verdict:
    """REFUTED at a law and a head size where the relation fails, by exact enumeration; never PROVED."""
    for width in WIDTHS:
        for law in STANDARD_LAWS:
            sizes = {n: width if n == "d_k" else 1 for n in context.claim.sizes}
            relation: Relation = Context(context.claim, context.dropped, law).relation(reading.relation, sizes)
            if not holds_at(relation):
                witness = {
                    "law": law.name,
                    "sizes": {"d_k": width},
                    "left": str(relation.left),
                    "right": str(relation.right),
                }
                return Verdict(Truth.REFUTED, f"under the law `{law.name}` it is {relation.left}", witness=witness)
    return Verdict(Truth.UNDECIDED, "no finite law tried breaks it")
