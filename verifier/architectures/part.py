"""A part of a model: one kernel with its sizes bound, the names of its saved tensors, and how often it occurs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from typing import Any

from ..dims import Size

Bound = int | str | Any
"""A size (an int, or a Dim where a formula is wanted), or the name of a length that the work to be done decides.

Lengths: "new" tokens being worked on, "past" cached ones ("past:W" at most W - 1 of them), "source" an encoder's;
`derive.bind` says what "2*new", "new+3" and "new/64" are.
"""


@dataclass(frozen=True, slots=True)
class Weight:
    """A saved tensor: its name with `*` for a layer's number, its axes in the kernel's symbols, the arguments it holds.

    `layout` is one axis a word; a parenthesis is a product, or a sum of products where tensors are fused:
    "(h d_k + g d_k + g d_v) d_model". Its elements are those of the arguments held, which a test proves for all sizes.
    """

    name: str
    layout: str
    holds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One kernel in a model.

    `count` layers store it; `runs` of them are worked in one pass (more where layers share their weights).
    `stage` is "decoder" for what every step of decoding does again, "encoder" for what is done once before; "prefill"
    and "step" are two ways of doing the same thing, over a whole sequence and for one token more.
    """

    role: str
    kernel: str
    sizes: Mapping[str, Bound]
    weights: tuple[Weight, ...] = ()
    optional: frozenset[str] = frozenset()
    count: Bound = 1
    runs: Bound | None = None
    stage: str = "decoder"
    per_sequence: bool = True
    gradient: bool = True
    constants: frozenset[str] = frozenset()
    """Arguments without a gradient, beside integers and masks: pixels, a fixed position table."""

    def is_done(self, *, decoding: bool = False) -> bool:
        """Whether a pass over a whole sequence, or a step of decoding, does this part."""
        return self.stage not in ("encoder", "prefill") if decoding else self.stage != "step"

    @property
    def executions(self) -> Bound:
        return self.count if self.runs is None else self.runs


@dataclass(frozen=True, slots=True)
class Cache:
    """What one layer keeps of each token: elements of its tensors, as transformers stores them and at least.

    Units: elements a token.
    """

    elements: tuple[Size, ...]
    layers: Size
    window: int | None = None
    least: tuple[Size, ...] | None = None
    cross: bool = False


@dataclass
class Architecture:
    """A model as parts, with what is saved twice or not at all."""

    parts: list[Part] = field(default_factory=list[Part])
    caches: list[Cache] = field(default_factory=list[Cache])
    tied: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    facts: dict[str, Any] = field(default_factory=dict[str, Any])
    """Sizes that rules and reports ask for by the field's own terms: heads, kv_heads, head_dim, ..."""
    buffers: Size = 0
    """Elements saved with a checkpoint though they are no parameters."""
    kind: str = "decoder"
    """"decoder" (text, causal), "encoder" (text), "encoder-decoder", "vision", "speech"."""
    lengths: Mapping[str, int] = field(default_factory=dict[str, int])
    """Lengths that the config itself decides, such as an encoder's positions."""
    notes: list[str] = field(default_factory=list[str])

    def add(self, *parts: Part | list[Part]) -> None:
        for part in parts:
            self.parts.extend(part if isinstance(part, list) else [part])


Term = tuple[int, tuple[str, ...]]


@lru_cache(maxsize=2048)
def layout_axes(layout: str) -> tuple[tuple[Term, ...], ...]:
    """Each axis of a layout as a sum of products of symbols.

    >>> layout_axes("(2 f) d")
    (((2, ('f',)),), ((1, ('d',)),))
    """
    words: list[str] = []
    rest = layout.strip()
    while rest:
        if rest[0] == "(":
            inside, _, rest = rest[1:].partition(")")
        else:
            inside, _, rest = rest.partition(" ")
        words.append(inside)
        rest = rest.strip()
    return tuple(tuple(_product(t) for t in word.split("+")) for word in words)


def _product(text: str) -> Term:
    factors = text.split()
    return prod(int(f) for f in factors if f.isdigit()), tuple(f for f in factors if not f.isdigit())


def shape_of(layout: str, sizes: Mapping[str, Bound]) -> tuple[Size, ...]:
    """The shape of a saved tensor at sizes; works on numbers and Dims alike.

    >>> shape_of("(h d_k + g d_k) d_model", {"h": 4, "g": 2, "d_k": 8, "d_model": 32})
    (48, 32)
    """
    shape: list[Size] = []
    for axis in layout_axes(layout):
        total: Any = 0
        for factor, names in axis:
            product: Any = factor
            for name in names:
                product = product * sizes[name]
            total = total + product
        shape.append(total)
    return tuple(shape)
