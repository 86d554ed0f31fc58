"""Grouped matrix products of experts want rows of a multiple of 16 bytes.

Why: torch's grouped matmul, the default path for experts, refuses a row that is not: hidden_size * bytes an element
must be a multiple of 16, and so must the experts' inner width.

Fix: a width that is a multiple of 8 (in 16 bits; 4 in 32).
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG025"
SEVERITY = Severity.WARNING
FIELDS = ("hidden_size",)
GOOD = {"model_type": "mixtral", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2}
BAD = {"model_type": "mixtral", "hidden_size": 66, "num_attention_heads": 3, "num_key_value_heads": 1}


def check(v: View) -> Iterator[Finding]:
    part = next((p for p in v.architecture.parts if p.kernel == "routed_experts"), None) if v.architecture else None
    if part is None:
        return
    dtype = str(v.context.dtype or v.raw.get("dtype") or v.raw.get("torch_dtype") or "float32")
    size = 2 if dtype.replace("torch.", "") in ("bfloat16", "float16", "bf16", "fp16", "half") else 4
    for symbol, field in (("d_model", "hidden_size"), ("d_ff", inner_field(v))):
        width = part.sizes.get(symbol)
        if type(width) is int and width * size % 16:
            step = 16 // size
            message = f"{v.name(field)} = {width} is {width * size} bytes a row in {dtype}, no multiple of 16: "
            message += "grouped matmul refuses it"
            yield finding(message, [v.name(field)], f"{v.name(field)} = {-(-width // step) * step}")


def inner_field(v: View) -> str:
    return "moe_intermediate_size" if v.was_read("moe_intermediate_size") else "intermediate_size"
