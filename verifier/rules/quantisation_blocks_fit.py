"""Every device's part of a matrix is whole in blocks or groups of the quantisation.

Why: a scale belongs to a block (fp8: 128 by 128) or a group of input channels (GPTQ, AWQ: 128). A part that ends
inside one has no scale of its own; kernels refuse it.

Fix: fewer devices, a smaller group, or a width that is a multiple of devices times the block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd
from typing import Any

from .finding import Finding, Severity, finding
from .tensor_parallelism_splits_widths import WIDTHS
from .view import View

CODE = "CFG023"
SEVERITY = Severity.ERROR
FIELDS = ("intermediate_size", "quantization_config.weight_block_size", "quantization_config.group_size")
GOOD = (
    {
        "model_type": "qwen2",
        "hidden_size": 128,
        "intermediate_size": 1024,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
    },
    {"tensor_parallel": 2, "quantization": {"quant_method": "gptq", "bits": 4, "group_size": 128}},
)
BAD = (
    {
        "model_type": "qwen2",
        "hidden_size": 128,
        "intermediate_size": 13696,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
    },
    {"tensor_parallel": 2, "quantization": {"quant_method": "gptq", "bits": 4, "group_size": 128}},
)


def check(v: View) -> Iterator[Finding]:
    settings = v.context.quantization or v.raw.get("quantization_config")
    if not isinstance(settings, Mapping) or v.architecture is None:
        return
    block, key = block_of(settings)
    if block is None:
        return
    devices = max(v.context.tensor_parallel or 1, 1)
    hidden = v.size("hidden_size")
    if key == "group_size" and hidden is not None and v.was_read("hidden_size") and hidden % block:
        names = [v.name("hidden_size"), "quantization_config.group_size"]
        message = f"{names[0]} = {hidden} is no multiple of the group of {block}"
        yield finding(message, names, f"a group of {gcd(hidden, block)}, or {names[0]} = {-(-hidden // block) * block}")
    unit = "block" if key == "weight_block_size" else "group"
    for field in WIDTHS:
        width = v.size(field)
        if width is None or not v.was_read(field) or width % devices or not is_used(v, field):
            continue
        part = width // devices
        if part % block == 0:
            continue
        name, setting = v.name(field), f"quantization_config.{key}"
        if width % block:
            message = f"{name} = {width} is no multiple of the {unit} of {block}"
        elif devices > 1:
            message = f"{name} = {width} / {devices} devices = {part} is no multiple of the {unit} of {block}"
            message += f" ({width} is {width // block} {unit}s)"
        else:
            continue
        step = block * devices
        fix = f"{name} = {-(-width // step) * step}, fewer devices, or a {unit} of {gcd(part, block)}"
        yield finding(message, [name, setting], fix)


def block_of(settings: Mapping[str, Any]) -> tuple[int | None, str]:
    """Channels that share a scale, and the key that says so."""
    block = settings.get("weight_block_size")
    if isinstance(block, (list, tuple)) and block and all(type(b) is int and b > 0 for b in block):
        return max(block), "weight_block_size"
    group = settings.get("group_size", settings.get("q_group_size"))
    if type(group) is int and group > 0:
        return group, "group_size"
    return None, ""


def is_used(v: View, field: str) -> bool:
    """Whether any layer has a matrix of that width: a mixture of experts may have no dense layer."""
    if v.architecture is None:
        return False
    width = v.size(field)
    widths = {p.sizes.get("d_ff") for p in v.architecture.parts}
    return width in widths
