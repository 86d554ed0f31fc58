"""Tensor parallelism gives every device the same number of heads.

Why: attention is split by heads: devices must divide the query heads. Key/value heads are split too, or each is
copied to several devices, which some engines do and some refuse.

Fix: a number of devices that divides the heads.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG021"
SEVERITY = Severity.ERROR
FIELDS = ("num_attention_heads", "num_key_value_heads")
REPLICATES = frozenset({"vllm", "sglang", "tensorrt-llm", "trtllm", "lmdeploy", "tgi"})
REFUSES = frozenset({"torchtitan", "megatron", "nemo", "transformers"})
GOOD = (
    {
        "model_type": "llama",
        "hidden_size": 320,
        "num_attention_heads": 40,
        "num_key_value_heads": 40,
        "intermediate_size": 128,
    },
    {"tensor_parallel": 4},
)
BAD = (
    {
        "model_type": "llama",
        "hidden_size": 320,
        "num_attention_heads": 40,
        "num_key_value_heads": 40,
        "intermediate_size": 128,
    },
    {"tensor_parallel": 6},
)


def check(v: View) -> Iterator[Finding]:
    devices = v.context.tensor_parallel
    if devices is None or devices < 2 or v.architecture is None:
        return
    heads, groups = v.fact("heads"), v.fact("kv_heads")
    h = head_field(v)
    fit = [d for d in range(1, min(heads or 1, 4096) + 1) if heads and heads % d == 0]
    if heads is not None and heads % devices:
        message = f"{h} = {heads} cannot be split over {devices} devices: "
        message += f"{heads} = {devices} * {heads // devices} + {heads % devices}"
        shared = [d for d in fit if not groups or groups % d == 0 or d % groups == 0]
        near = sorted(shared, key=lambda d: abs(d - devices))[:2]
        yield finding(message, [h], f"--tensor-parallel {' or '.join(map(str, sorted(near)))}")
        return
    encoder = v.fact("encoder_heads")
    if encoder is not None and encoder % devices:
        name = v.name("encoder_attention_heads")
        yield finding(f"{name} = {encoder} cannot be split over {devices} devices", [name], "fewer devices")
    if groups is None or heads is None or groups == heads or groups % devices == 0:
        return
    g = next((v.name(f) for f in ("num_key_value_heads", "num_kv_heads") if v.size(f) is not None), h)
    engine = (v.context.engine or "").lower()
    if devices % groups:
        message = f"{g} = {groups}: {devices} devices neither divide nor are a multiple of the key/value heads"
        yield finding(message, [g], f"--tensor-parallel {groups}, or a multiple of it")
    elif engine in REPLICATES:
        message = f"each of {groups} key/value heads is kept on {devices // groups} devices: {engine} copies them"
        yield finding(message, [g], "nothing to do; the cache takes that much more memory", Severity.INFO)
    else:
        severity = Severity.ERROR if engine in REFUSES else Severity.WARNING
        message = f"{g} = {groups} over {devices} devices: "
        message += f"torchtitan and Megatron refuse, vLLM keeps each head {devices // groups} times"
        yield finding(message, [g], f"--tensor-parallel {groups}, or an engine that copies key/value heads", severity)


def head_field(v: View) -> str:
    names = ("decoder_attention_heads", "num_heads", "num_attention_heads")
    return next((v.name(n) for n in names if v.was_read(n) and v.size(n) is not None), v.name("num_attention_heads"))
