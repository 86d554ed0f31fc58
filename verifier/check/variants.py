"""The ways to call a function: one answer to each choice that its annotations leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..frontends.front_end import is_stand_in
from .bare.supposed import Supposed
from .guesses import Style

MAX_VARIANTS = 40
"""More ways to call a function than this are not all tried, and its verdict says so."""


@dataclass
class Variant:
    """Answers to the choices that the annotations leave, in the order in which they are asked."""

    script: tuple[int, ...]
    style: Style = Style.SIZES
    shapes: Supposed | None = None
    """What is supposed of arrays whose annotations name no axes."""
    evaluating: bool = False
    """Whether modules are called after `eval()`: code that asks whether it is in training is called both ways."""
    asked: list[tuple[str, Sequence[Any], int]] = field(default_factory=lambda: list[tuple[str, Sequence[Any], int]]())

    def again(self) -> Variant:
        """The same variant before anything was asked."""
        return Variant(self.script, self.style, self.shapes, self.evaluating)

    def enter(self, arguments: Mapping[str, Any]) -> None:
        """Modules among the arguments are in training, or are not."""
        for value in arguments.values():
            if is_stand_in(value):
                continue
            if hasattr(value, "training") and hasattr(value, "train"):
                value.train(not self.evaluating)
            elif hasattr(type(value), "set_attributes"):  # Flax's modules say it to all that have `deterministic`
                (value.eval if self.evaluating else value.train)()

    def choose(self, name: str, options: Sequence[Any]) -> Any:
        for known, choices, taken in self.asked:
            if known == name:
                return choices[taken]
        place = len(self.asked)
        taken = self.script[place] if place < len(self.script) else 0
        self.asked.append((name, options, taken))
        return options[taken]

    def next_scripts(self) -> list[tuple[int, ...]]:
        """The scripts that differ first in a choice which this one was not told."""
        found: list[tuple[int, ...]] = []
        for place in range(len(self.script), len(self.asked)):
            before = tuple(taken for _, _, taken in self.asked[:place])
            found += [(*before, other) for other in range(1, len(self.asked[place][1]))]
        return found

    @property
    def text(self) -> str:
        told = [f"{n} {_spell(options[taken])}" for n, options, taken in self.asked if len(options) > 1]
        return ", ".join([*told, *(["after eval()"] if self.evaluating else [])])


def _spell(option: Any) -> str:
    return "absent" if option is ABSENT else getattr(option, "__name__", str(option))


ABSENT = object()


def variants(
    probe: Callable[[Variant], Any], style: Style = Style.SIZES, shapes: Supposed | None = None
) -> tuple[list[Variant], bool]:
    """Every variant of a call, and whether all were listed; `probe` makes the arguments of one."""
    found: list[Variant] = []
    pending: list[tuple[int, ...]] = [()]
    while pending and len(found) < MAX_VARIANTS:
        variant = Variant(pending.pop(0), style, shapes)
        probe(variant)
        found.append(variant)
        pending += variant.next_scripts()
    return found, not pending
