"""Who makes the leaves of arguments: names of sizes, stand-ins to prove with, real arrays to replay with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ..dims import Size
from ..errors import Unsupported
from ..frontends.front_end import front_end_of, kind_of


class Maker(Protocol):
    """Makes the leaves of arguments."""

    def array(self, name: str, shape: tuple[Size, ...], element: str, array_type: Any) -> Any: ...
    def size(self, name: str) -> Any: ...
    def number(self, name: str) -> Any: ...
    def generator(self) -> Any: ...


@dataclass
class SizeNames:
    """A maker that only lists the sizes asked for."""

    names: dict[str, None] = field(default_factory=lambda: dict[str, None]())

    def array(self, name: str, shape: tuple[Size, ...], element: str, array_type: Any) -> Any:
        return None

    def size(self, name: str) -> Any:
        from ..dims import symbol

        self.names[name] = None
        return symbol(name)

    def number(self, name: str) -> Any:
        return 1.0

    def generator(self) -> Any:
        return None


@dataclass
class Symbolic:
    """A maker of stand-ins; sizes in `fixed` are numbers."""

    fixed: Mapping[str, int]

    def array(self, name: str, shape: tuple[Size, ...], element: str, array_type: Any) -> Any:
        return front_end_of(array_type).symbolic(name, shape, element)

    def size(self, name: str) -> Any:
        from ..dims import symbol

        return self.fixed.get(name, symbol(name))

    def number(self, name: str) -> Any:
        from ..terms import Entry, Term

        return Term({((Entry(name, ()), 1),): 1})

    def generator(self) -> Any:
        from ..frontends.numpy.randomness import SymbolicGenerator

        return SymbolicGenerator()


class UnknownSize(Unsupported):
    """A size that no run on symbols came to ask for, since each ended before."""


@dataclass
class Real:
    """A maker of real arrays; integers are 0, so that they are places in whatever they index."""

    sizes: Mapping[str, int]
    seed: int = 0

    def array(self, name: str, shape: tuple[Size, ...], element: str, array_type: Any) -> Any:
        extent = tuple(int(s) for s in shape)
        draw = np.random.default_rng([self.seed, len(name), *name.encode()])
        values = {
            "i": lambda: np.zeros(extent, np.int64),
            "b": lambda: draw.random(extent) < 0.7,
            "f": lambda: np.asarray(draw.standard_normal(extent)),
            "c": lambda: draw.standard_normal(extent) + 1j * draw.standard_normal(extent),
        }[kind_of(element)]()
        return front_end_of(array_type).real(values, element)

    def size(self, name: str) -> Any:
        if name not in self.sizes:
            raise UnknownSize(f"nothing says what {name} may be")
        return self.sizes[name]

    def number(self, name: str) -> Any:
        return 0.5

    def generator(self) -> Any:
        return np.random.default_rng(self.seed)


@dataclass
class Recording(Symbolic):
    """A maker of stand-ins that lists the sizes asked for as well."""

    names: dict[str, None] = field(default_factory=lambda: dict[str, None]())

    def size(self, name: str) -> Any:
        self.names[name] = None
        return super().size(name)
