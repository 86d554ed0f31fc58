"""Calls of one object after the first: what one leaves in it, the next finds.

The verdict of a method speaks of an object as its constructor leaves it. Where a call changes the object, a second one
is run on what the first left, with sizes of its own where the annotations let them differ; what the first left is
forgotten down to its outline. If the second leaves the same outline, perhaps at other sizes, induction says that no
later call fails unless the second does (docs/explanation/state.md).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from ..dims import Relation, Scope, Size, is_dim, symbol
from ..dims.wording import condition_text
from ..errors import NeedsConcreteSize, Unsupported
from ..frontends.explorer import OutOfTime, decisions_taken
from ..frontends.front_end import element_name, front_end_of, is_stand_in, settled
from ..prove.facts import Facts
from ..prove.finite import without_model
from ..prove.residues import impossible
from .annotated import hints_of, match
from .arguments import Builder
from .bare.contract import shape_text
from .codes import fact_of
from .discovery import Subject
from .kept import Kept, kept_objects, memory_of, spell
from .lasting import Lasting
from .leaves import Symbolic
from .locating import is_guard, making_arguments, spot_of
from .outline import NEXT, Fit, Misfit, renamed, row, symbols_in
from .replay import quietly
from .variants import Variant
from .world import Runs, World, run_everywhere, run_for_all_counts

MAX_PAIRS = 16
"""Ways to make the first call times ways to make the second: more are not tried."""
MAX_TAKEN = 5
"""Sizes that are taken to be the same in every call, and numbers taken to be counted, until no second call fails."""
NAME = re.compile(r"[A-Za-z_][\w.]*")
KEPT = "kept."
"""What a number that is counted is named with."""


class Unlike(Exception):
    """The state after one call has not the outline of that before it, or one that cannot be forgotten."""


@dataclass
class _Noting(Builder):
    """Makes arguments, and takes down which sizes the object itself was made with."""

    own: frozenset[str] = frozenset()

    def instance(self, owner: type, name: str, method: str = "") -> Any:
        made = super().instance(owner, name, method)
        if not self.own and method:
            names = getattr(self.maker, "asked", {})
            self.own = frozenset(names)
        return made


@dataclass
class _Named(Symbolic):
    """Makes stand-ins whose sizes go by other names: those of a second call."""

    own: frozenset[str] | None = None
    same: frozenset[str] = frozenset()
    asked: dict[str, None] = field(default_factory=lambda: dict[str, None]())

    def name(self, name: str) -> str:
        mine = self.own is None or name in self.own or name in self.same or "." in name
        return name if mine else NEXT + name

    def size(self, name: str) -> Any:
        self.asked[name] = None
        return super().size(self.name(name))

    def array(self, name: str, shape: tuple[Size, ...], element: str, array_type: Any) -> Any:
        return super().array(name if self.own is None else NEXT + name, shape, element, array_type)

    def number(self, name: str) -> Any:
        return super().number(name if self.own is None else NEXT + name)


@dataclass
class _After:
    """A path on which both calls returned: what each left, and how many decisions the first took."""

    first: Kept
    changed: list[str]
    """What the first call changed, which the second found forgotten."""
    decided: int
    second: Kept
    loose: list[str]
    """What the second call changed."""
    returned: Any
    """What the second call returned."""


class FirstFails(Exception):
    """The first call of a pair raised: it is judged by itself."""


@dataclass
class LaterCalls:
    """The calls of one method after its first, for each way to make the first and each to make the second."""

    subject: Subject
    ways: list[tuple[Variant, Scope]]
    asked: Sequence[Relation] = ()
    """What is required of the caller of each."""
    same: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """Sizes that every call must have alike."""
    counted: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """Numbers that a call leaves greater than it found them, and that stand for any from 1 on."""
    loosened: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """Arrays that calls leave in another order in memory, so that nothing is supposed of it."""
    premises: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """What the code's own guards want of later calls."""
    own: frozenset[str] = frozenset()
    """The sizes that the object was made with."""
    why: str = ""
    told: Sequence[str] = ()
    """What is told of the shapes that are returned."""
    returns_alike: bool = True
    """Whether later calls return what is told."""
    most: int = MAX_PAIRS
    until: float = float("inf")
    """The process time after which no further pair is tried."""

    def hold(self) -> bool:
        """Whether no later call fails, under what `same` says; else `why` tells what kept that from being shown."""
        pairs = [(a, b) for a in self.ways for b in self.ways]
        if len(pairs) > self.most:
            self.why = f"there are {len(pairs)} ways to make two calls"
            return False
        while True:
            self.premises.clear()
            try:
                runs = [self.run(first, later) for first, later in pairs if self.in_time()]
            except OutOfTime:
                self.why = "there was no time for a second call"
                return False
            except Unsupported as error:
                self.why = f"of a second call it is not known whether it fails ({error.fact})"
                return False
            wanted = self.open_end(runs)
            if wanted is None:
                self.returns_alike = all(
                    self.as_told(path.value.returned, way) for (_, way), run in zip(pairs, runs, strict=True)
                    for _, path in run.paths if path.error is None
                )  # fmt: skip
                return True
            kind, names = wanted
            known = {"counted": self.counted, "loosened": self.loosened, "same": self.same}[kind]
            fresh = [n for n in names if n not in known]
            if not fresh or len(self.same) + len(self.counted) + len(self.loosened) // 2 >= MAX_TAKEN:
                return False
            known[fresh[0]] = None

    def in_time(self) -> bool:
        if time.process_time() > self.until:
            raise OutOfTime("there is no time for further pairs of calls")
        return True

    def as_told(self, returned: Any, way: tuple[Variant, Scope]) -> bool:
        """Whether what a second call returned is what is told of a first one, in its own sizes."""
        texts = set(self.told)
        if len(texts) != 1 or not (text := texts.pop()):
            return True  # nothing is told

        def rename(found: re.Match[str]) -> str:
            mine = found[0] not in way[1].least or found[0] in self.own or found[0] in self.same or "." in found[0]
            return found[0] if mine else NEXT + found[0]

        return shape_text(returned) == NAME.sub(rename, text)

    # -- running ------------------------------------------------------------------------------

    def run(self, first: tuple[Variant, Scope], later: tuple[Variant, Scope]) -> Runs:
        def rename(name: str) -> str:
            return name if name in own or name in self.same or "." in name else NEXT + name

        own = self.made_with(first)
        self.own |= own
        least = {rename(n): low for n, low in later[1].least.items()}
        counted = {f"{KEPT}{spell(n)}": 1 for n in self.counted}
        scope = Scope({**least, **first[1].least, **counted}, first[1].assumptions)
        names: dict[str, Size] = {n: symbol(rename(n)) for n in later[1].least}
        for relation in (*self.asked, *(renamed(a.relation, names) for a in later[1].assumptions)):
            scope = scope.given(relation)
        for relation in self.asked:
            scope = scope.given(renamed(relation, names))
        world = World(scope)
        runs = run_everywhere(lambda fixed: self.both(first[0], later[0], fixed), world)
        if runs.bounds:
            runs = run_for_all_counts(
                lambda fixed: self.both(first[0], later[0], fixed), world, [self.subject.function]
            )
        return runs

    def made_with(self, way: tuple[Variant, Scope]) -> frozenset[str]:
        """The sizes that the object is made with."""
        own: list[frozenset[str]] = []

        def make(fixed: Mapping[str, int]) -> None:
            builder = _Noting(way[0].again(), _Named(fixed))
            with making_arguments():
                builder.call(self.subject.function, self.subject.owner)
            own.append(builder.own)

        run_everywhere(make, World(way[1]))
        return frozenset().union(*own)

    def both(self, first: Variant, later: Variant, fixed: Mapping[str, int]) -> _After:
        """The two calls, on one object."""
        function, owner = self.subject.function, self.subject.owner
        try:
            with making_arguments():
                builder = _Noting(first.again(), _Named(fixed))
                call = builder.call(function, owner)
                again = _Named(fixed, builder.own, frozenset(self.same))
                second = _Noting(later.again(), again).call(function, owner)
        except (Unsupported, NeedsConcreteSize):
            raise
        except Exception as error:  # sizes that the constructor refuses
            raise FirstFails from error
        objects = kept_objects(call)
        before = Kept.of(objects)
        ran_by = {n: _run_by(v, function) for n, v in objects.items()}
        with self.lasting.kept(), quietly():
            try:
                settled(call.run(function))
            except (Unsupported, NeedsConcreteSize):
                raise
            except Exception as error:
                raise FirstFails from error
            for name, ran in ran_by.items():
                if _run_by(objects[name], function) is not ran:
                    raise Unlike(f"{name}.{function.__name__}")  # another function is called from here on
            left = Kept.of(objects)
            changed = before.changed(left)
            self.forget(left, changed)
            second.arguments.update(objects)
            later.enter(second.arguments)
            state, decided = Kept.of(objects), decisions_taken()
            value = settled(second.run(function))
        hints = hints_of(function)
        if "return" in hints:
            match(value, hints["return"], second.bindings, "the result")
        for name in self.loosened:  # whose memory others may share
            if name in state.entries and getattr(state.entries[name].value, "version", 0):
                raise Unlike(name)
        after = Kept.of(objects)
        return _After(state, changed, decided, after, state.changed(after), value)

    @cached_property
    def lasting(self) -> Lasting:
        return Lasting(self.subject.function)

    def forget(self, left: Kept, changed: Iterable[str]) -> None:
        """Keeps of what a call changed the outline: of arrays all but their elements, of counted numbers nothing."""
        for name in changed:
            entry = left.entries.get(name)
            if entry is None:
                continue
            if is_stand_in(entry.value) and name in self.loosened:
                if entry.put is None:
                    raise Unlike(name)
                entry.put(entry.value.loosened())
            elif is_stand_in(entry.value):
                forget_memory(entry.value)
            elif entry.is_real_array:
                if entry.put is None:
                    raise Unlike(name)
                value = entry.value
                made = front_end_of(type(value)).symbolic(f"{KEPT}{name}", value.shape, element_name(value.dtype))
                entry.put(made)
            elif name in self.counted:
                if type(entry.value) is not int or entry.value < 1 or entry.put is None:
                    raise Unlike(name)
                entry.put(symbol(f"{KEPT}{spell(name)}"))

    # -- induction ----------------------------------------------------------------------------

    def open_end(self, runs: Sequence[Runs]) -> tuple[str, list[str]] | None:
        """What keeps induction from closing, and what may be taken to help; None where it closes."""
        paths = [(w, p) for r in runs for w, p in r.paths]
        for world, path in paths:
            if path.error is None or isinstance(path.error, FirstFails):
                continue
            if isinstance(path.error, Unsupported):
                self.why = f"of a second call it is not known whether it fails ({path.error.fact})"
                return "same", []
            if isinstance(path.error, Unlike):
                self.why = f"{spell(str(path.error))} is another after each call"
                return "same", []
            premises = [a.relation for a in world.scope.assumptions]
            if impossible(world.facts(path.conditions)) or without_model(
                [*premises, *path.conditions], world.scope.least
            ):
                continue
            spot = getattr(path.error, "spot", None) or spot_of(path.error)
            if spot is not None and is_guard(spot):
                wanted = path.decisions[-1].condition.negated() if path.decisions else None
                if wanted is not None and any(n.startswith((NEXT, KEPT)) for n in symbols_in(wanted)):
                    self.premises[f"{condition_text(wanted)} in a later call"] = None
                    continue
            line = f" on line {spot.line}" if spot is not None else ""
            self.why = f"a later call fails{line} ({fact_of(path.error)})"
            return "same", _named_next(c for c in reversed(path.conditions))
        returned = [(w, p) for w, p in paths if p.error is None]
        left = [(p.value, p.conditions[: p.value.decided]) for _, p in returned]
        for world, path in returned:
            facts = world.facts(path.conditions)
            misfits = [self.misfit(path.value, known, conditions, facts, world) for known, conditions in left]
            if all(m is not None for m in misfits):
                misfit = min((m for m in misfits if m is not None), key=lambda m: m.weight)
                self.why = f"{spell(misfit.name)} is another after each call"
                if misfit.counts or misfit.lies:
                    return ("counted" if misfit.counts else "loosened"), [misfit.name]
                return "same", _named_next([Relation("==", s, 0) for s in misfit.sizes])
        return None

    def misfit(
        self, after: _After, known: _After, conditions: Sequence[Relation], facts: Facts, world: World
    ) -> Misfit | None:
        """Where what a second call left is no state that a first call leaves; None where it is one, at some sizes."""
        fixed = self.own | self.same.keys()
        free = {n for n in world.scope.least if n.startswith(KEPT) or ("." not in n and n not in fixed)}
        fit = Fit(free, facts)
        names = dict.fromkeys([*known.changed, *after.changed, *after.loose])
        for name in names:
            if name in after.loose and name not in known.changed:
                return Misfit(name, 3)  # the second call found it as it was made, and not forgotten
            mine, theirs = known.first.entries.get(name), after.second.entries.get(name)
            if mine is None or theirs is None:
                if mine is not theirs:
                    return Misfit(name, 2)
                continue
            one, other = row(name, known.first), row(name, after.second)
            if name in self.loosened:
                one, other = one[:-2], other[:-2]
            if not fit.rows(one, other):
                if one[0] == other[0] == "array" and hasattr(mine.value, "loosened") and fit.rows(one[:-2], other[:-2]):
                    return Misfit(name, 0, lies=True)
                counts = one[0] == other[0] == "number" and type(one[1]) is int and one[1] >= 1
                return Misfit(name, 1, tuple(s for s in _sizes(other) if is_dim(s)), counts)
        return None if fit.keeps(conditions, world.scope) else Misfit(next(iter(names), "the object"), 1)


def _run_by(value: Any, function: Any) -> Any:
    """The function that an object runs under the name of one."""
    found = getattr(value, function.__name__, None)
    return getattr(found, "__func__", found)


def forget_memory(array: Any) -> None:
    """Forgets the elements of an array, and those of the memory that it looks at."""
    memory = memory_of(array)
    if not is_stand_in(memory) or memory is array:
        array.forget()
        return
    memory.replace_contents()


def _sizes(row: Iterable[Any]) -> Iterator[Any]:
    for part in row:
        if isinstance(part, tuple):
            yield from _sizes(cast("tuple[Any, ...]", part))
        else:
            yield part


def _named_next(relations: Iterable[Relation]) -> list[str]:
    """The sizes of a second call that relations speak of, by their names in the first."""
    found = (n for r in relations for n in sorted(symbols_in(r)) if n.startswith(NEXT))
    return list(dict.fromkeys(n.removeprefix(NEXT) for n in found))
