"""A size is a whole number of at least 1.

Why: a width of "64" in quotes, 0 key/value heads, 2.5 layers or 10^30 positions build no array; some checks pass on
0 (0 % n == 0).

Fix: write a plain positive integer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

from ..architectures.fields import SIZE_NAMES, limit_of
from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG001"
SEVERITY = Severity.ERROR
FIELDS = ("hidden_size", "num_hidden_layers")
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
}
COUNTS = SIZE_NAMES | frozenset(
    [
        "num_key_value_heads",
        "num_kv_heads",
        "encoder_attention_heads",
        "decoder_attention_heads",
        "intermediate_size",
        "encoder_ffn_dim",
        "decoder_ffn_dim",
        "d_ff",
        "d_kv",
        "vocab_size",
        "head_dim",
        "moe_intermediate_size",
        "num_experts",
        "num_local_experts",
        "n_routed_experts",
        "num_experts_per_tok",
        "kv_lora_rank",
        "qk_nope_head_dim",
        "qk_rope_head_dim",
        "v_head_dim",
        "max_position_embeddings",
        "n_positions",
        "patch_size",
        "image_size",
        "num_channels",
        "type_vocab_size",
        "embedding_size",
        "sliding_window",
    ]
)
NAMES = re.compile(r"(size|dim|heads|layers|positions|experts|rank|buckets|groups|channels|kernel|ratio)s?$")
MAY_BE_ZERO = frozenset(
    {"type_vocab_size", "num_experts", "num_local_experts", "n_routed_experts", "num_register_tokens"}
)
NULLABLE = frozenset(
    [
        "num_key_value_heads",
        "num_kv_heads",
        "head_dim",
        "sliding_window",
        "num_experts_per_tok",
        "q_lora_rank",
        "n_routed_experts",
        "num_experts",
        "num_local_experts",
        "intermediate_size",
        "n_inner",
        "kv_lora_rank",
        "type_vocab_size",
        "embedding_size",
    ]
)
MAY_BE_LIST = frozenset(
    {"image_size", "patch_size", "hidden_sizes", "conv_dim", "intermediate_size", "num_attention_heads"}
) | {"num_key_value_heads", "num_heads", "depths", "hidden_size", "sliding_window"}
MAY_BE_MINUS_ONE = frozenset({"max_relative_positions", "position_buckets", "sliding_window"})
BAD = {"model_type": "llama", "hidden_size": "64"}


def check(v: View) -> Iterator[Finding]:
    reported: set[str] = set()
    defaults = v.known.get("fields", {})
    dense = any(v.raw.get(key) == 0 for key in ("num_experts", "num_local_experts", "n_routed_experts"))
    for key, value in v.raw.items():
        default = defaults.get(v.config.aliases.get(key, key), defaults.get(key))
        if not is_size(key, default):
            continue
        name = v.config.prefix + key
        problem = fault(name, value, key, default, dense=dense)
        if problem:
            reported.add(name)
            yield finding(problem[0], [name], problem[1])
    problem = v.problem
    if problem is not None and problem.field not in reported:
        yield finding(problem.fact, [problem.field], problem.remedy or "give it a usable value")


def is_size(key: str, default: Any) -> bool:
    """Whether a field counts something that an array or a loop is made of."""
    if key in COUNTS:
        return True
    return type(default) is int and default > 0 and bool(NAMES.search(key)) and not key.endswith(("_id", "_index"))


def fault(name: str, value: Any, key: str, default: Any, *, dense: bool = False) -> tuple[str, str] | None:
    """What is wrong with a size, and what to write; None where nothing is."""
    least = 0 if key in MAY_BE_ZERO or (key == "num_experts_per_tok" and dense) else 1
    if value is None:
        if key in NULLABLE or default is None or key not in COUNTS:
            return None
        return f"{name} is null", f"{name} = {default}" if default else "give it a whole number"
    if isinstance(value, bool):
        return f"{name} = {str(value).lower()} is no number", f"{name} = a whole number"
    if isinstance(value, str):
        number = value.strip()
        text = f"{name} = {value!r} is text, not a number" if len(value) < 60 else f"{name} is text, not a number"
        return text, f"{name} = {number} without the quotes" if number.isdigit() else "write a plain integer"
    if isinstance(value, float):
        if not value.is_integer():
            near = round(value) or 1 if isfinite(value) else "a whole number"
            return f"{name} = {value} is no whole number", f"{name} = {near}"
        return None
    if not isinstance(value, int):
        if isinstance(value, list) and (key in MAY_BE_LIST or default is None or isinstance(default, list)):
            return None
        return f"{name} is a {type(value).__name__}, not a number", "write a plain integer"
    if value < least:
        if value == -1 and key in MAY_BE_MINUS_ONE:
            return None
        return f"{name} = {value} is below {least}", f"{name} = {least} or more"
    if value > limit_of(key):
        digits = len(str(value))
        return f"{name} has {digits} digits: no model is so large", "check it for a slip of the keyboard"
    return None
