"""One function: run on symbolic sizes along every path, its failures made into findings, its verdict drawn.

Law: PROVED is said only where every path of every variant returned a value that fits its annotation, under premises
that have a model; a failing path is REFUTED only where real arrays of its smallest sizes fail too.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass
from typing import Any

from ..dims import Relation, Scope
from ..errors import NeedsConcreteSize, Place, TooManyPaths, UndecidedSize, Unsupported, VerifierError
from ..frontends.explorer import limited
from .arguments import Builder, SizeNames, Symbolic, Variant, variants
from .discovery import Subject
from .finding import Outcome, Report
from .guesses import Style
from .judgement import Judgement, allow, note
from .pool import TIMEOUT
from .slips import slips_in
from .unbound import unbound_in
from .variant_run import VariantRun
from .world import World, run_everywhere

DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


SHARES = {Style.SIZES: 0.4, Style.DEFAULTS: 0.7, Style.GIVEN: 0.9}
"""By when, of the seconds a function has, one way to take a constructor's integers gives way to the next."""


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
        for slip in slips_in(subject.function, told.results):
            note(told, "ATT048", slip.message, subject.line, slip.fix, "warning")
    allow(subject, told)
    verdict, reason = told.verdict()
    if verdict != Outcome.REFUTED:
        for finding in told.findings:
            finding.severity = "info" if finding.severity == "error" and told.guesses else finding.severity
    findings = sorted(told.findings, key=lambda f: (f.file, f.line, f.code))
    spent = round(time.perf_counter() - begun, 4)
    place = (subject.name, subject.file, subject.line)
    names = subject.names_sizes
    return Report(*place, verdict, list(told.assumptions), told.paths, findings, spent, reason, names)


def _judged(subject: Subject, given: tuple[str, ...], axes: bool, until: float, style: Style) -> Judgement:
    told = Judgement(subject)
    if subject.unread is not None:
        told.untested.append(subject.unread.fact)
    else:
        try:
            _judge_variants(subject, given, told, axes, until, style)
        except Unsupported as error:
            told.untested.append(error.fact)
            note(told, "ATT041", error.fact, subject.line, error.remedy or "")
        except VerifierError as error:
            told.untested.append(error.fact)
            note(told, "ATT043", error.fact, subject.line, error.remedy or "", "error")
    return told


def _judge_variants(
    subject: Subject, given: tuple[str, ...], told: Judgement, axes: bool, until: float, style: Style
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

    if subject.owner is not None and not is_dataclass(subject.owner):
        listed, complete = _computed_variants(subject, scopes, told, style)
    else:
        try:
            listed, complete = variants(remember, style)
        except (NeedsConcreteSize, Exception) as error:  # a constructor that wants sizes to be what they are
            if isinstance(error, VerifierError) and not isinstance(error, UndecidedSize):
                raise
            listed, complete = _computed_variants(subject, scopes, told, style)
    if not complete:
        told.untried = f"{len(listed)} of the ways to call it: unions, optional arguments and ranks multiply"
    for tried, variant in enumerate(listed):
        if tried and time.process_time() > until:
            told.untried = f"{tried} of the ways to call it, for want of time"
            break
        scope = scopes[variant.script]
        for text in (*subject.premises, *given):
            scope = _assume(scope, text, subject)
        for premise in scope.assumptions:
            told.assumptions[premise.name] = None
        VariantRun(subject, variant, World(scope), told, axes).settle()


def _computed_variants(
    subject: Subject, scopes: dict[tuple[int, ...], Scope], told: Judgement, style: Style
) -> tuple[list[Variant], bool]:
    """The variants where a constructor computes with its sizes, so that listing them needs a run."""

    def probe(variant: Variant) -> None:
        names: dict[str, None] = {}

        def run(fixed: Mapping[str, int]) -> None:
            again = variant.again()
            builder = Builder(again, _Recording(fixed, names))
            try:
                builder.call(subject.function, subject.owner)
            finally:
                variant.asked = again.asked  # also where the constructor turns this choice down
                told.suppose(builder)

        while True:  # a constructor that loops over a size wants it as a number, and that is known once it has asked
            known = len(names)
            try:
                run_everywhere(run, World(Scope.of(names)))
                break
            except TooManyPaths:  # the sizes are known by then
                break
            except Unsupported:
                if len(names) == known:
                    raise
        scopes[variant.script] = Scope.of(names)

    return variants(probe, style)


@dataclass
class _Recording(Symbolic):
    names: dict[str, None] = field(default_factory=lambda: dict[str, None]())

    def size(self, name: str) -> Any:
        self.names[name] = None
        return super().size(name)


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
