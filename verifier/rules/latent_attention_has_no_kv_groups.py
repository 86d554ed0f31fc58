"""Latent attention makes keys and values for every head: num_key_value_heads equals num_attention_heads.

Why: the latent is unfolded to all heads; a repeat factor of heads / kv_heads on top of that breaks the shapes.

Fix: num_key_value_heads = num_attention_heads, or delete it.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG014"
SEVERITY = Severity.ERROR
FIELDS = ("num_key_value_heads", "num_attention_heads")
GOOD = {"model_type": "deepseek_v3", "num_attention_heads": 4, "num_key_value_heads": 4}
BAD = {"model_type": "deepseek_v3", "num_attention_heads": 4, "num_key_value_heads": 2}


def check(v: View) -> Iterator[Finding]:
    heads, groups = v.size("num_attention_heads"), v.size("num_key_value_heads")
    if (
        v.size("kv_lora_rank") is None
        or heads is None
        or groups is None
        or heads == groups
        or not v.given("num_key_value_heads")
    ):
        return
    if "latent_attention" not in v.kernels and not v.is_generic:
        return
    h, g = v.name("num_attention_heads"), v.name("num_key_value_heads")
    yield finding(
        f"{g} = {groups} is not {h} = {heads}: the latent is unfolded to every head", [g, h], f"{g} = {heads}"
    )
