"""Shapes worth a proof: the code is run along one path, and what makes it fail there is turned into a shape.

One path a try: comparisons that nothing decides go as they would at sizes that are all different. Where it fails, the
equation that it failed for is solved for an axis of an array that nobody named, and the next try has that shape. What
comes out is a proposal and is proved, or not, as if an annotation had said it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby, product
from typing import Any, cast

from ...dims import Relation, Scope, Size, is_dim, symbol
from ...dims.dim import floors_of, symbols_of
from ...dims.wording import condition_text
from ...errors import NeedsConcreteSize, Unsupported, VerifierError
from ...frontends.explorer import Path, one_path
from ...graph.node import ShapeMismatch
from ...prove.decide import decide
from ...prove.facts import Facts
from ...prove.search import true_at
from ..codes import code_of, fact_of
from ..locating import is_guard, spot_of
from ..requirement import Requirement, candidates, natural
from ..world import World, change
from .supposed import Supposed
from .ties import is_contract, solutions

RANKS = (3, 2, 4, 1, 5, 0)
"""How many axes an array is tried with; the usual ones first."""

ELEMENTS = re.compile(r"dtype|\b(int|integer|boolean)\b")
"""In the text of an error that is about an array's elements and not about its sizes."""

MAX_STEPS = 24
"""How many changes are made to one proposal."""

MAX_TRIALS = 12
"""How many changes are tried for one step."""

Run = Callable[[Supposed, Mapping[str, int], dict[str, None]], Any]
"""Calls the function on arrays of the shapes supposed, with sizes that are numbers, and lists the sizes asked for."""


@dataclass(frozen=True)
class Try:
    """One run of a proposal: what was supposed, and how far it came."""

    supposed: Supposed
    premises: tuple[Requirement, ...]
    """What else is asked of the sizes."""
    path: Path | None
    names: Mapping[str, None]
    unknown: str = ""
    """Why it cannot be run."""
    tie: str = ""
    """The coincidence of sizes at which it would pass, where it fails for want of one."""

    @property
    def passed(self) -> bool:
        """Whether it is worth a proof: it returns, or needs an operation that only real arrays can run."""
        return self.path is not None and (self.path.error is None or isinstance(self.path.error, Unsupported))

    @property
    def place(self) -> tuple[str, int]:
        error = self.path.error if self.path is not None else None
        spot = getattr(error, "spot", None) or (spot_of(error) if error is not None else None)
        return (spot.file, spot.line) if spot is not None else ("", 0)

    @property
    def stop(self) -> tuple[Any, ...]:
        """Where it ended, and in a guard after which comparison: `assert n == p and m == q` is two of them."""
        error = self.path.error if self.path is not None else None
        spot = spot_of(error) if error is not None else None
        if self.path is None or spot is None or not is_guard(spot) or not self.path.decisions:
            return self.place
        return (*self.place, self.path.decisions[-1].relation.key)

    @property
    def fact(self) -> str:
        error = self.path.error if self.path is not None else None
        if isinstance(error, VerifierError):
            return error.fact
        return fact_of(error) if error is not None else self.unknown

    @property
    def is_unmade(self) -> bool:
        """Whether it ended before the arguments were made."""
        return getattr(self.path.error if self.path is not None else None, "making_arguments", False)

    @property
    def code(self) -> str:
        error = self.path.error if self.path is not None else None
        return code_of(error) if error is not None else ""

    @property
    def reach(self) -> int:
        """How much it computed before it ended."""
        return len(self.path.graph.nodes) if self.path is not None else -1


@dataclass
class Inference:
    """Looks for shapes of the arrays that nobody named."""

    run: Run
    owner: type | None
    assume: Callable[[Scope], Scope]
    """Adds the user's premises to a scope."""
    hints: dict[str, int] = field(default_factory=lambda: dict[str, int]())

    def proposal(self, supposed: Supposed) -> Try:
        """The shapes to which failures lead, from free ones; where they lead nowhere, how far they came."""
        best = self.once(supposed, ())
        seen = {best.stop}
        for _ in range(MAX_STEPS):
            if best.passed or best.unknown:
                break
            refused: list[str] = []
            for number, (changed, premises, sure) in enumerate(self.changes(best, refused)):
                if number >= MAX_TRIALS:
                    break
                after = self.once(changed, premises)
                if sure:
                    moved = after.stop not in seen or (after.place == best.place and after.fact != best.fact)
                else:
                    moved = after.stop not in seen and after.reach >= best.reach
                if not after.unknown and (after.passed or moved):
                    best = after
                    seen.add(best.stop)
                    break
            else:
                return replace(best, tie=refused[0] if refused else "")
        return best

    def once(self, supposed: Supposed, premises: tuple[Requirement, ...]) -> Try:
        names: dict[str, None] = {}
        fixed: dict[str, int] = {}
        path: Path | None = None
        for _ in range(5):
            known = len(names)
            try:
                world = self.world(names, fixed, premises)
                if world is None:
                    return Try(supposed, premises, None, names, "the premises leave no sizes")
                path = one_path(lambda: self.run(supposed, fixed, names), world.scope, self.prefer)
            except NeedsConcreteSize as error:
                wanted = sorted(symbols_of(cast("Size", error.size))) if is_dim(error.size) else []
                if not wanted or wanted[0] in fixed or len(fixed) == 3:
                    return Try(supposed, premises, None, names, f"Python wants a number for {error.size}")
                fixed[wanted[0]] = 2
                continue
            except VerifierError as error:
                return Try(supposed, premises, None, names, error.fact)
            if len(names) == known:
                break
        return Try(supposed, premises, path, names)

    def world(
        self, names: Mapping[str, None], fixed: Mapping[str, int], premises: Sequence[Requirement]
    ) -> World | None:
        world: World | None = World(self.assume(Scope.of(names)))
        for premise in premises:
            world = None if world is None else world.given(premise.relation)
        for name, value in fixed.items():
            world = None if world is None else world.fixing(name, value)
        return world

    def prefer(self, relation: Relation) -> bool:
        """How a comparison comes out where all sizes differ, and the object's are larger than the arrays'."""
        sides = [s for s in (relation.left, relation.right) if is_dim(s)]
        for name in sorted({n for s in sides for n in symbols_of(s)}):
            if name not in self.hints:
                own = sum(n.count(".") > 0 for n in self.hints)
                free = len(self.hints) - own
                self.hints[name] = OWN[own % len(OWN)] + own if "." in name else FREE[free % len(FREE)] + free
        try:
            return true_at(relation, self.hints)
        except Exception:  # what is compared is no size
            return True

    def changes(self, last: Try, refused: list[str]) -> Iterator[tuple[Supposed, tuple[Requirement, ...], bool]]:
        """What may be supposed otherwise, the likeliest first, each with whether the failing operation asks for it."""
        path = last.path
        assert path is not None
        assert path.error is not None
        obligation = path.error.obligation if isinstance(path.error, ShapeMismatch) else None
        asked = obligation.relation if obligation is not None else None
        spot = spot_of(path.error)
        guard = spot is not None and is_guard(spot)
        wanted = [(asked, True)] if isinstance(asked, Relation) else []
        wanted += [(d.condition.negated(), False) for d in reversed(path.decisions)]
        wanted.sort(key=lambda item: item[0].op == "==" and any(type(s) is int for s in (item[0].left, item[0].right)))
        other_kinds = not isinstance(path.error, ShapeMismatch) and "unpack" not in str(path.error)
        of_elements = other_kinds and not guard and ELEMENTS.search(str(path.error)) is not None
        if of_elements:
            yield from self.kinds(last)
        done: set[tuple[str, str, str]] = set()
        for relation, sure in wanted:
            if relation.key in done:
                continue
            done.add(relation.key)
            for supposed, premises in self.adopting(relation, last, path.error, guard, sure, refused):
                yield supposed, premises, sure
        if other_kinds and not of_elements:
            yield from self.kinds(last)

    @staticmethod
    def kinds(last: Try) -> Iterator[tuple[Supposed, tuple[Requirement, ...], bool]]:
        for name in last.supposed.ranks:
            if name not in last.supposed.kinds:
                yield last.supposed.with_kind(name, "i"), last.premises, False
                yield last.supposed.with_kind(name, "b"), last.premises, False

    def adopting(
        self, relation: Relation, last: Try, error: BaseException, guard: bool, sure: bool, refused: list[str]
    ) -> Iterator[tuple[Supposed, tuple[Requirement, ...]]]:
        """The ways to make a relation hold."""
        sides = [s for s in (relation.left, relation.right) if is_dim(s)]
        names = {n for s in sides for n in symbols_of(s)}
        homes = last.supposed.homes()
        if not names or not names <= last.names.keys():
            return
        solved = False
        for axis, given in solutions(relation, homes):
            solved = True
            size = self.simplest(given, last)
            if is_contract(axis, size, last.supposed, error, guard, sure):
                yield last.supposed.solving(axis, size), self.changed(last.premises, axis, size)
            else:
                refused.append(f"{axis} == {size}")
        if solved:
            return
        mine = sorted(names & homes.keys(), key=list(homes).index, reverse=True)
        if relation.op == "==" and sure:
            places = {axis: i for name in last.supposed.ranks for i, axis in enumerate(last.supposed.axes(name))}
            pairs = sorted(combinations(mine, 2), key=lambda pair: abs(places[pair[0]] - places[pair[1]]))
            for later, earlier in pairs:
                if homes[later] != homes[earlier]:  # batches of two arrays, say, in a product of sizes
                    size = symbol(earlier)
                    yield last.supposed.solving(later, size), self.changed(last.premises, later, size)
        told = {p.text for p in last.premises}
        for requirements, _ in candidates(relation.negated()):
            if not told.issuperset(r.text for r in requirements):
                yield last.supposed, (*last.premises, *(r for r in requirements if r.text not in told))
        if guard or (sure and mine and relation.op == "=="):
            yield last.supposed, (*last.premises, Requirement(relation, condition_text(relation)))

    @staticmethod
    def simplest(size: Size, last: Try) -> Size:
        """`d` for `(d // h)*h` where the code has seen to it that h divides d."""
        if not floors_of(size):
            return size
        known = [*(p.relation for p in last.premises), *(last.path.conditions if last.path is not None else ())]
        facts = Facts.of(Scope.of(last.names), known)
        for name in sorted(symbols_of(size)):
            same = size == symbol(name)
            if isinstance(same, Relation) and decide(same, facts) is True:
                return symbol(name)
        return size

    @staticmethod
    def changed(premises: tuple[Requirement, ...], axis: str, size: Size) -> tuple[Requirement, ...]:
        """The premises where an axis has that size; what then always holds is dropped."""
        found: list[Requirement] = []
        for premise in premises:
            relation = change(premise.relation, {axis: size})  # type: ignore[dict-item]
            if isinstance(relation, Relation):
                again = natural(relation.negated())
                found.append(again or Requirement(relation, condition_text(relation)))
        return tuple(found)


OWN = (4096, 2048, 1024, 512, 256, 128)
FREE = (5, 11, 17, 23, 31, 41, 53, 67, 83, 97)


def ways(arrays: Sequence[str]) -> Iterator[list[dict[str, int]]]:
    """Ranks for some arrays, in groups: all alike first, then those that are nearest to being alike."""
    places = {rank: i for i, rank in enumerate(RANKS)}
    every = product(RANKS, repeat=len(arrays))

    def order(ranks: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        return (max(ranks) - min(ranks), sum(places[r] for r in ranks), tuple(places[r] for r in ranks))

    if len(arrays) > 4:
        yield [dict.fromkeys(arrays, rank) for rank in RANKS]
        return
    for _, group in groupby(sorted(every, key=order), key=lambda ranks: max(ranks) - min(ranks)):
        yield [dict(zip(arrays, ranks, strict=True)) for ranks in group]
