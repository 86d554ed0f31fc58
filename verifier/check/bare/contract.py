"""The shapes of arrays under which a function is right, as data and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from ...dims import Relation, Size, is_dim
from ...dims.dim import substitute, symbols_of
from ...frontends.explorer import Path
from ...frontends.front_end import is_stand_in
from ...graph.node import Graph, Node
from ...graph.ops import Broadcast, Contraction, Input, Reshape, Transpose
from ...prove.decide import decide
from ..world import World
from .supposed import ANNOTATIONS, KINDS, Supposed

MAX_DEPTH = 3


@dataclass(frozen=True)
class Result:
    """What a function returns: its text, and the shapes in it, where all paths agree."""

    text: str


@dataclass(frozen=True)
class Contract:
    """One way to call a function that never fails: each array's shape and elements, and what else must hold."""

    shapes: Mapping[str, list[str]]
    elements: Mapping[str, str]
    absent: list[str]
    """Optional arrays that are not passed."""
    conditions: list[str]
    result: str
    annotations: Mapping[str, str]
    """For each array the annotation that says its shape."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def text(self) -> str:
        """`x: [x0, x1, self.d], mask absent -> [x0, x1, self.d]   if self.d % self.h == 0`."""
        arrays = [
            f"{name}: [{', '.join(shape)}]" + (f" of {self.elements[name]}s" if self.elements[name] != "float" else "")
            for name, shape in self.shapes.items()
        ]
        arrays += [f"{name} absent" for name in self.absent]
        result = f" -> {self.result}" if self.result else ""
        return ", ".join(arrays) + result + (f"   if {' and '.join(self.conditions)}" if self.conditions else "")


def contract_of(
    supposed: Supposed, options: Sequence[str], conditions: Sequence[str], results: Sequence[Result],
    arrays: Mapping[str, tuple[Any, str]], attributes: Mapping[str, str],
) -> Contract:  # fmt: skip
    """The contract that a proof establishes.

    `attributes` has for each of the object's sizes the attribute that holds it.
    """
    shapes = {name: supposed.shape(name) for name in supposed.ranks}
    told = {r.text for r in results}
    return Contract(
        {name: [str(size) for size in shape] for name, shape in shapes.items()},
        {name: KINDS[arrays[name][1]] for name in shapes},
        [name for name in options if name not in supposed.given],
        list(conditions),
        next(iter(told)) if len(told) == 1 else "",
        dict(_annotations(shapes, arrays, attributes)),
    )


def _annotations(
    shapes: Mapping[str, Sequence[Size]], arrays: Mapping[str, tuple[Any, str]], attributes: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    for name, shape in shapes.items():
        words = [_word(size, attributes) for size in shape]
        if all(words) and name.isidentifier():
            array_type, kind = arrays[name]
            array = "np.ndarray" if array_type.__module__ == "numpy" else array_type.__name__.rpartition(".")[2]
            yield name, f'{ANNOTATIONS[kind]}[{array}, "{" ".join(words)}"]'


def _word(size: Size, attributes: Mapping[str, str]) -> str:
    """An axis as jaxtyping writes it; empty where it cannot."""
    text = str(size)
    if text.isidentifier() or text.isdigit():
        return text
    if text in attributes:
        return f"{{{attributes[text]}}}"
    root, _, name = text.partition(".")
    if root == "self" and name.isidentifier():
        return name  # an axis with the name of a constructor's integer is that integer
    if "." not in text:
        bare = text.replace(" ", "")
        return bare[1:-1] if bare[0] == "(" and bare[-1] == ")" and bare.count("(") == 1 else bare
    return ""


def attributes_of(owner: Any, name: str, depth: int = 2) -> dict[str, str]:
    """For each size that an object or a part of it keeps, the shortest path to it: `self.config.n_embd`."""
    found: dict[str, str] = {}
    todo = [(owner, name, depth)]
    while todo:
        value, path, left = todo.pop(0)
        parts = {**getattr(value, "__dict__", {})}
        parts.update(cast("dict[str, Any]", parts.get("_modules") or {}))
        for key, part in parts.items():
            if not key.isidentifier() or (key.startswith("_") and key != "_modules"):
                continue
            if is_dim(part):
                found.setdefault(str(part), f"{path}.{key}")
            elif left and hasattr(part, "__dict__") and not is_stand_in(part) and not isinstance(part, type):
                todo.append((part, f"{path}.{key}", left - 1))
    return found


def result_of(returning: Sequence[tuple[World, Path]]) -> Result:
    """What all paths return; without a text where they do not agree."""

    def coincidences(item: tuple[World, Path]) -> int:
        return sum(c.op == "==" for c in item[1].conditions) + len(item[0].fixed)

    value = min(returning, key=coincidences)[1].value.value
    same = all(_alike(value, path.value.value, world, path) for world, path in returning)
    return Result(shape_text(value) if same else "")


def _alike(value: Any, other: Any, world: World, path: Path) -> bool:
    if is_stand_in(value) and is_stand_in(other):
        facts = world.facts(path.conditions)
        pairs = zip(value.shape, other.shape, strict=False)
        return len(value.shape) == len(other.shape) and all(_equal(a, b, world, facts) for a, b in pairs)
    if type(value) is not type(other):
        return False
    if isinstance(value, (tuple, list)):
        items, others = cast("list[Any]", value), cast("list[Any]", other)
        return len(items) == len(others) and all(_alike(a, b, world, path) for a, b in zip(items, others, strict=True))
    return True


def _equal(a: Size, b: Size, world: World, facts: Any) -> bool:

    relation = substitute(a, world.fixed) == substitute(b, world.fixed) if is_dim(a) or is_dim(b) else a == b
    return decide(relation, facts) is True if isinstance(relation, Relation) else bool(relation)


def multiplies_vectors(graph: Graph, supposed: Supposed) -> bool:
    """Whether an array without axes in its annotation, supposed to be a vector, is a factor of a product as it came."""
    vectors = {name for name, rank in supposed.ranks.items() if rank == 1}
    factors = (n for node in graph.nodes if isinstance(node.op, Contraction) for n in node.inputs)
    return any(_input_of(n) in vectors for n in factors)


def _input_of(node: Node) -> str:
    """The input that a node is, but for the order and the place of its axes."""
    while isinstance(node.op, (Transpose, Reshape, Broadcast)):
        node = node.inputs[0]
    return node.op.name if isinstance(node.op, Input) else ""


def _size_text(size: Size) -> str:
    """A size; one that only the data decide is told as `?`."""
    unknown = is_dim(size) and any(n.startswith("count_") for n in symbols_of(size))
    return "?" if unknown else str(size)


def shape_text(value: Any, depth: int = 0) -> str:
    if is_stand_in(value):
        return f"[{', '.join(map(_size_text, value.shape))}]"
    if isinstance(value, (tuple, list)) and depth < MAX_DEPTH:
        inner = ", ".join(shape_text(v, depth + 1) for v in cast("list[Any]", value))
        return f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    return "None" if value is None else f"a {type(value).__name__}"


__all__ = ["Contract", "Result", "attributes_of", "contract_of", "result_of"]
