from __future__ import annotations

import pytest

from verifier.errors import ContradictoryAssumptions, ExpressionError, NeedsConcreteSize, Place, VerifierError
from verifier.verdict import Agreement, Stance, Truth, agreement

A, C, O, U, N = (Agreement.AGREES, Agreement.CONTRADICTS, Agreement.OVERSTATES, Agreement.UNDECIDED, Agreement.NONE)  # noqa: E741
TABLE = {
    #                     asserts, rejects, asks
    Truth.PROVED: (A, C, N),
    Truth.REFUTED: (C, A, N),
    Truth.PROVED_IF: (O, O, N),
    Truth.BOUNDED: (U, U, N),
    Truth.MEASURED: (U, U, N),
    Truth.UNDECIDED: (U, U, N),
    Truth.NOT_A_CLAIM: (N, N, N),
    Truth.NOT_ENCODED: (N, N, N),
}


@pytest.mark.parametrize("truth", list(Truth))
def test_agreement(truth):
    assert tuple(agreement(truth, stance) for stance in (Stance.ASSERTS, Stance.REJECTS, Stance.ASKS)) == TABLE[truth]


def test_an_error_is_fact_place_and_remedy():
    error = VerifierError("h does not divide d", remedy="d = 8")
    assert str(error) == "h does not divide d\n    fix  d = 8"
    assert str(error.at(Place("model.py", 3, 7))) == "model.py:3:7: h does not divide d\n    fix  d = 8"
    assert error.at(Place("other.py")).place == Place("model.py", 3, 7)
    assert str(Place("a.toml")) == "a.toml"


def test_a_column_is_said_with_and_without_a_place():
    error = ExpressionError("a dot is not allowed here", column=4)
    assert str(error) == "a dot is not allowed here (column 4)"
    assert str(error.at(Place("claims.toml", 2))) == "claims.toml:2: a dot is not allowed here (column 4)"


def test_a_needed_number_passes_by_broad_handlers():
    assert not issubclass(NeedsConcreteSize, Exception)
    assert issubclass(ContradictoryAssumptions, VerifierError)
