"""What an answer is: one vocabulary for claims, configs and code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Truth(StrEnum):
    """How true a statement is, whichever side a document takes of it."""

    PROVED = "PROVED"
    """For everything in the declared domain."""
    PROVED_IF = "PROVED_IF"
    """Under named assumptions, a smallest set, each with a witness that it is needed."""
    BOUNDED = "BOUNDED"
    """Checked for everything up to a stated bound."""
    MEASURED = "MEASURED"
    """By an experiment with seed, sample size and standard error."""
    REFUTED = "REFUTED"
    """With a witness that was evaluated a second time, without the prover."""
    UNDECIDED = "UNDECIDED"
    """Neither; the reason says what was left over."""
    NOT_A_CLAIM = "NOT_A_CLAIM"
    """A convention, an empirical or pedagogical remark, or ambiguous."""
    NOT_ENCODED = "NOT_ENCODED"
    """Listed in the document, not yet written as a rule. Never a success."""


class Stance(StrEnum):
    """What a document does with a statement."""

    ASSERTS = "asserts"
    REJECTS = "rejects"
    ASKS = "asks"


class Agreement(StrEnum):
    """Whether a document is right about a statement."""

    AGREES = "AGREES"
    CONTRADICTS = "CONTRADICTS"
    OVERSTATES = "OVERSTATES"
    """Said without the condition that it needs."""
    UNDECIDED = "UNDECIDED"
    NONE = "none"


def agreement(truth: Truth, stance: Stance) -> Agreement:
    """The document's side held against the truth of the statement itself.

    >>> agreement(Truth.REFUTED, Stance.REJECTS)
    <Agreement.AGREES: 'AGREES'>
    >>> agreement(Truth.PROVED_IF, Stance.ASSERTS)
    <Agreement.OVERSTATES: 'OVERSTATES'>
    """
    if stance is Stance.ASKS or truth in (Truth.NOT_A_CLAIM, Truth.NOT_ENCODED):
        return Agreement.NONE
    if truth in (Truth.UNDECIDED, Truth.BOUNDED, Truth.MEASURED):
        return Agreement.UNDECIDED
    if truth is Truth.PROVED_IF:
        # A statement that is true only under a condition is overstated by whoever asserts it,
        # and by whoever rejects it outright.
        return Agreement.OVERSTATES
    asserted = stance is Stance.ASSERTS
    return Agreement.AGREES if asserted == (truth is Truth.PROVED) else Agreement.CONTRADICTS


@dataclass(frozen=True)
class Verdict:
    """One established answer, with everything that a second evaluator needs to check it."""

    truth: Truth
    reason: str = ""
    assumptions: tuple[str, ...] = ()
    witness: Mapping[str, Any] | None = None
    certificate: Mapping[str, Any] | None = None
    steps: tuple[str, ...] = field(default=())
