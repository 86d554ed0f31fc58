"""What is supposed of the arrays whose annotations name no axes, for one try."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from ...dims import Size, symbol
from ...dims.dim import substitute
from ...errors import Unsupported
from ...frontends.front_end import FrontEnd, kind_of

KINDS = {"f": "float", "i": "int", "b": "bool", "c": "complex"}
ANNOTATIONS = {"f": "Float", "i": "Int", "b": "Bool", "c": "Complex"}


class Ranks(dict[str, int]):
    """Ranks by the array's name; one that was not asked for before is put down, with three axes."""

    def __missing__(self, name: str) -> int:
        self[name] = 3
        return 3


@dataclass(frozen=True)
class Supposed:
    """How many axes each array has, what its elements are, and what is known of its sizes."""

    ranks: Mapping[str, int] = field(default_factory=Ranks)
    kinds: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    """Arrays whose elements are other than floats: "i" or "b"."""
    given: frozenset[str] = frozenset()
    """Optional arrays that are passed."""
    solved: Mapping[str, Size] = field(default_factory=lambda: dict[str, Size]())
    """Sizes of axes, by the axis's own name, in the other sizes."""
    taken: frozenset[str] = frozenset()
    """Names that an axis may not have, since the annotations use them."""

    def rank(self, name: str) -> int:
        """How many axes an array has.

        Raises:
            Unsupported: this way to call the function has an array that the inference did not see.
        """
        try:
            return self.ranks[name]
        except KeyError:
            raise Unsupported(f"the axes of {name} were not looked for in this way to call it") from None

    def axes(self, name: str) -> list[str]:
        """The names of an array's axes: `x0`, `x1`; of `past_0` they are `past_0_0`, `past_0_1`."""
        apart = "_" if name[-1:].isdigit() or any(f"{name}{i}" in self.taken for i in range(8)) else ""
        return [f"{name}{apart}{i}" for i in range(self.rank(name))]

    def shape(self, name: str) -> tuple[Size, ...]:
        return tuple(self.solved.get(axis, symbol(axis)) for axis in self.axes(name))

    def homes(self) -> dict[str, str]:
        """Each axis that is still free, and its array."""
        return {axis: name for name in self.ranks for axis in self.axes(name) if axis not in self.solved}

    def solving(self, axis: str, size: Size) -> Supposed:
        """With an axis of that size."""
        known = {a: substitute(s, {axis: size}) for a, s in self.solved.items()}
        return replace(self, solved={**known, axis: size})

    def element(self, name: str, front_end: FrontEnd) -> str:
        """The framework's first element type of the kind."""
        kind = self.kinds.get(name, "f")
        return next(e for e in front_end.element_types if kind_of(e) == kind)

    def with_kind(self, name: str, kind: str) -> Supposed:
        return replace(self, kinds={**self.kinds, name: kind})


def free(names: Collection[str], supposed: Supposed) -> set[str]:
    """Those of the sizes that are axes of arrays without axes."""
    return set(names) & {axis for name in supposed.ranks for axis in supposed.axes(name)}
