"""What can go wrong, as data: a code, a fact, a place and a remedy. Text is built only in `__str__`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Where in the user's input something stands; line and column count from 1."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        parts = [self.file, *(str(n) for n in (self.line, self.column) if n is not None)]
        return ":".join(parts)


class VerifierError(Exception):
    """A mistake in what the user gave us: shown as its text, never as a traceback."""

    def __init__(self, fact: str, *, place: Place | None = None, remedy: str | None = None) -> None:
        super().__init__(fact)
        self.fact = fact
        self.place = place
        self.remedy = remedy

    def at(self, place: Place) -> VerifierError:
        """The same error with its place, added once at the boundary that knows it."""
        if self.place is None:
            self.place = place
        return self

    def __str__(self) -> str:
        text = f"{self.place}: {self.fact}" if self.place else self.fact
        return f"{text}\n    fix  {self.remedy}" if self.remedy else text


class ExpressionError(VerifierError):
    """A text that is no expression of ours; `column` is counted from 1 within the text."""

    def __init__(self, fact: str, *, column: int | None = None, remedy: str | None = None) -> None:
        super().__init__(fact, remedy=remedy)
        self.column = column

    def __str__(self) -> str:
        where = f" (column {self.column})" if self.column is not None else ""
        return super().__str__().replace(self.fact, self.fact + where, 1)


class ContradictoryAssumptions(VerifierError):
    """No sizes satisfy the assumptions, so whatever is said under them is vacuous."""


class UndecidedSize(VerifierError):
    """The truth of a comparison of sizes was asked for where nobody can decide it."""


class NeedsConcreteSize(BaseException):
    """Code asked for a size as a Python number; the explorer answers by binding its symbols.

    A `BaseException`, so that an `except Exception` in the code under test lets it pass.
    """

    def __init__(self, size: object) -> None:
        super().__init__(f"a number is needed for the size {size}")
        self.size = size


class Unsupported(VerifierError):
    """An operation without a rule: named, never guessed."""


class Unavailable(Unsupported):
    """An operation that wants hardware of its own: it is not run on real arrays either, since it may be absent."""


class TooManyPaths(Unsupported):
    """More ways through the code than are explored."""
