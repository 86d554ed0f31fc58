"""f = O(g) for terms of sizes that may all grow: a constant, or a ray along which the ratio is unbounded.

Law: f = O(g) when C·g - f has no negative coefficient once every size is 1 plus something that is at least 0.
Each monomial of f must be dominated by g: the ray along which a monomial outgrows all of g refutes it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from ..dims import Scope, Size
from ..dims.dim import evaluate, symbols_of, terms_of
from ..errors import VerifierError
from ..verdict import Truth, Verdict
from .facts import Facts
from .order import nonnegative_form

RAY = 3
"""Sizes grow as t**0 to t**RAY along the rays that are tried."""
GROWTH = (4, 16, 64)


def prove_big_o(f: Any, g: Any, scope: Scope) -> Verdict:
    """Whether there is a constant C with f <= C·g at all sizes of the scope.

    PROVED with the constant, REFUTED with a ray of sizes and the growing ratio.
    """
    facts = Facts.of(scope)
    above, below = facts.reduce(_size(f)), facts.reduce(_size(g))
    total = sum((abs(Fraction(c)) for c in terms_of(above).values()), Fraction(0))
    leading = min((Fraction(c) for c in terms_of(below).values() if c > 0), default=None)
    if leading is None:
        raise VerifierError(f"{g} is not positive, so nothing is O of it")
    # The constant at sizes of 1 bounds every monomial that g dominates.
    constant = -(-total // leading)
    bounded = [nonnegative_form(int(constant) * below - sign * above, facts.least) for sign in (1, -1)]
    if all(bounded):
        certificate = {
            "kind": "order",
            "difference": str(int(constant) * below - above),
            "solved": {n: str(v) for n, v in facts.solved.items()},
            "weights": [],
            "least": {n: facts.least.get(n, 0) for n in sorted(symbols_of(above) | symbols_of(below))},
            "relation": {"op": "<=", "left": str(f), "right": f"{int(constant)}*({g})"},
        }
        step = f"{above} <= {int(constant)}·({below}) at every size"
        return Verdict(Truth.PROVED, f"with the constant {int(constant)}", certificate=certificate, steps=(step,))
    names = sorted(symbols_of(above).union(symbols_of(below), *map(symbols_of, facts.equations)))
    for powers in sorted(product(range(RAY + 1), repeat=len(names)), key=sum):
        rays = [dict(zip(names, (t**p for p in powers), strict=True)) for t in GROWTH]
        if not all(_admitted(sizes, facts) for sizes in rays):
            continue
        ratios = [_ratio(above, below, sizes) for sizes in rays]
        if all(b >= 2 * a and a > 0 for a, b in pairwise(ratios)):
            ray = {n: "1" if not p else "t" if p == 1 else f"t**{p}" for n, p in zip(names, powers, strict=True)}
            witness = {
                "ray": ray,
                "t": list(GROWTH),
                "ratio": [str(r) for r in ratios],
                "left": str(f),
                "right": str(g),
            }
            return Verdict(Truth.REFUTED, "the ratio grows without bound along a ray of sizes", witness=witness)
    return Verdict(Truth.UNDECIDED, f"neither a constant nor a ray was found for {f} against {g}")


def _admitted(sizes: dict[str, int], facts: Facts) -> bool:
    """Whether the facts hold at these sizes, others being at their least."""
    here = {**facts.least, **sizes}

    def at(size: Size) -> Any:
        return evaluate(size, here) if symbols_of(size) <= here.keys() else None

    return (
        all(at(f) is None or at(f) >= 0 for f in facts.nonnegative)
        and all(at(e) == 0 for e in facts.equations)
        and all(at(u) != 0 for u in facts.unequal)
    )


def _size(value: Any) -> Size:
    from ..terms import as_term

    size = as_term(value).size
    if size is None:
        raise VerifierError(f"{value} is no polynomial of sizes")
    return size


def _ratio(above: Size, below: Size, sizes: dict[str, int]) -> Fraction:
    bottom = evaluate(below, sizes)
    return Fraction(evaluate(above, sizes), bottom) if bottom else Fraction(0)
