"""Parameters, shapes, FLOPs and cache sizes: every number is a kernel's polynomial at the config's sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..dims import Size
from .counting import at_sizes, facts_of
from .part import Architecture, Bound, Part, shape_of


def product(shape: Iterable[Size]) -> Any:
    result: Any = 1
    for size in shape:
        result = result * size
    return result


def weight_shapes(architecture: Architecture) -> dict[str, list[list[Any]]]:
    """Every saved tensor: its name, and [[shape, how many layers], ...]; `*` stands for a layer's number."""
    shapes: dict[str, list[list[Any]]] = {}
    for part in architecture.parts:
        for weight in part.weights:
            shape = list(shape_of(weight.layout, part.sizes))
            rows = shapes.setdefault(weight.name, [])
            for row in rows:
                if str(row[0]) == str(shape):
                    row[1] = row[1] + part.count
                    break
            else:
                rows.append([shape, part.count])
    return shapes


def parameters_by_group(shapes: Mapping[str, list[list[Any]]]) -> dict[str, Any]:
    """Parameters by sub-module of a layer, or by tensor outside the layers.

    Units: parameters.
    """
    groups: dict[str, Any] = {}
    for name, rows in shapes.items():
        head, star, rest = name.partition(".*.")
        group = f"{head}.*.{rest.split('.')[0]}" if star else name
        for shape, layers in rows:
            groups[group] = groups.get(group, 0) + product(shape) * layers
    return groups


def parameters_by_role(architecture: Architecture) -> dict[str, Any]:
    """Parameters by what they do: embedding, attention, feed-forward, norm, head ...

    Units: parameters.
    """
    roles: dict[str, Any] = {}
    for part in architecture.parts:
        for weight in part.weights:
            roles[part.role] = roles.get(part.role, 0) + product(shape_of(weight.layout, part.sizes)) * part.count
    return roles


def total_parameters(architecture: Architecture) -> Any:
    """Unique parameters, tied ones once.

    Units: parameters.
    """
    return sum_of(parameters_by_role(architecture).values())


def sum_of(values: Iterable[Any]) -> Any:
    result: Any = 0
    for value in values:
        result = result + value
    return result


def bind(sizes: Mapping[str, Bound], lengths: Mapping[str, Any]) -> dict[str, Any]:
    """A part's sizes with the lengths of the work put in.

    "past:W" is at most W - 1 cached tokens, "new:W" at most W new ones, "all" the cached and the new ("all:W" at most
    W - 1 of the cached); a factor in front multiplies: "2*new:512"; "new+3" is three more, "new/64" the chunks of 64
    that hold them, the last one padded.
    """
    bound: dict[str, Any] = {}
    given = dict(lengths)
    if "past" in given:
        given.setdefault("all", given["new"] + given["past"])
    for name, size in sizes.items():
        if type(size) is str:
            factor, star, rest = size.rpartition("*")
            rest, _, chunk = rest.partition("/")
            rest, _, more = rest.partition("+")
            length, _, limit = rest.partition(":")
            size = given[rest] if rest in given else given[length]
            if limit and length == "all" and type(size) is int:
                size = given["new"] + min(given["past"], int(limit) - 1)
            elif limit and type(size) is int:
                size = min(size, int(limit) - (length == "past"))
            if more:
                size = size + int(more)
            if chunk:
                size = (size + (int(chunk) - 1)) // int(chunk)
            if star:
                size = size * int(factor)
        bound[name] = size
    return bound


def part_flops(part: Part, lengths: Mapping[str, Any], batch: Any, *, backward: bool = False) -> Any:
    """Matrix-product FLOPs of a part over a batch; `backward` gives those of its gradients instead."""
    facts = facts_of(part.kernel, part.optional, part.constants)
    if backward and not part.gradient:
        return 0
    work = at_sizes(facts.backward if backward else facts.forward, bind(part.sizes, lengths))
    times = part.executions * (batch if part.per_sequence else 1)
    return work * times


def flops(architecture: Architecture, lengths: Mapping[str, Any], batch: Any = 1, *, decoding: bool = False) -> Any:
    """Matrix-product FLOPs of one pass; a step of decoding leaves out what the encoder did.

    Units: floating-point operations, a multiply-add is 2; full scores, no causal or window saving.
    """
    return sum_of(part_flops(part, lengths, batch) for part in architecture.parts if part.is_done(decoding=decoding))


def windowed_flops(architecture: Architecture, lengths: Mapping[str, Any], batch: Any = 1) -> Any:
    """`flops` where every query meets the keys of its window alone: n times what one query costs.

    A window is a layer's own ("past:W"), or `facts["sees"]` keys of an encoder with local attention.

    Units: floating-point operations, a multiply-add is 2.
    """
    sees = architecture.facts.get("sees")
    total: Any = 0
    for part in architecture.parts:
        if not part.is_done():
            continue
        name = "source" if part.sizes.get("n") == "source" else "new"
        span = _window(part, sees)
        if span is None or lengths[name] <= span:
            total = total + part_flops(part, lengths, batch)
        else:
            keys = {"m": span} if "m" in part.sizes else {"t": span - 1}
            one = replace(part, sizes={**part.sizes, "n": 1, **keys})
            total = total + lengths[name] * part_flops(one, lengths, batch)
    return total


def _window(part: Part, sees: int | None) -> int | None:
    length = part.sizes.get("t", part.sizes.get("m"))
    if type(length) is str and length.startswith(("past:", "all:")):
        return int(length.rpartition(":")[2])
    local = part.kernel == "grouped_query_attention" and length == 0
    return sees if local else None


def backward_flops(architecture: Architecture, lengths: Mapping[str, Any], batch: Any = 1) -> Any:
    """Matrix-product FLOPs of a backward pass alone.

    Units: floating-point operations, a multiply-add is 2.
    """
    done = (part for part in architecture.parts if part.is_done())
    return sum_of(part_flops(part, lengths, batch, backward=True) for part in done)


def cache_elements(architecture: Architecture, *, least: bool = False, cross: bool = False) -> Any:
    """Elements that all layers together keep of one token; `least` without what a library stores twice.

    Units: elements a token.
    """
    return sum_of(
        sum_of(cache.least if least and cache.least else cache.elements) * cache.layers
        for cache in architecture.caches
        if cache.cross is cross
    )
