"""A function whose arrays have no axes in their annotations: shapes are proposed, each is proved, the verdict drawn.

Law: PROVED_IF is said of shapes that were proved like annotated ones. A requirement on axes that nobody named is part
of the contract and no finding; what no shape that was tried can avoid is one. Findings about values are reported only
where no shape is free of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...dims import Scope, is_dim
from ...dims.dim import symbols_of
from ...errors import Unsupported
from ..finding import Outcome
from ..judgement import Judgement, note
from ..requirement import Requirement
from ..variants import Variant
from .contract import contract_of
from .infer import Inference, Try, ways
from .supposed import Supposed, free

MAX_SHAPES = 10
"""More shapes of one way to call a function are not proved."""

MAX_FURTHER = 20
"""More ways are not tried after one at which every shape is right and the values are not."""

MAX_OPTIONS = 3
"""How many optional arrays are passed, each alone."""

PROVED = (Outcome.PROVED, Outcome.PROVED_IF)

Prove = Callable[[Supposed, Sequence[Requirement]], Judgement]
"""Judges the function with these shapes, as if annotations had said them."""


@dataclass
class Row:
    """Shapes, and what was proved of them."""

    tried: Try
    told: Judgement

    @property
    def verdict(self) -> str:
        return self.told.verdict()[0]

    @property
    def coincidences(self) -> int:
        """Axes of one array that have to be alike, or have one size of the object's between them."""
        count = 0
        for name in self.tried.supposed.ranks:
            sizes = [str(s) for s in self.tried.supposed.shape(name) if str(s) != "1"]
            count += len(sizes) - len(set(sizes))
        return count

    @property
    def fewest(self) -> int:
        """The least number of axes that an array has; a number alone broadcasts where an array is meant."""
        return min(self.tried.supposed.ranks.values(), default=1)

    @property
    def axes(self) -> int:
        """How many axes its arrays have together."""
        return sum(self.tried.supposed.ranks.values())

    @property
    def is_clean(self) -> bool:
        return self.verdict in (*PROVED, Outcome.BOUNDED)


@dataclass
class Hopeless:
    """Ranks of one array with which the function failed alike at two ranks of each other array: not tried again."""

    failures: dict[tuple[str, int, object, str], dict[str, set[int]]] = field(
        default_factory=lambda: dict[tuple[str, int, object, str], dict[str, set[int]]]()
    )
    known: set[tuple[str, int]] = field(default_factory=lambda: set[tuple[str, int]]())
    fine: set[tuple[str, int]] = field(default_factory=lambda: set[tuple[str, int]]())

    def see(self, ranks: dict[str, int], tried: Try) -> None:
        for name, rank in ranks.items():
            if tried.passed:
                self.fine.add((name, rank))
                continue
            others = self.failures.setdefault((name, rank, tried.place, tried.fact), {})
            for other, theirs in ranks.items():
                others.setdefault(other, set()).add(theirs)
            if all(len(seen) > 1 for other, seen in others.items() if other != name):
                self.known.add((name, rank))

    def knows(self, ranks: dict[str, int]) -> bool:
        return len(ranks) > 1 and any(item in self.known - self.fine for item in ranks.items())


@dataclass
class Looking:
    """What was tried for one function, and what came of it."""

    inference: Inference
    prove: Prove
    until: float
    """The process time after which nothing further is begun."""
    rows: list[Row] = field(default_factory=lambda: list[Row]())
    failed: list[Try] = field(default_factory=lambda: list[Try]())
    skipped: int = 0
    """Ways that were not tried."""

    @property
    def is_wrong(self) -> bool:
        return any(r.verdict == Outcome.REFUTED for r in self.rows)

    @property
    def late(self) -> bool:
        return time.process_time() > self.until

    def look(self, given: frozenset[str], taken: frozenset[str]) -> None:
        """Tries ranks for the arrays of one way to call the function, until a group of them has one that is right."""
        first = self.inference.proposal(Supposed(given=given, taken=taken))
        arrays = list(first.supposed.ranks)
        if not arrays and not first.unknown and not first.is_unmade:
            self.rows.append(self.row(first))  # all that is left without axes is optional, and absent
            return
        if not arrays:
            self.failed.append(replace(first, unknown=first.unknown or first.fact))
            return
        found, further = 0, 0
        hopeless = Hopeless()
        for group in ways(arrays):
            for number, ranks in enumerate(group):
                if self.late or found >= MAX_SHAPES or further > MAX_FURTHER:
                    self.skipped += len(group) - number
                    break
                if hopeless.knows(ranks):
                    continue
                further += self.is_wrong
                tried = self.inference.proposal(Supposed(ranks, given=given, taken=taken))
                if tried.passed:
                    row = self.row(tried)
                    if self.is_wrong and row.told.vectors:
                        continue  # a product with a vector has no axis left to be the wrong one
                    self.rows.append(row)
                    found += row.is_clean
                else:
                    self.failed.append(tried)
                hopeless.see(ranks, tried)
            if found or self.late:
                break

    def row(self, tried: Try) -> Row:
        mine = [p for p in tried.premises if _speaks_of(p, tried.supposed)]
        return Row(tried, self.prove(tried.supposed, mine))


def _speaks_of(requirement: Requirement, supposed: Supposed) -> bool:

    sides = (requirement.relation.left, requirement.relation.right)
    return bool(free({n for s in sides if is_dim(s) for n in symbols_of(s)}, supposed))


def judged(
    looking: Looking, options: Callable[[], Sequence[str]], taken: frozenset[str], empty: Judgement
) -> Judgement:
    """What is known of a function over all shapes that were tried."""
    try:
        looking.look(frozenset(), taken)
        optional = list(options())
        absent = any(r.is_clean for r in looking.rows)
        if absent or not looking.is_wrong:
            for name in optional[:MAX_OPTIONS]:
                looking.look(frozenset({name}), taken)
            if len(optional) > 1 and not any(r.is_clean for r in looking.rows):
                looking.look(frozenset(optional), taken)
    except Unsupported as error:
        empty.untested.append(error.fact)
        note(empty, "ATT041", error.fact, empty.subject.line, error.remedy or "")
        return empty
    return _drawn(looking, optional, empty)


def _drawn(looking: Looking, options: Sequence[str], empty: Judgement) -> Judgement:
    proved = [r for r in looking.rows if r.verdict in PROVED]
    bounded = [r for r in looking.rows if r.verdict == Outcome.BOUNDED]
    chosen = proved or bounded
    if chosen:
        chosen = [r for r in chosen if r.fewest] or chosen
        fewest = min(r.coincidences for r in [r for r in chosen if r.fewest > 1] or chosen)
        return _merged([r for r in chosen if r.coincidences <= fewest], options)
    wrong = [r for r in looking.rows if r.verdict == Outcome.REFUTED]
    others = [r for r in looking.rows if r.verdict != Outcome.REFUTED]
    if others:
        best = min(others, key=lambda r: (r.verdict != Outcome.TESTED, r.coincidences))
        return best.told
    if wrong:
        return min(wrong, key=lambda r: (r.coincidences, len(r.told.findings), r.axes)).told
    return _failing(looking, empty)


def _merged(rows: Sequence[Row], options: Sequence[str]) -> Judgement:
    """One judgement of all shapes that are right: with the findings that all of them have."""
    told = rows[0].told
    for row in rows:
        supposed = row.tried.supposed
        conditions = [*dict.fromkeys([*row.told.conditions, *(r.text for r in row.told.asked)])]
        told.contracts.append(
            contract_of(supposed, options, conditions, row.told.results, row.told.arrays, row.told.attributes)
        )
    places = [{(f.place, f.fix) for f in row.told.findings} for row in rows]
    told.findings = [f for f in told.findings if all((f.place, f.fix) in p for p in places)]
    told.required = any(f.code == "ATT020" for f in told.findings)
    for row in rows[1:]:
        told.assumptions.update({a: None for a in row.told.assumptions if a not in {r.text for r in row.told.asked}})
        told.fixed.update(row.told.fixed)
        told.alike.update(row.told.alike)
        told.kept.update(row.told.kept)
        told.first_alone = told.first_alone or row.told.first_alone
        told.required |= bool(row.told.alike)
        told.bounds = {n: min(b, told.bounds.get(n, b)) for n, b in (told.bounds | row.told.bounds).items()}
    told.paths = sum(row.told.paths for row in rows)
    told.ways, told.rows = [way for row in rows for way in _ways(row)], len(rows)
    return told


def _ways(row: Row) -> Iterator[tuple[Variant, Scope]]:
    """The ways to call it with those shapes, with what is asked of them."""
    for variant, scope in row.told.ways:
        for requirement in row.told.asked:
            scope = scope.given(requirement.relation)
        yield variant, scope


def _failing(looking: Looking, empty: Judgement) -> Judgement:
    """No shapes are right: where those fail that came farthest."""
    known = [t for t in looking.failed if not t.unknown]
    unknown = [t for t in looking.failed if t.unknown]
    if not known:
        reason = unknown[0].unknown if unknown else "there was no time to look for the axes of its arrays"
        empty.untested.append(reason)
        note(empty, "ATT041", reason, empty.subject.line)
        return empty
    last = max(known, key=lambda t: (bool(t.tie), t.reach))
    there = [t for t in known if (t.place, t.code, bool(t.tie)) == (last.place, last.code, bool(last.tie))]
    farthest = min(there, key=lambda t: sum(t.supposed.ranks.values()))
    row = looking.row(farthest)
    if row.is_clean:
        return _merged([row], ())
    if "NoneType" in farthest.fact:
        empty.untested.append(f"{farthest.fact}: an argument that may be left out is not passed")
        return empty
    if row.verdict == Outcome.REFUTED and (unknown or looking.skipped):
        empty.undecided.append(f"{_tried(looking)}; {farthest.fact}")
        return empty
    if row.verdict == Outcome.REFUTED:
        row.told.note = _tried(looking) + (f", except where {farthest.tie}" if farthest.tie else "")
    return row.told


def _tried(looking: Looking) -> str:
    ranks = [r for t in looking.failed for r in t.supposed.ranks.values()]
    names = " and ".join(looking.failed[0].supposed.ranks)
    return f"no {names} of {min(ranks)} to {max(ranks)} axes was found to pass"
