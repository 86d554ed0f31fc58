"""What a claim is, and what is known of it once it was judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..errors import Place
from ..verdict import Agreement, Stance, Truth


@dataclass(frozen=True)
class Document:
    """The text that claims are about."""

    title: str
    source: str = ""
    sections: tuple[str, ...] = ()


@dataclass(frozen=True)
class Premise:
    """A named condition: a relation of sizes as text, or one of the named assumptions of a law."""

    name: str
    relation: str = ""
    """Empty for an assumption of a law."""


@dataclass(frozen=True)
class Reading:
    """One formal reading of a statement."""

    name: str
    relation: str
    printed: bool = False
    """The text as it was transcribed, judged and shown but not counted: another reading restores what was lost."""
    options: Mapping[str, Any] = field(default_factory=lambda: dict[str, Any]())
    """What else the method needs."""
    method: str = ""
    """Where it is not the claim's."""
    without: str = ""
    """The condition, by name, that this reading leaves out: refuted, it shows that the condition is needed."""
    place: Place = field(default_factory=lambda: Place(""), compare=False)


@dataclass(frozen=True)
class Claim:
    """A statement of a document, its formal readings, and the verdict that was pinned for it."""

    id: str
    statement: str
    stance: Stance
    expect: Truth
    section: str = ""
    item: str = ""
    sentence: str = ""
    """Hash of the normalised sentence in the document (see `document.sentences`)."""
    quote: str = ""
    method: str = "relation"
    sizes: tuple[str, ...] = ()
    given: tuple[Premise, ...] = ()
    """What the document itself declares."""
    assume: tuple[Premise, ...] = ()
    """What it needs and does not say."""
    readings: tuple[Reading, ...] = ()
    arrays: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    """Arrays that the relation speaks of, each with its axes: `x = "n d_model"`."""
    mutants: tuple[str, ...] = ()
    kind: str = ""
    reason: str = ""
    note: str = ""
    contradicts: tuple[str, ...] = ()
    """Ids of statements of the same document that this one contradicts."""
    conflicts: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    """For each of them what the one says and what the other."""
    place: Place = field(default_factory=lambda: Place(""))
    places: Mapping[str, Place] = field(default_factory=lambda: dict[str, Place](), compare=False)
    """Lines of single keys, for errors that are found only while judging."""
    raw: Mapping[str, Any] = field(default_factory=lambda: dict[str, Any](), compare=False)


@dataclass
class Result:
    """One judged claim, in terms that JSON can hold."""

    id: str
    section: str
    item: str
    statement: str
    stance: str
    truth: str
    agreement: str
    method: str
    expected: str
    assumptions: list[str] = field(default_factory=lambda: list[str]())
    witness: dict[str, Any] | None = None
    certificate: dict[str, Any] | None = None
    mutants: dict[str, int] = field(default_factory=lambda: {"made": 0, "killed": 0})
    seconds: float = 0.0
    reason: str = ""
    readings: list[dict[str, Any]] = field(default_factory=lambda: list[dict[str, Any]]())
    necessity: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())
    """For each assumption a witness of what happens without it."""
    model: dict[str, int] | None = None
    """Sizes that satisfy the assumptions."""
    problems: list[str] = field(default_factory=lambda: list[str]())
    """Why this result makes the audit fail: not the pinned verdict, a surviving mutant, a stale sentence."""
    note: str = ""
    contradicts: list[str] = field(default_factory=lambda: list[str]())
    conflicts: dict[str, str] = field(default_factory=lambda: dict[str, str]())
    declared: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())
    """Sizes, arrays and premises that the relations speak of."""
    place: str = ""
    cached: bool = False
    timed_out: bool = False

    @property
    def as_json(self) -> dict[str, Any]:
        return {k: v for k, v in asdict(self).items() if k not in ("cached", "timed_out")}


SUCCESS = frozenset({Truth.PROVED, Truth.PROVED_IF, Truth.BOUNDED, Truth.MEASURED, Truth.REFUTED, Truth.NOT_A_CLAIM})
__all__ = ["SUCCESS", "Agreement", "Claim", "Document", "Premise", "Reading", "Result"]
