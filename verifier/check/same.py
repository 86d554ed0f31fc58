"""Two functions that compute the same: proved for every size by one normal form, or shown to differ on real arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import combinations, islice
from typing import Any

import numpy as np

from ..dims import Relation, Scope, Size, identical, symbol
from ..dims.axes import sizes_of
from ..dims.dim import evaluate
from ..errors import Unsupported, VerifierError
from ..frontends.explorer import Path
from ..frontends.front_end import front_end_of, is_stand_in, settled, to_numpy
from ..frontends.loops.values import depends_on_number
from ..frontends.recording import current_graph
from ..frontends.signature import Argument, arguments_of, scope_of
from ..graph.node import Node, ShapeMismatch
from ..graph.ops import Contraction, Elementwise, Input, Reduction
from ..graph.primitive import element_term
from ..prove.facts import Facts
from ..prove.identity import prove_equal
from ..prove.residues import impossible
from ..prove.same import same_term
from ..prove.search import models
from ..readings.meaning import indices_of
from ..terms import Term
from ..verdict import Truth
from .discovery import Subject, subjects_of, targets_of
from .replay import quietly
from .world import Runs, World, run_everywhere, run_for_all_counts

SEED = 20170612
MAX_OPTIONAL = 4
"""With more optional arrays not every set of them is tried."""
SMALL = 48
"""Smallest sizes at which both functions are run on real arrays."""
SMALL_COMPILED = 4
"""The same where a framework compiles for every size, which takes a second."""
PRIMES = (5, 3, 7, 2, 11, 13)
TOLERANCE = 1e-6


@dataclass
class Sameness:
    """What is known of two functions: the truth of `they compute the same`."""

    left: str
    right: str
    verdict: Truth
    reason: str
    assumptions: list[str] = field(default_factory=lambda: list[str]())
    witness: dict[str, Any] | None = None
    term: str = ""

    @property
    def as_json(self) -> dict[str, Any]:
        return {**self.__dict__, "verdict": str(self.verdict)}


@dataclass(frozen=True)
class Pair:
    """Two functions and how the arguments of the first stand for those of the second."""

    left: Callable[..., Any]
    right: Callable[..., Any]
    arguments: tuple[Argument, ...]
    partners: tuple[Argument, ...]
    """The arguments of the second function that they stand for."""
    scope: Scope

    def call_left(self, values: Mapping[str, Any]) -> Any:
        return self.left(**{a.name: _passed(a, values[a.name]) for a in self.arguments})

    def call_right(self, values: Mapping[str, Any]) -> Any:
        pairs = zip(self.arguments, self.partners, strict=True)
        return self.right(**{theirs.name: _passed(theirs, values[mine.name]) for mine, theirs in pairs})

    def symbolic(self, fixed: Mapping[str, int]) -> tuple[Any, Any]:
        """Both on one set of symbolic arrays."""
        sizes: dict[str, Size] = {**(self.scope.names if fixed else self.solved), **fixed}
        values: dict[str, Any] = {}
        for argument in self.arguments:
            if argument.axes is not None and argument.element is not None:
                node = current_graph().add(Input(argument.name, sizes_of(argument.axes, sizes)), dtype=argument.dtype)
                values[argument.name] = node
            else:
                values[argument.name] = sizes.get(argument.name, symbol(argument.name))
        return _both(lambda: settled(self.call_left(values)), lambda: settled(self.call_right(values)))

    @cached_property
    def solved(self) -> dict[str, Size]:
        """The sizes with what the premises say put in: under `d % h == 0` no quotient d // h is left."""
        facts = Facts.of(self.scope)
        return {name: facts.reduce(size) for name, size in self.scope.names.items()}

    def real(self, sizes: Mapping[str, int], random: np.random.Generator) -> dict[str, Any]:
        """Random NumPy arrays of these sizes: quarters, so that sums are exact; a mask has a True in every row."""
        values: dict[str, Any] = {}
        for argument in self.arguments:
            if argument.axes is None or argument.element is None:
                values[argument.name] = sizes[argument.name]
                continue
            shape = tuple(evaluate(s, sizes) for s in sizes_of(argument.axes, sizes))
            drawn = random.integers(-4, 5, shape) / 4.0
            if argument.dtype.kind == "b":
                drawn = drawn > -0.5
                drawn[..., :1] = True
            elif argument.dtype.kind in "iu":
                drawn = random.integers(0, max(min(sizes.values()), 1), shape)
            values[argument.name] = drawn.astype(argument.dtype)
        return values


FAILURES = (ValueError, ShapeMismatch)
"""What sizes that do not fit raise, whatever the framework."""
WRAPPING = (Elementwise, Reduction, Contraction)
"""Primitives whose result may be larger than its element type."""


class OneFails(Exception):
    """One of two functions fails where the other one returns."""


def _both(left: Callable[[], Any], right: Callable[[], Any]) -> tuple[Any, Any]:
    """What two calls return; where both fail, so does this.

    Raises:
        OneFails: one returns.
    """
    try:
        mine = left()
    except FAILURES as error:
        right()
        raise OneFails(f"the first one fails where the second one returns: {error}") from error
    try:
        return mine, right()
    except FAILURES as error:
        raise OneFails(f"the second one fails where the first one returns: {error}") from error


def same(left: str, right: str, bind: Sequence[str] = (), given: Sequence[str] = ()) -> Sameness:
    """Whether `file.py:function` and another compute the same where arguments of the first stand for the second's.

    Arguments meet by name, or as `bind` says (`ours=theirs`). Arrays that both may be given are left out and given, in
    turn; what else has a default is left out, and the result says so. Sizes are those of the first function's
    annotations, under the premises `given`.

    Raises:
        VerifierError: a target, an argument or a premise that does not exist.
    """
    ours, theirs = _one(left), _one(right)
    shared, alone = _optional(ours, theirs, bind)
    result = _same(left, right, _pair(ours, theirs, bind, given))
    for names in _choices(shared):
        if result.verdict not in (Truth.PROVED, Truth.BOUNDED):
            break
        also = _same(left, right, _pair(ours, theirs, (*bind, *(f"{n}={n}" for n in names)), given))
        if also.verdict is not Truth.PROVED:
            result = also
            result.reason += f" (with {' and '.join(names)})"
    if alone:
        result.assumptions.append(f"left out: {', '.join(alone)}")
    return result


def _optional(left: Subject, right: Subject, bind: Sequence[str]) -> tuple[list[str], list[str]]:
    """Arguments with defaults that nothing binds: arrays that both have, and all others."""
    bound = {part.strip() for text in bind for part in text.split("=")}
    mine, theirs = (
        {a.name: a for a in arguments_of(f.function) if a.optional and a.name not in bound} for f in (left, right)
    )
    shared = [n for n, a in mine.items() if n in theirs and a.axes is not None and theirs[n].axes is not None]
    return shared, sorted({*mine, *theirs} - set(shared))


def _choices(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every set of them but the empty one; of many, each alone and all together."""
    if len(names) > MAX_OPTIONAL:
        yield from ((n,) for n in names)
        yield tuple(names)
        return
    for count in range(1, len(names) + 1):
        yield from combinations(names, count)


def _same(left: str, right: str, pair: Pair) -> Sameness:
    result = Sameness(left, right, Truth.UNDECIDED, "", [a.text for a in pair.scope.assumptions])
    witness = _difference(pair)
    if witness is not None:
        result.verdict, result.reason, result.witness = Truth.REFUTED, "they differ on real arrays", witness
        return result
    try:
        runs = run_everywhere(pair.symbolic, World(pair.scope))
    except Unsupported as error:
        result.reason = f"they agree on real arrays, but {error.fact}"
        return result
    runs = (_for_all_counts(pair) if runs.bounds else None) or runs
    for world, path in runs.paths:
        try:
            problem = _differs(path, world.scope)
        except ZeroDivisionError:
            problem = "both divide by what is 0 at every size"
        if isinstance(problem, Term):
            result.term = str(problem)
        elif problem is not None:
            result.reason = f"they agree on real arrays, but {problem}"
            return result
    result.verdict = Truth.BOUNDED if runs.bounds else Truth.PROVED
    result.assumptions += [f"no {name} overflows" for name in _small_integers(runs)]
    bounds = ", ".join(f"{name} up to {bound}" for name, bound in runs.bounds.items())
    result.reason = f"one normal form, with {bounds}" if bounds else "one normal form for every size"
    return result


def _small_integers(runs: Runs) -> list[str]:
    """The types of integers below 64 bits that are computed with: a normal form does not wrap around."""
    nodes = (n for _, p in runs.paths for n in p.graph.nodes if isinstance(n.op, WRAPPING))
    return sorted({n.dtype.name for n in nodes if n.dtype.kind in "iu" and n.dtype.itemsize < 8})


def _for_all_counts(pair: Pair) -> Runs | None:
    """The paths on which their loops run for all counts; None where they do not show the two to be the same."""
    try:
        runs = run_for_all_counts(pair.symbolic, World(pair.scope), [pair.left, pair.right], values=True)
        shown = all(not depends_on_number(p) and not isinstance(_differs(p, w.scope), str) for w, p in runs.paths)
    except (Unsupported, ZeroDivisionError):
        return None
    return runs if shown else None


def _one(target: str) -> Subject:
    found = [s for t in targets_of(target) for s in subjects_of(t)]
    if len(found) != 1:
        raise VerifierError(f"{target} names {len(found)} functions", remedy="name one: file.py:function")
    if found[0].is_bare:
        raise VerifierError(
            f"{target}: its annotations name no axes, by which two functions could be compared",
            remedy="write an annotated function that calls it, and name that",
        )
    if found[0].owner is not None:
        raise VerifierError(
            f"{target} is a method of {found[0].owner.__name__}, whose parameters nothing gives",
            remedy="write a function that makes the module and sets its parameters from its arguments, and name that",
        )
    return found[0]


def _pair(left: Subject, right: Subject, bind: Sequence[str], given: Sequence[str]) -> Pair:
    mine = {a.name: a for a in arguments_of(left.function)}
    theirs = {a.name: a for a in arguments_of(right.function)}
    names: dict[str, str] = {}
    for text in bind:
        ours, equals, other = (p.strip() for p in text.partition("="))
        for name, known, function in ((ours, mine, left), (other, theirs, right)):
            if not equals or name not in known:
                near = get_close_matches(name, list(known), 1)
                remedy = f"did you mean {near[0]}?" if near else f"arguments: {', '.join(known)}"
                raise VerifierError(f"--bind {text}: {function.name} has no argument {name!r}", remedy=remedy)
        names[ours] = other
    taken = set(names.values())
    names.update(
        {n: n for n, a in mine.items() if n not in names and n in theirs and n not in taken and not a.optional}
    )
    for function, known, bound in ((left, mine, set(names)), (right, theirs, set(names.values()))):
        missing = [n for n, a in known.items() if not a.optional and n not in bound]
        if missing:
            other = theirs if function is left else mine
            free = [n for n in other if n not in (set(names) | set(names.values()))]
            example = f"--bind {missing[0]}={free[0]}" if function is left and free else f"--bind OURS={missing[0]}"
            raise VerifierError(
                f"{function.name} wants {', '.join(missing)}, and nothing stands for it", remedy=example
            )
    arguments = tuple(mine[n] for n in names)
    scope = scope_of(arguments)
    for argument in arguments:
        _readable(argument, scope)
    for text in (*left.premises, *right.premises, *given):
        scope = scope.assuming(text)
    return Pair(left.function, right.function, arguments, tuple(theirs[names[n]] for n in names), scope)


def _readable(argument: Argument, scope: Scope) -> None:
    """Raises where an axis is an expression of a name that is no axis of its own, as jaxtyping does at run time."""
    for axis in argument.axes or ():
        names = sorted(axis.expression.names - scope.least.keys()) if axis.expression is not None else []
        if names:
            raise VerifierError(
                f"{argument.name}: the axis {axis.text} speaks of {names[0]}, and no argument has an axis {names[0]}",
                remedy="give the whole axis one name, and say what is known of it: --given 'd % h == 0'",
            )


def _difference(pair: Pair) -> dict[str, Any] | None:
    """The smallest sizes tried at which the results differ, with the arguments."""
    random = np.random.default_rng(SEED)
    uneven: list[dict[str, int]] = [dict(zip(pair.scope.least, PRIMES, strict=False))]
    compiles = any(getattr(front_end_of(a.array_type), "compiles", False) for a in (*pair.arguments, *pair.partners))
    for sizes in (*islice(models(pair.scope), SMALL_COMPILED if compiles else SMALL), *uneven):
        if sizes.keys() != pair.scope.least.keys() or any(not _true(a.relation, sizes) for a in pair.scope.assumptions):
            continue
        values = pair.real(sizes, random)
        shown = {"sizes": sizes, "arguments": {n: np.asarray(v).tolist() for n, v in values.items()}}
        results: list[Any] = []
        for side in (pair.call_left, pair.call_right):
            try:
                with quietly(), np.errstate(all="ignore"):
                    results.append(_arrays(side(values)))
            except Exception as error:
                results.append(f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
        if all(isinstance(r, str) for r in results):
            continue
        if any(isinstance(r, str) for r in results):
            return {**shown, "left": _brief(results[0]), "right": _brief(results[1])}
        found = _gap(*results)
        if found is not None:
            return {**shown, **found}
    return None


def _passed(argument: Argument, value: Any) -> Any:
    """The value as this argument's framework has it."""
    if isinstance(value, Node):
        return front_end_of(argument.array_type).wrap(value)
    if isinstance(value, np.ndarray) and argument.element is not None:
        return front_end_of(argument.array_type).real(value, argument.element)
    return value


def _true(relation: Relation, sizes: dict[str, int]) -> bool:
    from ..prove.search import true_at

    return true_at(relation, sizes)


def _arrays(value: Any) -> list[np.ndarray]:
    return [to_numpy(v) for v in (value if isinstance(value, (tuple, list)) else (value,))]


def _brief(result: Any) -> str:
    return result if isinstance(result, str) else f"shape {[list(a.shape) for a in result]}"


def _gap(left: list[np.ndarray], right: list[np.ndarray]) -> dict[str, Any] | None:
    if [a.shape for a in left] != [a.shape for a in right]:
        return {"left": _brief(left), "right": _brief(right)}
    for number, (a, b) in enumerate(zip(left, right, strict=True)):
        close = np.isclose(a, b, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
        if not np.all(close):
            place = tuple(int(i) for i in np.unravel_index(int(np.argmin(close)), a.shape))
            return {"result": number, "at": list(place), "left": f"{a[place]:.6g}", "right": f"{b[place]:.6g}"}
    return None


def _differs(path: Path, scope: Scope) -> Term | str | None:
    """Why a path does not show them to be the same; an element of the result where it does, None where both fail."""
    if isinstance(path.error, OneFails):
        return None if impossible(Facts.of(scope, path.conditions)) else str(path.error)
    if path.error is not None:
        return None if isinstance(path.error, FAILURES) else str(path.error)
    here = scope
    for decision in path.decisions:
        here = here.given(decision.condition)
    left, right = (_nodes(v) for v in path.value)
    if left is None or right is None or len(left) != len(right):
        return "what they return is not made of arrays alike"
    first: Term | None = None
    for a, b in zip(left, right, strict=True):
        if len(a.shape) != len(b.shape):
            return f"their results have {len(a.shape)} and {len(b.shape)} axes"
        for mine, theirs in zip(a.shape, b.shape, strict=True):
            if not identical(mine, theirs) and prove_equal(mine, theirs, here).truth is not Truth.PROVED:
                return f"the axes {mine} and {theirs} are not shown to be equal"
        index, ranges = _index(a)
        element = element_term(a, index, dict(ranges))
        if not same_term(element, element_term(b, index, dict(ranges)), here, ranges):
            return "their elements have different normal forms"
        first = element if first is None else first
    return first


def _index(node: Node) -> tuple[tuple[Size, ...], dict[str, Size]]:
    return indices_of(node.shape)


def _nodes(value: Any) -> list[Node] | None:
    values = value if isinstance(value, (tuple, list)) else (value,)
    if not all(is_stand_in(v) for v in values):
        return None
    return [v.node for v in values]
