"""Real arrays of small shapes: where the real function returns for some, nobody is told that no shapes pass.

Sizes are those of few elements, the numbers that the code says itself, and the object's own. The axes of one array
differ, none has one element, and at most one is of a size of the object's: at other coincidences a wrong program passes
too.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, permutations, zip_longest
from types import CodeType
from typing import Any, cast

import numpy as np

from ...errors import NeedsConcreteSize
from ...frontends.front_end import carry_out
from ..arguments import Builder
from ..lasting import Lasting
from ..leaves import Real
from ..locating import making_arguments
from ..replay import quietly
from ..variants import Variant
from .infer import RANKS
from .supposed import Supposed

SECONDS = 2.0
MAX_CALLS = 4_000
SMALL = (2, 3, 4)
OWN = (210, 35, 5, 11)
"""Sizes of the object's own: those that others divide come with them, and no quotient is a small size."""
MOST = 64
"""Greater numbers of the code's are no sizes to try."""


@dataclass
class _Drawn(Real):
    """A maker of real arrays that chooses sizes of the object's own as they are asked for."""

    own: tuple[int, ...] = OWN
    asked: dict[str, int] = field(default_factory=lambda: dict[str, int]())

    def size(self, name: str) -> Any:
        if name in self.sizes:
            return self.sizes[name]
        if name not in self.asked:
            self.asked[name] = self.own[len(self.asked) % len(self.own)]
        return self.asked[name]


@dataclass
class Trying:
    """Calls of one function on real arrays."""

    function: Callable[..., Any]
    owner: type | None
    variant: Variant
    """How it is called; its shapes tell the arrays."""
    last: tuple[int, ...] = ()

    def passing(self) -> str:
        """The shapes of the first call that returns, in words; empty where none does."""
        until = time.process_time() + SECONDS
        own = self.makes()
        if own is None:
            return ""
        for number, (shapes, kind) in enumerate(self.draws(own)):
            if number >= MAX_CALLS or time.process_time() > until:
                break
            if self.returns(shapes, kind, own):
                told = " and ".join(f"{n} {list(s)}" for n, s in shapes.items())
                return f"{told}{' of ints' if kind == 'i' else ''}"
        return ""

    def makes(self) -> tuple[int, ...] | None:
        """Sizes of the object's own with which it can be made."""
        for own in permutations(OWN, 3) if self.owner is not None else ((3, 2, 5),):
            try:
                maker = self.made(dict.fromkeys(self.arrays, (2,)), "f", own)[1]
            except Exception as error:
                if getattr(error, "making_arguments", False):
                    continue
                raise
            self.last = tuple(maker.asked.values())
            return own
        return None

    @property
    def arrays(self) -> list[str]:
        return list(self.variant.shapes.ranks) if self.variant.shapes is not None else []

    def draws(self, own: tuple[int, ...]) -> Iterator[tuple[dict[str, tuple[int, ...]], str]]:
        sizes = [*dict.fromkeys((*SMALL, *_numbers_of(self.function, self.owner), *self.last))]
        shapes = {rank: [s for s in permutations(sizes, rank) if self.is_plain(s)] for rank in RANKS}
        names = self.arrays
        alike = [[dict.fromkeys(names, s) for s in shapes[rank]] for rank in RANKS]
        rounds = (group for group in zip_longest(*alike))
        for found in (f for group in rounds for f in group if f is not None):
            yield found, "f"
            yield found, "i"
        if len(names) < 2:
            return
        draw = np.random.default_rng(0)
        near = sizes[:4]
        while True:
            ranks = [int(draw.choice(RANKS[:4])) for _ in names]
            found = {n: tuple(map(int, draw.permutation(near)[:r])) for n, r in zip(names, ranks, strict=True)}
            yield found, "fi"[int(draw.integers(2))]

    def is_plain(self, shape: tuple[int, ...]) -> bool:
        """Whether at most one size is the object's: as many tokens as a head has channels are chance."""
        return sum(size in self.last for size in shape) < 2

    def returns(self, shapes: Mapping[str, tuple[int, ...]], kind: str, own: tuple[int, ...]) -> bool:
        done: list[bool] = []

        def run() -> None:
            call, _ = self.made(shapes, kind, own)
            call.run(self.function)
            done.append(True)

        try:
            with quietly(), Lasting(self.function).undone():
                carry_out(run)
        except (Exception, NeedsConcreteSize):
            return False
        return bool(done)

    def made(self, shapes: Mapping[str, tuple[int, ...]], kind: str, own: tuple[int, ...]) -> tuple[Any, _Drawn]:
        known = cast("Supposed", self.variant.shapes)
        ranks = {name: len(shape) for name, shape in shapes.items()}
        supposed = replace(known, ranks=ranks, kinds=dict.fromkeys(shapes, kind), solved={})
        sizes = {a: s for n, shape in shapes.items() for a, s in zip(supposed.axes(n), shape, strict=True)}
        maker = _Drawn(sizes, own=own)
        with making_arguments():
            call = Builder(replace(self.variant.again(), shapes=supposed), maker).call(self.function, self.owner)
        return call, maker


def _numbers_of(function: Callable[..., Any], owner: type | None) -> list[int]:
    """The whole numbers that the code or its object's constructor says, and how many a fraction is one of."""
    made = inspect.unwrap(owner.__init__) if owner is not None else None
    codes = [getattr(f, "__code__", None) for f in (inspect.unwrap(function), made)]
    found = chain.from_iterable(_constants(c) for c in codes if c is not None)
    whole = (round(1 / c) if isinstance(c, float) and 0 < c < 1 else c for c in found)
    return [n for n in dict.fromkeys(whole) if type(n) is int and 1 < n <= MOST][:4]


def _constants(code: Any) -> Iterator[Any]:
    parts = code.co_consts if isinstance(code, CodeType) else code
    for part in parts:
        if isinstance(part, (CodeType, tuple)):
            yield from _constants(part)
        else:
            yield part
