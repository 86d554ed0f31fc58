from __future__ import annotations

import pytest

from verifier.dims import Relation, Scope, symbol
from verifier.errors import ExpressionError


def test_assumptions_print_back_as_written():
    scope = Scope.of("d_model h").assuming("d_model  %  h == 0", name="divides").assuming("h > 1")
    assert [str(a) for a in scope.assumptions] == ["d_model  %  h == 0", "h > 1"]
    assert [a.name for a in scope.assumptions] == ["divides", "h > 1"]


def test_an_unknown_symbol_is_no_size():
    with pytest.raises(ExpressionError, match="unknown name 'd_modell'") as caught:
        Scope.of("d_model").assuming("d_modell == 3")
    assert caught.value.remedy == "did you mean d_model?"
    with pytest.raises(KeyError):
        Scope.of("n")["m"]


def test_a_scope_is_never_changed():
    scope = Scope.of("n")
    assert scope.assuming("n > 1") is not scope
    assert scope.assumptions == ()
    assert scope.declaring(["m"], least=0).least == {"m": 0, "n": 1}
    assert scope.declaring(["n"], least=0).least == {"n": 1}


def test_an_assumption_can_be_dropped_by_name():
    scope = Scope.of("n m").assuming("n == m", name="square").assuming("n > 1")
    assert [a.text for a in scope.without("square").assumptions] == ["n > 1"]


def test_an_assumption_of_plain_numbers_is_a_relation_too():
    assert isinstance(Scope.of("n").assuming("2 < 1").assumptions[0].relation, Relation)
    assert isinstance(Scope.of("n").assuming("n - n == 0").assumptions[0].relation, Relation)


def test_symbols_of_a_scope_are_those_of_everyone():
    assert (Scope.of("n")["n"] == symbol("n")) is True
    assert list(Scope.of("n m").names) == ["n", "m"]
