"""A layer interval is at least 1.

Why: layers are picked by index % step: a step of 0 divides by zero.

Fix: a step of 1 or more.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG011"
SEVERITY = Severity.ERROR
FIELDS = ("decoder_sparse_step",)
GOOD = {"model_type": "qwen3_moe", "decoder_sparse_step": 1}
STEPS = (
    "decoder_sparse_step",
    "sliding_window_pattern",
    "global_attn_every_n_layers",
    "no_rope_layer_interval",
    "interleave_moe_layer_step",
    "moe_layer_interval",
    "expert_layer_period",
    "attn_layer_period",
    "encoder_sparse_step",
    "moe_layer_frequency",
    "full_attention_interval",
)
BAD = {"model_type": "qwen3_moe", "decoder_sparse_step": 0}


def check(v: View) -> Iterator[Finding]:
    for field in STEPS:
        if field in v.raw:
            value = v.raw[field]
            if (
                type(value) is int
                and value < 1
                and not (field == "no_rope_layer_interval" and "no_rope_layers" in v.raw)
            ):
                name = v.config.prefix + field
                yield finding(f"{name} = {value}: layers are picked by index % {name}", [name], f"{name} = 1 or more")
    for name in ("attn_layer", "expert_layer"):
        period, offset = v.size(f"{name}_period"), v.value(f"{name}_offset")
        if period is None or type(offset) is not int or offset < period or not v.was_read(f"{name}_offset"):
            continue
        fields = [v.name(f"{name}_offset"), v.name(f"{name}_period")]
        message = f"{fields[0]} = {offset} is not below {fields[1]} = {period}: no layer would be picked"
        yield finding(message, fields, f"{fields[0]} between 0 and {period - 1}")
