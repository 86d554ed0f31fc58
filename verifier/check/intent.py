"""The axes reading put to one path of a function under test: right shapes, wrong values."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ..dims import Scope, Size
from ..dims.expression import parse
from ..errors import VerifierError
from ..frontends.explorer import Path
from ..frontends.front_end import is_stand_in
from ..graph.node import Node
from ..graph.ops import Input
from ..prove.search import models
from ..readings.axes import AxesReading
from ..readings.oddity import Oddity
from ..readings.provenance import Axis, Factor, is_one, origin_text, product, show
from .annotated import hints_of, is_array_hint, is_union, is_variadic, words_of
from .discovery import Subject
from .examples import standing
from .finding import Finding
from .locating import statement_at
from .reached import steps_to
from .saying import said, under_names
from .world import World

PRODUCT = re.compile(r"(\d+\*)*[A-Za-z_]\w*(\*\w+)*\*[A-Za-z_]\w*")
"""A product of two sizes at least has an order; `2*d` and `d*2` only say how many, and so does a number at the end."""
SUM = re.compile(r"[A-Za-z_]\w*(\+[A-Za-z_]\w*)+")
"""A sum of names says which piece comes first; in `n+1` the one may stand before or after."""


MAX_READ = 8
"""How many paths of a function are read: branches of the code, and sizes that had to be numbers."""


def findings_of_paths(subject: Subject, returning: list[tuple[World, Path]]) -> list[Finding]:
    """What the axes reading finds in the paths with the fewest coincidences of sizes."""

    def coincidences(item: tuple[World, Path]) -> tuple[int, int]:
        world, path = item
        return sum(c.op == "==" for c in path.conditions), sum(size == 1 for size in world.fixed.values())

    fewest = min(map(coincidences, returning))
    chosen = islice((i for i in returning if coincidences(i) == fewest), MAX_READ)
    found = [(world.fixed, f) for world, path in chosen for f in findings_of(subject, world, path)]
    return [_under_names(finding, fixed, found) for fixed, finding in found]


def _under_names(finding: Finding, fixed: Mapping[str, int], found: list[tuple[Mapping[str, int], Finding]]) -> Finding:
    """With names for the numbers that sizes had to be, where it was found at other numbers as well."""
    for others, twin in found:
        if twin.place == finding.place and twin is not finding and any(fixed[n] != others.get(n) for n in fixed):
            return under_names(finding, fixed, twin, others)
    return finding


def findings_of(subject: Subject, world: World, path: Path) -> list[Finding]:
    """What the axes reading finds in one returning path."""
    returned = path.value
    outputs = tuple(_arrays(returned.value))
    if not outputs:
        return []
    hints = hints_of(subject.function)
    declared = {
        node.op.name: axes
        for node in path.graph.nodes
        if isinstance(node.op, Input) and node.op.name in hints
        for axes in (_declared(node.op.name, hints[node.op.name], node.shape, world),)
        if axes is not None
    }
    reading = AxesReading(path.graph, world.facts(path.conditions), declared, subject.name)
    oddities = list(reading.read(outputs))
    oddities += _result(reading, returned.value, hints.get("return"), world)
    oddities += _foreign(reading, returned.value, hints.get("return"), world)
    sizes = _showing(world, path)
    found = (_finding(o, subject, returned, sizes) for o in oddities)
    known = (*world.premises, *path.conditions)
    return [said(f, known, returned.arguments) for f in found]


def _showing(world: World, path: Path) -> dict[str, int]:
    """Small pairwise different sizes of 2 and more, where there are such."""
    best: dict[str, int] = {}
    larger = Scope({n: max(least, 2) for n, least in world.scope.least.items()}, world.scope.assumptions)
    for sizes_of in (larger, world.scope):
        scope, conditions = standing(sizes_of, path)
        for number, found in enumerate(models(scope, conditions, points=1_200)):
            sizes = {n: found[n] for n in world.scope.least}
            if not best or _clear(sizes) > _clear(best):
                best = sizes
            if number > 300:
                break
        if best:
            break
    return {**world.fixed, **best}


def _clear(sizes: dict[str, int]) -> tuple[bool, int]:
    return (min(sizes.values(), default=2) >= 2, len(set(sizes.values())))


def _finding(oddity: Oddity, subject: Subject, returned: Any, sizes: dict[str, int]) -> Finding:
    source, spot = oddity.source, returned.spot
    file, line = (source.file, source.line) if source is not None else (spot.file, spot.line)
    column = end = None
    statement = statement_at(file, line)
    if statement is not None and statement.lineno == statement.end_lineno == line:
        column, end = statement.col_offset + 1, (statement.end_col_offset or 0) + 1
    arrays = [f"{show_node(n)}" for n in oddity.node.inputs]
    return Finding(
        oddity.code, oddity.severity, oddity.message, file, line, column, end, sizes, {}, False, arrays,
        WHY[oddity.severity], oddity.fix, steps_to(source),
    )  # fmt: skip


WHY = {
    "error": "every shape is right at every size; the values are not",
    "warning": "every shape is right at every size; the values are unlikely to be what was meant",
}


def show_node(node: Node) -> str:
    return f"{node.op.name if isinstance(node.op, Input) else node.name}: [{', '.join(map(str, node.shape))}]"


def _arrays(value: Any) -> Iterator[Node]:
    if is_stand_in(value):
        yield value.node
    elif isinstance(value, (tuple, list)):
        for item in typing.cast("list[Any]", value):
            yield from _arrays(item)
    elif isinstance(value, dict):
        for item in typing.cast("dict[Any, Any]", value).values():
            yield from _arrays(item)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _arrays(getattr(value, name))


def _declared(name: str, hint: Any, shape: tuple[Size, ...], world: World) -> list[Axis] | None:
    if is_union(hint):
        options = [h for h in typing.get_args(hint) if is_array_hint(h)]
        hint = options[0] if len(options) == 1 else None
    if not is_array_hint(hint):
        return None
    words = words_of(hint.dim_str)
    spread = [i for i, w in enumerate(words) if is_variadic(w)]
    if spread:
        count = len(shape) - len(words) + 1
        words = (*words[: spread[0]], *("" for _ in range(count)), *words[spread[0] + 1 :])
    if len(words) != len(shape):
        return None
    return [axis_of(word, size, f"{name}.{i}", world) for i, (word, size) in enumerate(zip(words, shape, strict=True))]


def axis_of(word: str, size: Size, origin: str, world: World) -> Axis:
    """The factors or pieces that an axis expression names, in the order in which it is written."""
    if type(size) is int and size == 1:
        return ()
    whole = Factor(size, str(size), frozenset({origin}))
    text = word.lstrip("#?").replace("{", "").replace("}", "").replace(".", "_").replace(" ", "")
    if PRODUCT.fullmatch(text):
        parts = [Factor(s, n, frozenset({origin})) for n, s in _values(text.split("*"), world)]
        return tuple(parts) if str(product(tuple(parts))) == str(size) else (whole,)
    if SUM.fullmatch(text):
        pieces = tuple(
            () if is_one(s) else (Factor(s, n, frozenset({origin})),) for n, s in _values(text.split("+"), world)
        )
        return (Factor(size, str(size), frozenset({origin}), "sum", pieces),)
    return (whole,)


def _values(names: list[str], world: World) -> list[tuple[str, Size]]:
    known = {n.replace(".", "_"): s for n, s in {**world.scope.names, **world.fixed}.items()}
    found: list[tuple[str, Size]] = []
    for name in names:
        try:
            found.append(
                (name, parse(name).value({**known, name: known.get(name, int(name) if name.isdigit() else 1)}))
            )
        except (VerifierError, KeyError):
            found.append((name, 1))
    return found


def _result(reading: AxesReading, value: Any, hint: Any, world: World) -> list[Oddity]:
    """A merged axis of the result whose factors are in another order than its annotation says."""
    if not is_stand_in(value) or not is_array_hint(hint):
        return []
    declared = _declared("result", hint, value.shape, world)
    found: list[Oddity] = []
    for wanted, actual in zip(declared or (), reading.of(value.node), strict=False):
        if len(wanted) > 1 and len(actual) > 1 and reading.sizes.conflict(wanted, actual) == "order":
            text = f"the result has {show(actual)} on an axis annotated {show(wanted)}: one size, but another order"
            found.append(Oddity("ATT031", text, value.node.source, value.node, f"merge in the order {show(wanted)}"))
    return found


def _foreign(reading: AxesReading, value: Any, hint: Any, world: World) -> list[Oddity]:
    """An axis of the result that has the name of one input axis, and is filled in part from another that is there too.

    Windows put back with rows and columns exchanged: `h` of the result is h//s windows of s columns each.
    """
    if not is_stand_in(value) or not is_array_hint(hint):
        return []
    homes = {
        o: f.label for axes in reading.declared.values() for a in axes if len(a) == 1 for f in a for o in f.origins
    }
    declared = _declared("result", hint, value.shape, world) or ()
    names = {str(a[0]) for a in declared if len(a) == 1}
    for wanted, actual in zip(declared, reading.of(value.node), strict=False):
        if len(wanted) != 1 or len(actual) < 2 or not all(f.kind == "axis" and len(f.origins) == 1 for f in actual):
            continue
        name, of = str(wanted[0]), [homes.get(next(iter(f.origins)), "") for f in actual]
        others = [f for f, home in zip(actual, of, strict=True) if home in names - {name}]
        if name in of and others and all(of):
            text = (
                f"the axis {name} of the result is made of {' and '.join(map(origin_text, actual))}: "
                f"{others[0]} is a part of {homes[next(iter(others[0].origins))]}"
            )
            return [
                Oddity("ATT030", text, value.node.source, value.node, f"transpose, so that all parts of {name} meet")
            ]
    return []


__all__ = ["findings_of_paths"]
