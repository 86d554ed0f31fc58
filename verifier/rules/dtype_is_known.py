"""The element type is one that torch has.

Why: the name is looked up in torch: "bf16" or "fp16" is a short form of other tools, and raises when the model is
loaded.

Fix: float32, float16 or bfloat16.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG043"
SEVERITY = Severity.ERROR
FIELDS = ("torch_dtype",)
KNOWN = frozenset(
    [
        "auto",
        "float64",
        "double",
        "float32",
        "float",
        "float16",
        "half",
        "bfloat16",
        "float8_e4m3fn",
        "float8_e5m2",
        "float8_e4m3fnuz",
        "float8_e5m2fnuz",
        "int8",
        "uint8",
        "int16",
        "int32",
        "int64",
        "bool",
        "complex64",
    ]
)
SHORT = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32", "f32": "float32", "f16": "float16"}
GOOD = {"model_type": "llama", "torch_dtype": "bfloat16"}
BAD = {"model_type": "llama", "torch_dtype": "bf16"}


def check(v: View) -> Iterator[Finding]:
    for field in ("torch_dtype", "dtype"):
        value = v.raw.get(field)
        if value is None or (isinstance(value, str) and value.removeprefix("torch.") in KNOWN):
            continue
        name = v.config.prefix + field
        meant = SHORT.get(str(value).lower(), "bfloat16")
        yield finding(f"{name} = {str(value)!r:.40} is no element type of torch", [name], f"{name} = {meant!r}")
