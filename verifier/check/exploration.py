"""The paths of one way to call a function, those that fail, and the requirements under which they do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from ..dims import Relation, is_dim
from ..dims.dim import symbols_of
from ..errors import NeedsConcreteSize, Unsupported
from ..frontends.explorer import Path
from ..frontends.front_end import settled
from ..frontends.surroundings import TRAINING, listening
from ..prove.finite import without_model
from ..prove.residues import impossible
from . import one_count
from .annotated import hints_of, match
from .arguments import Builder
from .codes import code_of, fact_of
from .discovery import Subject
from .examples import SEARCH, conditions_of, example, examples
from .failure import Failure, Returned, meets_weights, pair_of, spot_for
from .judgement import Judgement
from .kept import Kept, has_modes, kept_objects
from .lasting import Lasting
from .leaves import Symbolic
from .locating import LastReturn, Spot, is_guard, is_unmade, lacks_keywords, making_arguments
from .mismatch import AnnotationMismatch
from .replay import failure_at, quietly
from .requirement import MADE, Requirement, candidates
from .variants import Variant
from .world import Runs, World, run_everywhere, run_for_all_counts

LACKING = "{}: its **kwargs may bring it, and nothing says what"


@dataclass
class Exploration:
    """One variant of a call, its paths and what they need."""

    subject: Subject
    variant: Variant
    world: World
    told: Judgement
    axes: bool
    refused: set[str] = field(default_factory=lambda: set[str]())
    asked: list[Requirement] = field(default_factory=lambda: list[Requirement]())
    """What is asked of the caller so far."""
    unmade: str = ""
    """What kept its arguments from being made of symbols, in the run that found it last."""

    def is_refusal(self, path: Path) -> bool:
        """Whether the path ends at a guard of the code's own."""
        if path.error is None or isinstance(path.error, Unsupported):
            return False
        spot = spot_for(path.error)
        return (spot is not None and is_guard(spot)) or is_unmade(path.error, self.subject.owner)

    # -- running ------------------------------------------------------------------------------

    def run(self, fixed: Mapping[str, int]) -> Any:
        return self.called(Builder(self.variant.again(), Symbolic(fixed)))

    def called(self, builder: Builder) -> Any:
        """What the function returns of the arguments that are built."""
        function, lasting = self.subject.function, self.lasting
        try:
            with making_arguments():
                call = builder.call(function, self.subject.owner)
        except NeedsConcreteSize as error:
            self.unmade = str(error.__cause__ or f"a number is wanted of {error.size}")
            raise
        self.told.learn(builder)
        last = LastReturn(function)
        objects = kept_objects(call)
        before = Kept.of(objects)
        if has_modes(before):
            self.told.heard[TRAINING] = None
        with lasting.kept(), quietly(), listening(self.told.heard):
            try:
                value = settled(last.watch(lambda: call.run(function)))
            except Exception as error:
                error.arguments_under_test = call.arguments  # type: ignore[attr-defined]
                raise
        if objects:
            self.told.kept.update(dict.fromkeys(before.changed(Kept.of(objects))))
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
            if isinstance(path.error, MemoryError) or "can't allocate memory" in str(path.error):
                raise MemoryError(str(path.error)) from path.error  # PyTorch says it in a RuntimeError
            if lacks_keywords(path.error):
                self.told.untested.append(LACKING.format(fact_of(path.error)))
                continue
            if impossible(here.facts(path.conditions)) or without_model(
                [*here.premises, *path.conditions], here.scope.least
            ):
                continue
            found.append(Failure(here, path, code_of(path.error), spot, example(here, path)))
        return found

    def for_all_counts(self, world: World, runs: Runs, failures: list[Failure]) -> None:
        """Lifts the bounds where the loops run for all counts, or adds a failure beyond them that real arrays show."""
        known = one_count.why_not(self.subject.owner, self.variant)
        if known is not None:
            runs.why = known
            return
        self.__dict__.pop("lasting", None)  # the modules' globals are compared from here on
        self.unmade = ""
        try:
            general = run_for_all_counts(self.run, world, [self.subject.function])
        except Unsupported as error:
            runs.why = error.fact
            return
        finally:
            self.__dict__.pop("lasting", None)
        open_ends = [p.error.fact for _, p in general.paths if isinstance(p.error, Unsupported)]
        if self.unmade:
            one_count.remember(self.subject.owner, self.variant, self.unmade)
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
        made = {MADE} if any(text.startswith("self is made by ") for text in self.told.assumptions) else set[str]()
        for failure in failures:
            own: set[str | int] = {*self.world.scope.least, *self.told.fixed.values(), *made}
            known = own if meets_weights(failure) else ()
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
        to_another = bool(left) and left <= {f.matter for f in failures}  # a mistake that was known
        works = gone and not moved and (to_another or (goes_on and matter not in left))
        return (requirements, narrower, runs, remaining) if works else None

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
        ours = pair_of(requirement)
        return ours is not None and any(ours & (pair_of(r) or set()) for r in self.asked)

    def speaks_of_sizes(self, relation: Relation) -> bool:
        sides = (relation.left, relation.right)
        return all(n in self.world.scope.least for s in sides if is_dim(s) for n in symbols_of(s))

    def replayed(self, group: list[Failure]) -> tuple[Failure | None, dict[str, int] | None]:
        for failure in group[:6]:
            for sizes in islice(examples(failure.world, failure.path), 3):
                try:
                    if failure_at(self.subject.function, self.subject.owner, self.variant, sizes) is not None:
                        return failure, sizes
                except Unsupported:
                    return None, None
        return None, None
