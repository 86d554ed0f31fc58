"""Rotary embedding turns channels in pairs: their number is even, and no more than a head has.

Why: an odd channel has no partner; implementations raise, or turn one channel less than the checkpoint did. It is
the condition of the kernel `rotary_embedding`.

Fix: an even head size (or rotary part of it).
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG005"
SEVERITY = Severity.ERROR
FIELDS = ("head_dim", "rotary_dim", "qk_rope_head_dim")
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
}
BAD = {"model_type": "llama", "hidden_size": 520, "num_attention_heads": 8, "num_key_value_heads": 2}


def check(v: View) -> Iterator[Finding]:
    if v.architecture is None or not v.architecture.facts.get("rotary"):
        return
    head_dim = v.fact("head_dim")
    source, turned, fields = rotary_part(v, head_dim)
    if turned is None or head_dim is None:
        return
    if turned > head_dim and source != "head":
        message = f"{fields[0]} = {turned} is more than the {head_dim} channels of a head"
        yield finding(message, fields, f"{fields[0]} = {head_dim // 2 * 2} or less")
    elif turned < 1:
        yield finding(f"no channel of a head of {head_dim} is turned", fields, "a larger rotary part")
    elif turned % 2:
        message = f"{source_text(v, source, turned, head_dim)} is odd: rotary embedding turns channels in pairs"
        yield finding(message, fields, fix_for(v, source, turned, fields))


def rotary_part(v: View, head_dim: int | None) -> tuple[str, int | None, list[str]]:
    """Where the number of turned channels comes from, that number, and the fields behind it."""
    if v.architecture and v.architecture.facts.get("rotary") == "latent":
        return "latent", v.size("qk_rope_head_dim"), [v.name("qk_rope_head_dim")]
    if v.value("rotary_dim") is not None and v.was_read("num_attention_heads") and v.model_type in ("gptj", "codegen"):
        return "rotary_dim", v.size("rotary_dim"), [v.name("rotary_dim")]
    own = [v.name("head_dim")] if v.size("head_dim") is not None and v.was_read("head_dim") else []
    fields = own or [v.name("hidden_size"), v.name("num_attention_heads")]
    factor = partial_factor(v)
    if factor is not None and head_dim is not None and factor[1] != 1:
        return "factor", int(head_dim * factor[1]), [factor[0], *fields]
    return "head", head_dim, fields


def partial_factor(v: View) -> tuple[str, float] | None:
    """The part of a head that is turned, where a field says so."""
    for name in ("partial_rotary_factor", "rotary_pct", "rotary_percent"):
        value = v.value(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 1:
            return v.name(name), float(value)
    return None


def source_text(v: View, source: str, turned: int, head_dim: int) -> str:
    if source == "head" and not (v.size("head_dim") is not None and v.was_read("head_dim")):
        width, heads = v.size("hidden_size"), v.size("num_attention_heads")
        return f"the head size {turned} ({v.name('hidden_size')} {width} / {heads} heads)"
    if source == "factor":
        factor = partial_factor(v)
        assert factor is not None
        return f"{factor[1]} of a head of {head_dim}: {turned}"
    names = {"latent": "qk_rope_head_dim", "rotary_dim": "rotary_dim"}
    return f"{v.name(names.get(source, 'head_dim'))} = {turned}"


def fix_for(v: View, source: str, turned: int, fields: list[str]) -> str:
    if source == "head" and len(fields) == 2:
        heads = v.size("num_attention_heads") or 1
        return f"{fields[0]} = {heads * (turned - 1)} or {heads * (turned + 1)}, or an explicit even head_dim"
    return f"{fields[0]} = {turned - 1} or {turned + 1}" if source != "factor" else f"another {fields[0]}"
