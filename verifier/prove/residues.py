"""Floor quotients by plain numbers, decided residue by residue.

Law: every size d is k*q + r with 0 <= r < k; a comparison that has the same answer for every residue r has that answer.
`(d + 1) // 2 == d - d // 2` is true for d = 2q and for d = 2q + 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import lcm

from ..dims import Relation, Size, symbol
from ..dims.dim import floors_of, substitute, symbols_of
from .facts import Facts
from .order import is_nonnegative

MAX_MODULUS = 12
"""A larger one would ask too many questions."""


def moduli_of(size: Size) -> dict[str, int]:
    """For each symbol under a floor quotient by a plain number: the least common multiple of those numbers."""
    found: dict[str, int] = {}
    for floor in floors_of(size):
        inner = moduli_of(floor.numerator)
        divisor = floor.denominator if type(floor.denominator) is int and floor.denominator > 0 else 1
        for name in symbols_of(floor.numerator):
            # What is divided again needs the residue of its own quotient.
            found[name] = lcm(found.get(name, 1), divisor * inner.get(name, 1))
        for name, modulus in moduli_of(floor.denominator).items():
            found[name] = lcm(found.get(name, 1), modulus)
    return found


def by_residues(relation: Relation, facts: Facts, decide: Callable[[Relation, Facts], bool | None]) -> bool | None:
    """The answer that all residues of one size agree on; None where they do not."""
    moduli: dict[str, int] = {}
    for side in (relation.left, relation.right, *facts.unequal, *facts.nonnegative, *facts.equations):
        for name, modulus in moduli_of(side).items():
            moduli[name] = lcm(moduli.get(name, 1), modulus)
    asked = symbols_of(relation.left) | symbols_of(relation.right)
    moduli = {n: k for n, k in moduli.items() if 1 < k <= MAX_MODULUS and n in asked and not n.endswith("|")}
    if not moduli:
        return None
    name, modulus = min(moduli.items(), key=lambda item: (item[1], item[0]))
    answers: set[bool] = set()
    for residue in range(modulus):
        narrower = _with_residue(facts, name, modulus, residue)
        if narrower is None:
            continue
        values = {name: modulus * symbol(f"{name}|") + residue}
        try:
            answer = decide(relation.mapped(lambda side, v=values: substitute(side, v)), narrower)
        except ZeroDivisionError:
            return None
        if answer is None:
            return None
        answers.add(answer)
        if len(answers) > 1:
            return None
    return answers.pop() if answers else None


def _with_residue(facts: Facts, name: str, modulus: int, residue: int) -> Facts | None:
    """The facts where the size is modulus * quotient + residue; None where they contradict each other."""
    values: Mapping[str, Size] = {name: modulus * symbol(f"{name}|") + residue}
    least = {n: low for n, low in facts.least.items() if n != name}
    least[f"{name}|"] = max(0, -((residue - facts.least.get(name, 0)) // modulus))
    new = replace(facts, least=least, solved={}, equations=[], nonnegative=[], unequal=[])
    premises = [("<=", size) for size in facts.nonnegative]
    premises += [("==", size) for size in facts.equations] + [("!=", size) for size in facts.unequal]
    try:
        for op, size in premises:
            new.add(Relation(op, 0, substitute(size, values)))
    except ZeroDivisionError:  # a premise has no truth at this residue, so no sizes have it
        return None
    return None if impossible(new) else new


def impossible(facts: Facts) -> bool:
    """Whether a bound contradicts the least values, another bound or an equation; False says nothing."""
    if facts.contradictory:
        return True
    for place, bound in enumerate(facts.nonnegative):
        others = replace(facts, nonnegative=facts.nonnegative[:place] + facts.nonnegative[place + 1 :])
        if is_nonnegative(-bound - 1, others):
            return True
    return False


__all__ = ["by_residues", "impossible", "moduli_of"]
