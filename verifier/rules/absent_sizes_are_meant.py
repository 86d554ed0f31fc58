"""A size that the config leaves out is the family's default.

Why: defaults are those of one published model; a small config that leaves a size out gets the width, depth or
feed-forward of that model.

Fix: write every size out.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG036"
SEVERITY = Severity.INFO
FIELDS = ("hidden_size", "num_hidden_layers")
MAIN = (
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "intermediate_size",
    "vocab_size",
    "d_model",
    "d_ff",
    "encoder_layers",
    "decoder_layers",
    "head_dim",
    "num_local_experts",
    "num_experts",
    "n_routed_experts",
    "moe_intermediate_size",
)
GOOD = {"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4, "n_inner": None, "vocab_size": 9}
BAD = {"model_type": "llama", "hidden_size": 64}


def check(v: View) -> Iterator[Finding]:
    if v.architecture is None or v.is_generic:
        return
    taken = {v.name(f): v.value(f) for f in MAIN if v.was_read(f) and not v.given(f) and type(v.value(f)) is int}
    if taken:
        text = ", ".join(f"{name} = {value}" for name, value in taken.items())
        yield finding(f"left out, so the default of {v.model_type} is taken: {text}", list(taken), "write them out")
