"""Classes whose objects cannot be made for all counts at once, such as those that list their parameters by name.

That is known after the first of a class's methods, and every other one would find it out at the cost of a run.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from .variants import Variant

Choices = tuple[object, ...]
_known: WeakKeyDictionary[type, dict[Choices, str]] = WeakKeyDictionary()


def why_not(owner: type | None, variant: Variant) -> str | None:
    """What kept an object, made by these choices, from being made for all counts."""
    return None if owner is None else _known.get(owner, {}).get(_choices(variant))


def remember(owner: type | None, variant: Variant, why: str) -> None:
    """Takes down what kept an object of that class from being made for all counts."""
    if owner is not None:
        _known.setdefault(owner, {})[_choices(variant)] = why


def _choices(variant: Variant) -> Choices:
    """The choices that its constructor was asked for: arguments of the method itself have names of their own."""
    return (variant.style, *((name, taken) for name, _, taken in variant.asked if name.startswith("self")))
