"""Every key/value head serves the same number of query heads.

Why: grouped-query attention repeats each key/value head heads / kv_heads times. It is the condition of the kernel
`grouped_query_attention`: where it fails, the kernel raises.

Fix: a number of key/value heads that divides the heads; 1 and the heads themselves always do.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..architectures.counting import broken_conditions
from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG004"
SEVERITY = Severity.ERROR
FIELDS = ("num_attention_heads", "num_key_value_heads")
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
}
BAD = {"model_type": "llama", "hidden_size": 224, "num_attention_heads": 7, "num_key_value_heads": 2}


def check(v: View) -> Iterator[Finding]:
    if v.size("kv_lora_rank") is not None or (
        v.model_type in ("jetmoe", "falcon") and not v.value("new_decoder_architecture")
    ):
        return
    heads = v.size("num_attention_heads")
    field = next((f for f in ("num_key_value_heads", "num_kv_heads") if v.size(f) is not None), None)
    if heads is None or field is None or (v.fact("kv_heads") is None and not v.given(field)):
        return
    groups = v.size(field)
    sizes = {"h": heads, "g": groups or 1, "n": 1, "t": 1, "d_k": 1, "d_v": 1, "d_model": 1, "d_out": 1}
    if not broken_conditions("grouped_query_attention", sizes):
        return
    h, g = v.name("num_attention_heads"), v.name(field)
    near = [d for d in range(1, min(heads, 4096) + 1) if heads % d == 0]
    best = min(near, key=lambda d: abs(d - (groups or 1)))
    where = "" if v.given(field) else f" ({g} is absent: {groups} is the default)"
    message = f"{g} = {groups} does not divide {h} = {heads}: "
    message += f"{heads} = {groups} * {heads // (groups or 1)} + {heads % (groups or 1)}"
    yield finding(message + where, [h, g], f"{g} = {best}, or {h} = a multiple of {groups}")
