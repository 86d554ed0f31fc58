"""One way to call a function, from its paths to its findings."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from ..dims import Relation, is_dim
from ..dims.dim import symbols_of
from ..dims.wording import condition_text
from ..errors import Unsupported
from ..frontends.explorer import Path
from ..frontends.front_end import settled
from ..prove.finite import without_model
from ..prove.residues import impossible
from .annotated import hints_of, match
from .arguments import Builder, Symbolic, UnknownSize, Variant
from .codes import code_of, fact_of
from .consequences import by_cause
from .discovery import Subject
from .examples import SEARCH, conditions_of, distance, example, examples, weight
from .finding import Finding
from .fixes import fix_of
from .guesses import Style
from .judgement import Judgement, note
from .lasting import Lasting
from .locating import LastReturn, Spot, is_guard, is_unmade, lacks_keywords, making_arguments, spot_of
from .mismatch import AnnotationMismatch
from .reached import steps_of
from .replay import adversarial, failure_at, quietly
from .requirement import Requirement, candidates
from .saying import said, under_names
from .world import Runs, World, run_everywhere, run_for_all_counts

MAX_REQUIREMENTS = 4
"""More than these, and what still fails is reported as it is."""


@dataclass
class Failure:
    """A failing path: what it raised, and where."""

    world: World
    path: Path
    code: str
    spot: Spot
    example: dict[str, int] | None

    @property
    def place(self) -> tuple[str, int, str]:
        return (self.spot.file, self.spot.line, self.code)

    @property
    def matter(self) -> tuple[str, int, str, str]:
        """The place, and which of several bounds on one line: a window must fit the height, and the width as well."""
        relation = getattr(getattr(self.path.error, "obligation", None), "relation", None)
        return (*self.place, str(relation) if isinstance(relation, Relation) and relation.op in ("<", "<=") else "")

    @property
    def cause(self) -> str:
        """The comparison that came last before it failed."""
        return str(self.path.decisions[-1].condition) if self.path.decisions else ""


@dataclass
class VariantRun:
    """One variant of a call, from its paths to its findings."""

    subject: Subject
    variant: Variant
    world: World
    told: Judgement
    axes: bool
    refused: set[str] = field(default_factory=lambda: set[str]())
    asked: list[Requirement] = field(default_factory=lambda: list[Requirement]())
    """What is asked of the caller so far."""

    def settle(self) -> None:
        """Explores, asks for requirements while failures can be explained by one, and reports the rest."""
        requirements: list[tuple[list[Requirement], list[Failure]]] = []
        world = self.world
        try:
            known = self.under_what_is_asked()
            runs, failures = known if known is not None else self.look(world)
        except Unsupported as error:  # too many paths, or a number is wanted of what is no argument's size
            if Style.DEFAULTS in self.told.open:
                raise  # with fewer sizes there may be fewer
            note(self.told, "ATT041", error.fact, self.subject.line, error.remedy or "")
            self.test(error.fact, world)
            return
        while failures and len(requirements) < MAX_REQUIREMENTS:
            found = self.explain(world, failures)
            if found is None:
                break
            asked, world, runs, remaining = found
            self.asked += asked
            gone = {f.matter for f in failures} - {f.matter for f in remaining}
            requirements.append((asked, [f for f in failures if f.matter in gone]))
            failures = remaining
        self.told.paths += len(runs.paths)
        for name, bound in runs.bounds.items():
            self.told.bounds[name] = min(bound, self.told.bounds.get(name, bound))
        if runs.bounds:
            self.told.why = self.told.why or runs.why
        if failures:
            self.refute(failures, runs)
            reduced = [r for r in requirements if not any(f.place in {x.place for x in failures} for f in r[1])]
        else:
            reduced = requirements
        for asked, explained in reduced:
            self.require(asked, explained, runs)
        self.unsupported(runs, world)
        returning = [(w, p) for w, p in runs.paths if p.error is None]
        if not returning and not failures and self.variant.text and all(self.is_refusal(p) for _, p in runs.paths):
            self.told.refusals += 1  # this choice among several is one that the code itself turns down
            return
        self.told.answers += bool(returning)
        self.guards(runs)
        if not returning and not failures and not self.told.untested and not self.told.tested:
            self.told.undecided.append("no path returns: the premises leave no sizes")
        elif returning and not any(example(w, p) is not None for w, p in returning):
            self.told.undecided.append("no sizes were found that satisfy the premises")
        if self.axes and returning and not failures:
            self.read_axes(returning)
        self.told.results += [p.value.sizes for _, p in returning]

    def under_what_is_asked(self) -> tuple[Runs, list[Failure]] | None:
        """The paths under what other ways to call it were found to need, where nothing fails under that."""
        world: World | None = self.world
        for requirement in self.told.asked:
            if not self.speaks_of_sizes(requirement.relation):
                return None
            world = None if world is None else world.given(requirement.relation)
        if not self.told.asked or world is None or world.facts().contradictory:
            return None
        kept = list(self.told.undecided)
        runs, failures = self.look(world)
        if not failures and self.told.undecided == kept and any(p.error is None for _, p in runs.paths):
            return runs, failures
        self.told.undecided = kept
        return None

    def is_refusal(self, path: Path) -> bool:
        """Whether the path ends at a guard of the code's own."""
        if path.error is None or isinstance(path.error, Unsupported):
            return False
        spot = spot_for(path.error)
        return (spot is not None and is_guard(spot)) or is_unmade(path.error, self.subject.owner)

    # -- running ------------------------------------------------------------------------------

    def run(self, fixed: Mapping[str, int]) -> Any:
        function, lasting = self.subject.function, self.lasting
        with making_arguments():
            call = Builder(self.variant.again(), Symbolic(fixed)).call(function, self.subject.owner)
        last = LastReturn(function)
        with lasting.kept(), quietly():
            try:
                value = settled(last.watch(lambda: call.run(function)))
            except Exception as error:
                error.arguments_under_test = call.arguments  # type: ignore[attr-defined]
                raise
        hints = hints_of(function)
        if "return" in hints:
            try:
                match(value, hints["return"], call.bindings, "the result")
            except AnnotationMismatch as error:
                error.spot = last.spot()  # type: ignore[attr-defined]
                raise
        return Returned(value, call.arguments, last.spot(), call.bindings.sizes)

    @cached_property
    def lasting(self) -> Lasting:
        return Lasting(self.subject.function)

    def look(self, world: World) -> tuple[Runs, list[Failure]]:
        runs = run_everywhere(self.run, world)
        failures = self.failures(runs)
        if runs.bounds and not failures:
            self.for_all_counts(world, runs, failures)
        without_example = [f for f in failures if f.example is None]
        for failure in without_example:
            self.told.undecided.append(
                f"line {failure.spot.line}: {fact_of(failure.path.error or ValueError())}, "
                f"under {conditions_of(failure.world, failure.path)}: "
                f"no such sizes among the {SEARCH} smallest, and no proof that there are none"
            )
        return runs, [f for f in failures if f.example is not None]

    def failures(self, runs: Runs) -> list[Failure]:
        """The paths that fail, other than at a guard of the code's own."""
        found: list[Failure] = []
        for here, path in runs.paths:
            if path.error is None or isinstance(path.error, Unsupported):
                continue
            spot = spot_for(path.error) or Spot(self.subject.file, self.subject.line)
            if is_guard(spot) or is_unmade(path.error, self.subject.owner):
                continue
            if isinstance(path.error, MemoryError):
                raise path.error
            if lacks_keywords(path.error):
                self.told.untested.append(f"{fact_of(path.error)}: its **kwargs may bring it, and nothing says what")
                continue
            if impossible(here.facts(path.conditions)) or without_model(
                [*here.premises, *path.conditions], here.scope.least
            ):
                continue
            found.append(Failure(here, path, code_of(path.error), spot, example(here, path)))
        return found

    def for_all_counts(self, world: World, runs: Runs, failures: list[Failure]) -> None:
        """Lifts the bounds where the loops run for all counts, or adds a failure beyond them that real arrays show."""
        self.__dict__.pop("lasting", None)  # the modules' globals are compared from here on
        try:
            general = run_for_all_counts(self.run, world, [self.subject.function])
        except Unsupported as error:
            runs.why = error.fact
            return
        finally:
            self.__dict__.pop("lasting", None)
        open_ends = [p.error.fact for _, p in general.paths if isinstance(p.error, Unsupported)]
        found = self.failures(general)
        if not found and not open_ends:
            runs.bounds.clear()
            guards = [(w, p) for w, p in general.paths if p.error is not None]  # the code's own, for all counts
            runs.paths = [(w, p) for w, p in runs.paths if p.error is None] + guards
            return
        runs.why = open_ends[0] if open_ends else "a later iteration may fail, and real arrays do not show it"
        shown = [f for f in found if f.example is not None and self.replayed([f])[0] is not None]
        runs.paths += [(f.world, f.path) for f in shown]
        failures += shown

    def explain(
        self, world: World, failures: list[Failure]
    ) -> tuple[list[Requirement], World, Runs, list[Failure]] | None:
        """Requirements that a caller may be asked for and that make a failing line disappear."""
        for failure in failures:
            own: set[str | int] = {*self.world.scope.least, *self.told.fixed.values()}
            known = own if _meets_weights(failure) else ()
            for decision in reversed(failure.path.decisions):
                for requirements, exact in candidates(decision.condition, known):
                    key = " and ".join(r.text for r in requirements)
                    if key in self.refused or not all(self.speaks_of_sizes(r.relation) for r in requirements):
                        continue
                    if any(map(self.is_second, requirements)):
                        continue
                    found = self.under(world, requirements, failures, failure.matter)
                    if found is not None and (not exact or self.needed(world, requirements[0])):
                        return found
                    self.refused.add(key)
        return None

    def under(
        self, world: World, requirements: list[Requirement], failures: list[Failure], matter: tuple[str, int, str, str]
    ) -> tuple[list[Requirement], World, Runs, list[Failure]] | None:
        """What is left to fail where the requirements hold, if that line does not."""
        narrower: World | None = world
        for requirement in requirements:
            narrower = None if narrower is None else narrower.given(requirement.relation)
        if narrower is None or narrower.facts().contradictory:
            return None
        kept = list(self.told.undecided)
        try:
            runs, remaining = self.look(narrower)
        except Unsupported:
            return None
        if remaining:
            self.told.undecided = kept
        left, causes = {f.matter for f in remaining}, {f.cause for f in remaining}
        gone = [f for f in failures if f.matter not in left]
        moved = any(f.cause in causes for f in gone if f.cause)  # it fails for the same reason, on another line
        goes_on = any(p.error is None or isinstance(p.error, Unsupported) for _, p in runs.paths)
        works = gone and not moved and goes_on
        return (requirements, narrower, runs, remaining) if works and matter not in left else None

    def needed(self, world: World, requirement: Requirement) -> bool:
        """Whether every size that breaks the requirement fails."""
        opposite = world.given(requirement.relation.negated())
        if opposite is None:
            return False
        kept = list(self.told.undecided)
        try:
            runs, _ = self.look(opposite)
        except Unsupported:
            return False
        self.told.undecided = kept
        return all(p.error is not None or example(w, p) is None for w, p in runs.paths)

    def is_second(self, requirement: Requirement) -> bool:
        """Whether it makes a size equal to another beside one that it is to equal already: two names for one size."""
        ours = _pair(requirement)
        return ours is not None and any(ours & (_pair(r) or set()) for r in self.asked)

    def speaks_of_sizes(self, relation: Relation) -> bool:
        sides = (relation.left, relation.right)
        return all(n in self.world.scope.least for s in sides if is_dim(s) for n in symbols_of(s))

    # -- findings -----------------------------------------------------------------------------

    def refute(self, failures: list[Failure], runs: Runs) -> None:
        """One finding a line, with the smallest sizes that fail on real arrays."""
        groups: dict[tuple[str, int, str], list[Failure]] = {}
        for failure in failures:
            groups.setdefault(failure.place, []).append(failure)
        told: set[tuple[str, int]] = set()
        for group, causes in by_cause([*groups.values()]):
            if causes & told or (group[0].place[:2] in told and all(map(_by_coincidence, group))):
                continue  # where the line above fails at most sizes, at 1 it broadcasts and the result does not fit
            group.sort(key=lambda f: weight(f.example or {}))
            shown, sizes = self.replayed(group)
            if shown is None or sizes is None:
                fact = fact_of(group[0].path.error or ValueError())
                self.told.undecided.append(
                    f"line {group[0].spot.line}: {fact}, at {group[0].example}, but real arrays of these sizes pass"
                )
                continue
            told.add(shown.place[:2])
            hidden = self.hiding(runs, sizes)
            found = self.finding(shown, sizes, "error", hidden)
            for twin in group:
                if twin.world.fixed.keys() == shown.world.fixed.keys() and twin.world.fixed != shown.world.fixed:
                    other = self.finding(twin, sizes, "error", hidden)
                    found = under_names(found, shown.world.fixed, other, twin.world.fixed)
                    break
            self.told.add(found)

    def finding(self, failure: Failure, sizes: dict[str, int], severity: str, hidden: dict[str, int]) -> Finding:
        error = failure.path.error or ValueError()
        spot = failure.spot
        why = f"where {conditions_of(failure.world, failure.path)}" if failure.path.decisions else "at every size"
        finding = Finding(
            failure.code,
            severity,
            fact_of(error),
            spot.file,
            spot.line,
            spot.column,
            spot.end_column,
            sizes,
            hidden,
            True,
            list(spot.arrays),
            why,
            fix_of(failure.code, error, spot.arrays, [d.condition for d in failure.path.decisions]),
            steps_of(error),
        )
        return said(finding, failure.world.premises, arguments_of(error))

    def replayed(self, group: list[Failure]) -> tuple[Failure | None, dict[str, int] | None]:
        for failure in group[:6]:
            for sizes in islice(examples(failure.world, failure.path), 3):
                try:
                    if failure_at(self.subject.function, self.subject.owner, self.variant, sizes) is not None:
                        return failure, sizes
                except Unsupported:
                    return None, None
        return None, None

    def hiding(self, runs: Runs, sizes: Mapping[str, int]) -> dict[str, int]:
        """Sizes of 2 and more at which a path returns, near the failing ones."""
        best: dict[str, int] | None = None
        for world, path in runs.paths:
            if path.error is not None:
                continue
            for found in islice((s for s in examples(world, path, 1_500) if min(s.values(), default=2) >= 2), 8):
                if best is None or distance(found, sizes) < distance(best, sizes):
                    best = found
        return best or {}

    def require(self, requirements: list[Requirement], explained: list[Failure], runs: Runs) -> None:
        if not explained:
            return
        text = " and ".join(r.text for r in requirements)
        explained.sort(key=lambda f: weight(f.example or {}))
        shown, sizes = self.replayed(explained)
        if shown is None or sizes is None:
            self.told.undecided.append(f"without {text} a path fails, but real arrays of such sizes pass")
            return
        self.told.required = True
        self.told.asked += [r for r in requirements if r not in self.told.asked]
        for requirement in requirements:
            self.told.assumptions[requirement.text] = None
        finding = self.finding(shown, sizes, "warning", self.hiding(runs, sizes))
        finding.message = f"needs {text}, which nothing declares: {finding.message}"
        finding.code = "ATT020"
        finding.fix = "    ".join(f"# verifier: given {r.text}" for r in requirements) + f"    or    assert {text}"
        finding.why = f"{shown.code} without it"
        self.told.add(finding)

    def guards(self, runs: Runs) -> None:
        """Premises that the code states itself; one that equates two sizes with different names is worth a word."""
        for world, path in runs.paths:
            if path.error is None or not path.decisions or isinstance(path.error, Unsupported):
                continue
            spot = spot_for(path.error)
            if spot is None or not is_guard(spot) or impossible(world.facts(path.conditions)):
                continue
            wanted = path.decisions[-1].condition.negated()
            text = condition_text(wanted)
            text = text if self.speaks_of_sizes(wanted) else f"{text} in every iteration"
            self.told.assumptions[text] = None
            if _equates_names(wanted):
                sizes = example(world, path) or {}
                self.told.required = True
                self.told.add(
                    Finding(
                        "ATT021",
                        "warning",
                        f"this refuses sizes that the annotations allow: it needs {text}",
                        spot.file,
                        spot.line,
                        spot.column,
                        spot.end_column,
                        sizes,
                        self.hiding(runs, sizes),
                        True,
                        list(spot.arrays),
                        f"{wanted.left} and {wanted.right} are named apart",
                        f"give both axes one name, or accept {condition_text(path.decisions[-1].condition)}",
                    )
                )

    def unsupported(self, runs: Runs, world: World) -> None:
        """What cannot be run on symbolic sizes is run on real arrays, and the verdict says so."""
        for _, path in runs.paths:
            if not isinstance(path.error, Unsupported):
                continue
            error = path.error
            spot = spot_of(error)
            line = spot.line if spot is not None else self.subject.line
            note(self.told, "ATT041", error.fact, line, error.remedy or "")
            self.test(error.fact, world)
            return

    def test(self, reason: str, world: World) -> None:
        """Runs real arrays, of sizes that keep what was found to be required."""
        tried = 0
        begun = time.perf_counter()
        for sizes in adversarial(world.scope):
            if time.perf_counter() - begun > 2:
                break
            try:
                error = failure_at(self.subject.function, self.subject.owner, self.variant, sizes)
            except Unsupported as unable:
                self.told.untested.append(reason if isinstance(unable, UnknownSize) else unable.fact)
                return
            tried += 1
            if error is not None:
                spot = spot_for(error) or Spot(self.subject.file, self.subject.line)
                self.told.add(
                    Finding(
                        code_of(error),
                        "error",
                        fact_of(error),
                        spot.file,
                        spot.line,
                        spot.column,
                        spot.end_column,
                        sizes,
                        {},
                        True,
                        list(spot.arrays),
                        "found by running, not proved",
                        via=steps_of(error),
                    )
                )
                return
        self.told.tested.append(f"{reason}; ran at {tried} sizes")

    def read_axes(self, returning: list[tuple[World, Path]]) -> None:
        """Right shapes, wrong values."""
        from .intent import findings_of_paths

        try:
            found = findings_of_paths(self.subject, returning)
        except Exception as error:  # a defect of the reading must not pass for a clean bill
            self.told.undecided.append(f"the axes could not be read: {type(error).__name__}: {error}")
            return
        for finding in found:
            self.told.add(finding)


@dataclass
class Returned:
    """What a path returned, with the arguments it was called with and the line that returned it."""

    value: Any
    arguments: dict[str, Any]
    spot: Spot
    sizes: Mapping[str, Any]
    """What the names of the annotations stood for in the end."""


def arguments_of(error: BaseException) -> dict[str, Any]:
    """What the function was called with that raised it, where it came to be called."""
    return getattr(error, "arguments_under_test", {})


def spot_for(error: BaseException) -> Spot | None:
    """The line of an error; a misfit of the result is at the return statement."""
    known = getattr(error, "spot", None)
    return known if isinstance(known, Spot) else spot_of(error)


def _by_coincidence(failure: Failure) -> bool:
    """A misfit of the result where a size happens to be 1."""
    conditions = failure.path.conditions
    return failure.code == "ATT001" and any(c.op == "==" and "1" in (str(c.left), str(c.right)) for c in conditions)


def _meets_weights(failure: Failure) -> bool:
    """Whether an array of the caller's sizes is contracted with one whose sizes are all the object's own: with weights.

    An array that has axes of the object's as well was laid out by the object's own code, which may have mixed them up.
    """
    shapes = getattr(getattr(failure.path.error, "obligation", None), "operands", ())
    sizes = [[n for size in shape if is_dim(size) for n in symbols_of(size)] for shape in shapes]
    own = [[n.startswith("self.") for n in names] for names in sizes]
    return any(map(all, own)) and all(all(mine) or not any(mine) for mine in own)


def _pair(requirement: Requirement) -> set[str] | None:
    """The two names that a requirement makes equal; None where it is of another kind."""
    relation = requirement.relation
    return {str(relation.left), str(relation.right)} if _equates_names(relation) else None


def _equates_names(relation: Relation) -> bool:
    sides = (relation.left, relation.right)
    return relation.op == "==" and all(is_dim(s) and len(s.terms) == 1 and len(symbols_of(s)) == 1 for s in sides)
