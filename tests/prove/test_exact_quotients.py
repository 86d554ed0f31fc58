"""A quotient that is known to be exact stays so where its numerator is not solved for."""

from __future__ import annotations

from verifier.dims import Relation, Scope, symbol
from verifier.prove.decide import decide
from verifier.prove.facts import Facts

d, h, n = map(symbol, ("d", "h", "n"))


def test_two_divisors_of_one_size() -> None:
    for premises in (("d % 2 == 0", "d % h == 0"), ("d % h == 0", "d % 2 == 0")):
        scope = Scope.of("d h n").assuming(premises[0]).assuming(premises[1])
        assert decide(Relation("==", n * d, n * h * (d // h)), Facts.of(scope)) is True


def test_a_multiple_is_divisible_and_its_size_need_not_be() -> None:
    facts = Facts.of(Scope.of("d").assuming("(2*d) % 32 == 0"))
    assert decide(Relation("==", (2 * d) % 32, 0), facts) is True
    assert decide(Relation("==", d % 32, 0), facts) is None
