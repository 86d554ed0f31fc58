"""One way to call a function, from its paths to its findings."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

from ..dims import Relation, is_dim
from ..dims.dim import symbols_of
from ..dims.wording import condition_text
from ..errors import Unavailable, Unsupported
from ..frontends.explorer import Path
from ..prove.residues import impossible
from .bare.contract import multiplies_vectors, result_of
from .bare.supposed import free
from .codes import code_of, fact_of
from .consequences import by_cause
from .examples import conditions_of, distance, example, examples, weight
from .exploration import LACKING, Exploration
from .failure import Failure, arguments_of, by_coincidence, equates_names, spot_for
from .finding import Finding
from .fixes import fix_of
from .guesses import Style
from .judgement import note
from .leaves import UnknownSize
from .locating import Spot, is_guard, lacks_keywords, spot_of
from .reached import steps_of
from .replay import adversarial, failure_at
from .requirement import Requirement
from .saying import said, under_names
from .world import Runs, World

EVERYWHERE = "at every size"
MAX_REQUIREMENTS = 4
"""More than these, and what still fails is reported as it is."""


@dataclass
class VariantRun(Exploration):
    """One variant of a call, from its paths to its findings."""

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
            self.instead(error, world)
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
        self.told.bindings += [p.value.sizes for _, p in returning]
        if returning and self.variant.shapes is not None:
            self.told.results.append(result_of(returning))
            self.told.vectors |= any(multiplies_vectors(p.graph, self.variant.shapes) for _, p in returning)
        if not returning and not failures and not self.told.untested and not self.told.tested:
            self.told.undecided.append("no path returns: the premises leave no sizes")
        elif returning and not any(example(w, p) is not None for w, p in returning):
            self.told.undecided.append("no sizes were found that satisfy the premises")
        if self.axes and returning and not failures:
            self.read_axes(returning)

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

    # -- findings -----------------------------------------------------------------------------

    def refute(self, failures: list[Failure], runs: Runs) -> None:
        """One finding a line, with the smallest sizes that fail on real arrays."""
        groups: dict[tuple[str, int, str], list[Failure]] = {}
        for failure in failures:
            groups.setdefault(failure.place, []).append(failure)
        told: set[tuple[str, int]] = set()
        for group, causes in by_cause([*groups.values()]):
            if causes & told or (group[0].place[:2] in told and all(map(by_coincidence, group))):
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
            self.told.add(self.refutation(shown, group, sizes, self.hiding(runs, sizes)))

    def refutation(
        self, shown: Failure, group: list[Failure], sizes: dict[str, int], hidden: dict[str, int]
    ) -> Finding:
        """The finding of one failure of a line, with names for the sizes that had to be numbers."""
        finding, fixed = self.finding(shown, sizes, "error", hidden), shown.world.fixed
        for twin in group:
            if twin.world.fixed.keys() == fixed.keys() and twin.world.fixed != fixed:
                other = self.finding(twin, sizes, "error", hidden)
                finding = under_names(finding, fixed, other, twin.world.fixed)
                break
        if finding.why == EVERYWHERE and hidden:  # no condition of the path's: which numbers it ran at is what decides
            where = " and ".join(f"{name} == {size}" for name, size in (fixed or sizes).items())
            return replace(finding, why=f"where {where}")
        return finding

    def finding(self, failure: Failure, sizes: dict[str, int], severity: str, hidden: dict[str, int]) -> Finding:
        error = failure.path.error or ValueError()
        spot = failure.spot
        why = f"where {conditions_of(failure.world, failure.path)}" if failure.path.decisions else EVERYWHERE
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
        if self.is_contract(requirements):
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

    def is_contract(self, requirements: list[Requirement]) -> bool:
        """Whether what is asked is of axes that nobody named: then it is the contract, and no finding."""
        shapes = self.variant.shapes
        if shapes is None or not all(self.is_free(r.relation) for r in requirements):
            return False
        self.told.asked += [r for r in requirements if r not in self.told.asked]
        self.told.conditions.update(dict.fromkeys(r.text for r in requirements))
        return True

    def is_free(self, relation: Relation) -> bool:
        sides = (relation.left, relation.right)
        names = {n for s in sides if is_dim(s) for n in symbols_of(s)}
        return self.variant.shapes is not None and bool(free(names, self.variant.shapes))

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
            if self.variant.shapes is not None:
                self.told.conditions[text] = None
                continue
            self.told.assumptions[text] = None
            if equates_names(wanted):
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
        refused = [path.error for _, path in runs.paths if isinstance(path.error, Unsupported)]
        if refused:
            error = next((e for e in refused if isinstance(e, Unavailable)), refused[0])
            spot = spot_of(error)
            line = spot.line if spot is not None else self.subject.line
            note(self.told, "ATT041", error.fact, line, error.remedy or "")
            self.instead(error, world)

    def instead(self, error: Unsupported, world: World) -> None:
        """What real arrays say, where they can be used: an absent GPU is no fault of the code."""
        if isinstance(error, Unavailable):
            self.told.untested.append(error.fact)
        else:
            self.test(error.fact, world)

    def test(self, reason: str, world: World) -> None:
        """Runs real arrays, of sizes that keep what was found to be required, by other ways to call it as well."""
        for requirement in self.told.asked:
            if self.speaks_of_sizes(requirement.relation):
                world = world.given(requirement.relation) or world
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
            if error is not None and self.variant.shapes is not None:
                self.told.untested.append(reason)  # nobody said that arrays may have such sizes
                return
            if error is not None and lacks_keywords(error):
                self.told.untested.append(LACKING.format(fact_of(error)))
                return
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
