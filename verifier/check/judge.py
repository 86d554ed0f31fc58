"""One function: run on symbolic sizes along every path, its failures made into findings, its verdict drawn.

Law: PROVED is said only where every path of every variant returned a value that fits its annotation, under premises
that have a model; a failing path is REFUTED only where real arrays of its smallest sizes fail too.
"""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from typing import Any

from ..dims import Relation, Scope
from ..errors import NeedsConcreteSize, Place, TooManyPaths, UndecidedSize, Unsupported, VerifierError
from ..frontends.explorer import limited
from ..frontends.surroundings import TRAINING
from .annotated import hints_of
from .arguments import IDENTIFIER, Builder
from .bare.contract import Result
from .bare.infer import Inference
from .bare.judging import Looking, judged
from .bare.real import Trying
from .bare.supposed import Supposed
from .discovery import Subject
from .finding import Outcome, Report
from .guesses import Style
from .judgement import Judgement, allow, note
from .kept import spell
from .later_calls import LaterCalls
from .leaves import Recording, SizeNames
from .pool import TIMEOUT
from .requirement import Requirement
from .slips import slips_in
from .unbound import unbound_in
from .variant_run import VariantRun
from .variants import Variant, variants
from .world import World, run_everywhere

DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


SHARES = {Style.SIZES: 0.4, Style.DEFAULTS: 0.7, Style.GIVEN: 0.9}
"""By when, of the seconds a function has, one way to take a constructor's integers gives way to the next."""


MAX_ACROSS = 100
"""More pairs of calls with arrays of unequal ranks are not tried."""

ONE_ROW = "every call of one object passes the same arrays, with as many axes"


def judge(
    subject: Subject,
    given: tuple[str, ...] = (),
    axes: bool = True,
    seconds: float = TIMEOUT,
    patience: float = float("inf"),
) -> Report:
    """The report about one function under premises about its sizes.

    Where a constructor's sizes are too many to tell, those with a default are left at it, and the verdict says so.
    After `patience` seconds of work no further way to call it is begun, and the verdict says how many were tried.
    """
    begun, busy = time.perf_counter(), time.process_time()
    told = Judgement(subject)
    open_styles = {Style.SIZES: None}
    for style in Style:
        if style in open_styles:
            with limited(busy + SHARES[style] * seconds):
                tried = _judged(subject, given, axes, busy + patience, style)
            open_styles |= tried.open
            if style is Style.SIZES or tried.is_decided:
                told = tried
            if tried.is_decided:
                break
    if subject.checked and subject.unread is None:
        for axis in unbound_in(subject.function):
            note(told, "ATT047", axis.message, subject.line, axis.fix, "warning")
    if subject.unread is None:
        for slip in slips_in(subject.function, told.bindings):
            note(told, "ATT048", slip.message, subject.line, slip.fix, "warning")
    if told.alike:
        told.assumptions[f"every call of one object has the same {' and '.join(told.alike)}"] = None
    allow(subject, told)
    verdict, reason = told.verdict()
    if verdict != Outcome.REFUTED:
        for finding in told.findings:
            finding.severity = "info" if finding.severity == "error" and told.guesses else finding.severity
    findings = sorted(told.findings, key=lambda f: (f.file, f.line, f.code))
    spent = round(time.perf_counter() - begun, 4)
    place = (subject.name, subject.file, subject.line)
    names = subject.names_sizes
    contract = [c.as_dict() for c in told.contracts]
    return Report(
        *place,
        verdict,
        list(told.assumptions),
        told.paths,
        findings,
        spent,
        reason,
        names,
        subject.says_no_shapes,
        contract,
    )


def _judged(subject: Subject, given: tuple[str, ...], axes: bool, until: float, style: Style) -> Judgement:
    told = Judgement(subject)
    if subject.unread is not None:
        told.untested.append(subject.unread.fact)
    elif subject.is_bare:
        return _judged_without_axes(subject, given, axes, until, style)
    else:
        _guarded(told, lambda: _judge_variants(subject, given, told, axes, until, style))
    return told


def _guarded(told: Judgement, work: Callable[[], None]) -> None:
    """What keeps a function from being judged is told."""
    try:
        work()
    except Unsupported as error:
        told.untested.append(error.fact)
        note(told, "ATT041", error.fact, told.subject.line, error.remedy or "")
    except VerifierError as error:
        told.untested.append(error.fact)
        note(told, "ATT043", error.fact, told.subject.line, error.remedy or "", "error")


def _judged_without_axes(subject: Subject, given: tuple[str, ...], axes: bool, until: float, style: Style) -> Judgement:
    """The judgement where annotations name no axes: of the shapes that are found."""
    function, owner = subject.function, subject.owner
    optional: dict[str, None] = {}

    def run(supposed: Supposed, fixed: Mapping[str, int], names: dict[str, None]) -> Any:
        variant = Variant((), style, supposed)
        builder = Builder(variant, Recording(fixed, names))
        try:
            return VariantRun(subject, variant, World(Scope()), Judgement(subject), False).called(builder)
        finally:
            optional.update(builder.shapeless_options)

    def assume(scope: Scope) -> Scope:
        for text in (*subject.premises, *given):
            scope = _assume(scope, text, subject)
        return scope

    def prove(supposed: Supposed, conditions: Sequence[Requirement]) -> Judgement:
        told = Judgement(subject)
        told.conditions.update(dict.fromkeys(c.text for c in conditions))
        _guarded(told, lambda: _judge_variants(subject, given, told, axes, until, style, supposed, conditions))
        return told

    names = frozenset(inspect.signature(function).parameters)
    words = {n for h in hints_of(function).values() for n in IDENTIFIER.findall(str(h))}
    looking = Looking(Inference(run, owner, assume), prove, until)
    told = judged(looking, lambda: list(optional), names | words, Judgement(subject))
    if told.verdict()[0] == Outcome.REFUTED:
        return _held_against_real(subject, told, looking, style)
    if told.rows > 1 and told.kept and not told.first_alone and not _across_rows(subject, told, until):
        told.required = True
        told.assumptions[ONE_ROW] = None
    return told


def _held_against_real(subject: Subject, told: Judgement, looking: Looking, style: Style) -> Judgement:
    """What is refuted stays so where the real function returns for no real arrays that are tried."""
    if any(f.code.startswith("ATT03") for f in told.findings if f.severity == "error"):
        return told  # its values are wrong: that it returns says nothing
    ways = {
        t.supposed.given: t.supposed for t in (*looking.failed, *(r.tried for r in looking.rows)) if t.supposed.ranks
    }
    for supposed in ways.values():
        passing = Trying(subject.function, subject.owner, Variant((), style, supposed)).passing()
        if passing:
            fact = next((f.message for f in told.findings if f.severity == "error"), "")
            open_end = Judgement(subject, assumptions=told.assumptions, paths=told.paths)
            open_end.undecided.append(f"no shapes were found that never fail ({fact}), but real arrays pass: {passing}")
            return open_end
    return told


def _across_rows(subject: Subject, told: Judgement, until: float) -> bool:
    """Whether calls of one object may differ in how many axes its arrays have, and in which are given."""
    later = LaterCalls(subject, told.ways, same=dict(told.alike), most=MAX_ACROSS, until=until)
    held = later.hold()
    return held and later.same.keys() <= told.alike.keys() and later.premises.keys() <= told.assumptions.keys()


def _judge_variants(
    subject: Subject,
    given: tuple[str, ...],
    told: Judgement,
    axes: bool,
    until: float,
    style: Style,
    shapes: Supposed | None = None,
    conditions: Sequence[Requirement] = (),
) -> None:
    def probe(variant: Variant) -> Scope:
        maker = SizeNames()
        builder = Builder(variant, maker)
        try:
            builder.call(subject.function, subject.owner)
        finally:
            told.suppose(builder)
        return Scope.of(maker.names)

    scopes: dict[tuple[int, ...], Scope] = {}

    def remember(variant: Variant) -> None:
        scopes[variant.script] = probe(variant)

    found: tuple[list[Variant], bool] | None = None
    if subject.owner is None or is_dataclass(subject.owner):
        try:
            found = variants(remember, style, shapes)
        except (NeedsConcreteSize, Exception) as error:  # a constructor that wants sizes to be what they are
            if isinstance(error, VerifierError) and not isinstance(error, UndecidedSize):
                raise
    # Not within the handler: code under test that has one of its own would be asked about this exception.
    listed, complete = found or _computed_variants(subject, scopes, told, style, shapes)
    if not complete:
        told.untried = f"{len(listed)} of the ways to call it: unions, optional arguments and ranks multiply"
    ways: list[tuple[Variant, Scope]] = []
    for tried, variant in enumerate(_both_modes(listed, told)):
        if tried and time.process_time() > until:
            told.untried = f"{tried} of the ways to call it, for want of time"
            break
        scope = scopes[variant.script]
        for text in (*subject.premises, *given):
            scope = _assume(scope, text, subject)
        for premise in scope.assumptions:
            told.assumptions[premise.name] = None
        for condition in conditions:
            scope = scope.given(condition.relation, condition.text)
        VariantRun(subject, variant, World(scope), told, axes).settle()
        ways.append((variant.again(), scope))
    _surroundings(told)
    told.ways = ways
    if told.kept and told.is_decided and told.verdict()[0] != Outcome.REFUTED:
        _later_calls(subject, ways, told)


def _both_modes(listed: list[Variant], told: Judgement) -> Iterator[Variant]:
    """Each way to call it, and each once more after `eval()` where the code asks whether it is in training."""
    yield from listed
    if TRAINING in told.heard:
        yield from (replace(v.again(), evaluating=True) for v in listed)


def _surroundings(told: Judgement) -> None:
    """What the code asked of modes and switches is what the verdict rests on."""
    for asked in told.heard:
        if asked != TRAINING:
            told.assumptions[asked] = None
            told.required = True


def _later_calls(subject: Subject, ways: list[tuple[Variant, Scope]], told: Judgement) -> None:
    """Whether what a call leaves in its object lets a later one fail."""
    later = LaterCalls(subject, ways, [r.relation for r in told.asked], told=[r.text for r in told.results])
    held = later.hold()
    if held and not told.untried:
        told.assumptions.update(later.premises)
        if later.same:
            told.required = True
            told.alike.update(later.same)
        if not later.returns_alike:
            told.results = [Result("")]  # what is told is the first call's, and a later one returns another shape
        return
    names = list(dict.fromkeys(map(spell, told.kept)))
    kept = f"{', '.join(names[:4])}{' and others' if len(names) > 4 else ''} {'stay' if len(names) > 1 else 'stays'}"
    told.first_alone = f"the first call of an object: {kept} as it leaves {'them' if len(names) > 1 else 'it'}" + (
        f", and {later.why}" if later.why else ""
    )


def _computed_variants(
    subject: Subject,
    scopes: dict[tuple[int, ...], Scope],
    told: Judgement,
    style: Style,
    shapes: Supposed | None = None,
) -> tuple[list[Variant], bool]:
    """The variants where a constructor computes with its sizes, so that listing them needs a run."""

    def probe(variant: Variant) -> None:
        names: dict[str, None] = {}

        def run(fixed: Mapping[str, int]) -> None:
            again = variant.again()
            builder = Builder(again, Recording(fixed, names))
            try:
                builder.call(subject.function, subject.owner)
            finally:
                variant.asked = again.asked  # also where the constructor turns this choice down
                told.suppose(builder)
            raise _Listed

        while True:  # a constructor that loops over a size wants it as a number, and that is known once it has asked
            known = len(names)
            try:
                run_everywhere(run, World(Scope.of(names)))
                break
            except (_Listed, TooManyPaths):  # the sizes are known by then
                break
            except Unsupported:
                if len(names) == known:
                    raise
        scopes[variant.script] = Scope.of(names)

    return variants(probe, style, shapes)


class _Listed(BaseException):
    """All arguments were made, so that all sizes and choices were asked for: other sizes of them ask for the same.

    No `Exception`, since the explorer would take it for a path's.
    """


def _assume(scope: Scope, text: str, subject: Subject) -> Scope:
    """The premise, where it speaks of this function's sizes; `self.h` is a size too."""
    from ..dims.expression import parse

    names = {n.replace(".", "_"): size for n, size in scope.names.items()}
    try:
        expression = parse(DOTTED.sub(lambda m: m[0].replace(".", "_"), text))
        if not expression.names <= set(names):
            return scope
        relation = expression.value(names)
    except VerifierError as error:
        raise error.at(Place(subject.file, subject.line)) from None
    if isinstance(relation, Relation):
        return scope.given(relation, text)
    if relation is True:
        return scope
    raise VerifierError(f"the premise {text!r} {'is no comparison' if relation is not False else 'never holds'}")
