"""A scaling of the rotary embedding is of a known type and has what that type needs.

Why: each type reads its own keys: a missing one is a KeyError in one library and a guess in another; longrope has
one factor for each pair of channels.

Fix: the keys that the type needs; delete rope_scaling where the context is not stretched.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG015"
SEVERITY = Severity.ERROR
FIELDS = ("rope_scaling.rope_type", "rope_scaling.factor")
NEEDS: dict[str, tuple[str, ...]] = {
    "default": (),
    "linear": ("factor",),
    "dynamic": ("factor",),
    "ntk": ("factor",),
    "yarn": ("factor", "original_max_position_embeddings"),
    "longrope": ("short_factor", "long_factor", "original_max_position_embeddings"),
    "su": ("short_factor", "long_factor", "original_max_position_embeddings"),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"),
    "mrope": (),
    "proportional": (),
    "axial": (),
    "deepseek_yarn": ("factor", "original_max_position_embeddings"),
    "xdrope": (),
}
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "rope_scaling": {"rope_type": "linear", "factor": 2.0},
}
BAD = {"model_type": "llama", "rope_scaling": {"rope_type": "su-linear", "factor": 2.0}}


def check(v: View) -> Iterator[Finding]:
    if v.model_type in ("gptj", "codegen", "roformer"):
        return  # these turn channels their own way and read no scaling
    for place, scaling in scalings(v):
        kind = scaling.get("rope_type", scaling.get("type"))
        word = "rope_type" if "rope_type" in scaling or "type" not in scaling else "type"
        if kind is None:
            if scaling.keys() - {"rope_theta", "partial_rotary_factor"}:
                yield finding(f"{place} has no rope_type", [f"{place}.rope_type"], f"one of {', '.join(sorted(NEEDS))}")
            continue
        if not isinstance(kind, str) or kind not in NEEDS:
            near = get_close_matches(str(kind), NEEDS, 1, 0.5)
            fix = f"{place}.{word} = {near[0]!r}" if near else f"one of {', '.join(sorted(NEEDS))}"
            yield finding(f"{place}.{word} = {str(kind)!r:.60} is no known scaling", [f"{place}.{word}"], fix)
            continue
        if "type" in scaling and "rope_type" in scaling and scaling["type"] != scaling["rope_type"]:
            names = [f"{place}.type", f"{place}.rope_type"]
            message = f"{names[0]} = {scaling['type']!r} and {names[1]} = {scaling['rope_type']!r}: "
            message += "libraries differ in which they read"
            yield finding(message, names, f"delete {names[0]}", Severity.WARNING)
        yield from missing(v, place, kind, scaling)
        yield from numbers(v, place, kind, scaling)


def scalings(v: View) -> Iterator[tuple[str, dict[str, Any]]]:
    """The scalings of a config: one, or one for each kind of layer."""
    for field in ("rope_scaling", "rope_parameters"):
        value = v.raw.get(field)
        name = v.config.prefix + field
        if isinstance(value, dict):
            inner = {k: x for k, x in value.items() if isinstance(x, dict)}
            if inner and not any(k in value for k in ("rope_type", "type")):
                yield from ((f"{name}.{k}", x) for k, x in inner.items())
            elif value:
                yield name, value
        elif value is not None:
            yield name, {"rope_type": value}


def missing(v: View, place: str, kind: str, scaling: dict[str, Any]) -> Iterator[Finding]:
    for key in NEEDS[kind]:
        if key in scaling and scaling[key] is not None:
            continue
        if key == "factor" and kind == "longrope":
            continue
        softly = key == "original_max_position_embeddings"
        if softly and v.value(key) is not None and key in v.raw:
            continue
        if softly and kind == "longrope":
            continue
        severity = Severity.WARNING if softly else None
        effect = ": tools differ (an error, or a guess)" if softly else ""
        fix = f"{place}.{key} = the length that the model was trained at" if softly else f"give {place}.{key}"
        yield finding(f"{kind} scaling without {key}{effect}", [f"{place}.{key}"], fix, severity)


def numbers(v: View, place: str, kind: str, scaling: dict[str, Any]) -> Iterator[Finding]:
    factor = scaling.get("factor")
    if factor is not None and (isinstance(factor, bool) or not isinstance(factor, (int, float))):
        yield finding(f"{place}.factor = {factor!r} is no number", [f"{place}.factor"], f"{place}.factor = 2.0, say")
    elif isinstance(factor, (int, float)) and kind != "default" and factor < 1:
        message = f"{place}.factor = {factor} is below 1: it would shrink the context"
        yield finding(message, [f"{place}.factor"], "the new length over the old one")
    low, high = scaling.get("low_freq_factor"), scaling.get("high_freq_factor")
    if kind == "llama3" and isinstance(low, (int, float)) and isinstance(high, (int, float)) and high <= low:
        names = [f"{place}.low_freq_factor", f"{place}.high_freq_factor"]
        yield finding(
            f"{names[1]} = {high} is not above {names[0]} = {low}", names, "low 1.0 and high 4.0, as in Llama 3.1"
        )
    original, longest = scaling.get("original_max_position_embeddings"), v.size("max_position_embeddings")
    if type(original) is int and longest is not None and original > longest and v.given("max_position_embeddings"):
        names = [f"{place}.original_max_position_embeddings", v.name("max_position_embeddings")]
        message = f"{names[0]} = {original} is more than {names[1]} = {longest}"
        yield finding(message, names, "the length before the stretching is the shorter one", Severity.WARNING)
    if kind == "longrope":
        yield from factor_lists(v, place, scaling)


def factor_lists(v: View, place: str, scaling: dict[str, Any]) -> Iterator[Finding]:
    head = v.fact("head_dim")
    if head is None:
        return
    part = scaling.get("partial_rotary_factor", v.value("partial_rotary_factor"))
    turned = int(head * part) if isinstance(part, (int, float)) and not isinstance(part, bool) else head
    wrong = {
        f"{place}.{key}": len(scaling[key])
        for key in ("short_factor", "long_factor")
        if isinstance(scaling.get(key), list) and len(scaling[key]) != turned // 2
    }
    if wrong:
        names = ", ".join(f"{name} has {length} entries" for name, length in wrong.items())
        message = f"{names}; {turned} rotary channels are {turned // 2} pairs"
        yield finding(message, list(wrong), f"{turned // 2} factors each")
