"""Attention kernels take head sizes that are multiples of 8, up to 256.

Why: FlashAttention pads or refuses other head sizes; a kernel that falls back to plain attention is several times
slower and keeps the scores in memory.

Fix: a head size that is a multiple of 8 (64, 80, 96, 128), or eager attention.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG024"
SEVERITY = Severity.WARNING
FIELDS = ("head_dim",)
GOOD = (
    {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16},
    {"attention": "flash_attention_2"},
)
BAD = (
    {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 20},
    {"attention": "flash_attention_2"},
)


def check(v: View) -> Iterator[Finding]:
    head = v.fact("head_dim")
    if head is None:
        return
    asked = v.context.attention or v.raw.get("attn_implementation") or v.raw.get("_attn_implementation") or ""
    flash = "flash" in str(asked)
    if head % 8 == 0 and head <= 256:
        return
    given = v.size("head_dim") is not None and v.was_read("head_dim")
    names = (
        [v.name("head_dim")]
        if given or v.model_type not in ("gpt2",)
        else [v.name("hidden_size"), v.name("num_attention_heads")]
    )
    if head % 8:
        message = f"the head size {head} is no multiple of 8: FlashAttention pads it or refuses"
        fix = f"{names[0]} = {max(head // 8, 1) * 8} or {(head // 8 + 1) * 8}, or eager attention"
    else:
        message = f"the head size {head} is above 256, the most that FlashAttention takes"
        fix = "a head size of at most 256, or eager attention"
    yield finding(message, names, fix, None if flash else Severity.INFO)
