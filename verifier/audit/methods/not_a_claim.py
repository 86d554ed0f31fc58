"""A statement that mathematics does not decide: a convention, an empirical or pedagogical remark, an ambiguity."""

from __future__ import annotations

from ...verdict import Truth, Verdict
from ..claim import Reading
from ..context import Context


def establish(reading: Reading, context: Context) -> Verdict:
    """Says of which kind it is, and why; nothing is proved."""
    return Verdict(Truth.NOT_A_CLAIM, f"{context.claim.kind}: {context.claim.reason}")
