"""An architecture in a line, and numbers that people can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import ModelConfig

UNITS = ("", "K", "M", "G", "T", "P", "E")


def short(number: int | None, unit: str = "", base: int = 1000) -> str:
    """A number with three digits and a letter.

    >>> short(1_235_814_400), short(32768, "B", 1024)
    ('1.24 G', '32 KiB')
    """
    if number is None:
        return "-"
    step, value = 0, number
    while abs(value) >= base and step < len(UNITS) - 1:
        value, step = value / base, step + 1
    text = f"{value:.3g}" if step else str(number)
    letter = UNITS[step] + ("i" if base == 1024 and step else "")
    return f"{text} {letter}{unit}".strip()


def headline(model: ModelConfig) -> str:
    """The architecture in a line: family, layers, heads, sizes."""
    a = model.architecture
    assert a is not None
    facts = a.facts
    heads = f"{facts.get('heads')} heads"
    if facts.get("kv_heads") != facts.get("heads"):
        heads += f" ({facts.get('kv_heads')} of keys and values)"
    known = f"{model.model_type or 'no model_type'}{' (guessed from generic fields)' if facts.get('generic') else ''}"
    if facts.get("heads") is None:
        return f"{known}: {facts.get('layers')} layers, width {facts.get('width')}, no attention"
    return f"{known}: {facts.get('layers')} layers, width {facts.get('width')}, {heads} of {facts.get('head_dim')}"
