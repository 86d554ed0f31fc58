"""Tensor parallelism gives every device the same part of the feed-forward width, and pads the vocabulary.

Why: the first matrix is split by columns and the last by rows: devices must divide the width between them.

Fix: a number of devices that divides the width, or a width that is a multiple of the devices.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG022"
SEVERITY = Severity.ERROR
FIELDS = ("intermediate_size", "vocab_size")
WIDTHS = (
    "intermediate_size",
    "moe_intermediate_size",
    "shared_expert_intermediate_size",
    "shared_intermediate_size",
    "d_ff",
    "n_inner",
    "encoder_ffn_dim",
    "decoder_ffn_dim",
    "ffn_hidden_size",
)
GOOD = (
    {"model_type": "llama", "intermediate_size": 128, "hidden_size": 64, "num_attention_heads": 4},
    {"tensor_parallel": 4},
)
BAD = (
    {"model_type": "llama", "intermediate_size": 130, "hidden_size": 64, "num_attention_heads": 4},
    {"tensor_parallel": 4},
)


def check(v: View) -> Iterator[Finding]:
    devices = v.context.tensor_parallel
    if devices is None or devices < 2 or v.architecture is None:
        return
    for field in WIDTHS:
        width = v.size(field)
        if width is None or not v.was_read(field) or width % devices == 0:
            continue
        name = v.name(field)
        up = -(-width // devices) * devices
        message = f"{name} = {width} cannot be split over {devices} devices: "
        message += f"{width} = {devices} * {width // devices} + {width % devices}"
        yield finding(message, [name], f"{name} = {up}, or devices that divide {width}")
    vocabulary = v.size("vocab_size")
    if vocabulary is not None and vocabulary % devices:
        name = v.name("vocab_size")
        message = f"{name} = {vocabulary} is no multiple of {devices} devices: engines pad it, those that do not refuse"
        fix = f"{name} = {-(-vocabulary // devices) * devices}"
        severity = Severity.ERROR if (v.context.engine or "").lower() in ("megatron", "nemo") else Severity.INFO
        yield finding(message, [name], fix, severity)
