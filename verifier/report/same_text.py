"""The answer of `verifier same` in a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from ..check.same import Sameness

LONGEST = 400
"""A normal form longer than this is cut; the JSON has it whole."""


def lines(result: Sameness) -> Iterator[str]:
    """Verdict, premises, and the normal form that both share or the arrays on which they differ."""
    yield f"{result.verdict}  {result.left} and {result.right}: {result.reason}"
    for premise in result.assumptions:
        yield f"    given      {premise}"
    if result.term:
        term = result.term if len(result.term) <= LONGEST else f"{result.term[:LONGEST]} ..."
        yield f"    element    {term}"
    if result.witness is not None:
        sizes = ", ".join(f"{n} = {v}" for n, v in result.witness["sizes"].items())
        where = f" at {result.witness['at']}" if "at" in result.witness else ""
        yield f"    differ at  {sizes}"
        yield f"    results    {result.witness['left']} and {result.witness['right']}{where}"
        for name, value in result.witness["arguments"].items():
            yield f"    {name} = {value}"
