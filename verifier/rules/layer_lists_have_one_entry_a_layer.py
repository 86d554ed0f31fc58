"""A list with an entry for each layer has as many entries as there are layers.

Why: a list that is too short fails at the first layer without an entry; one too long was written for another depth,
and which layers it means is anybody's guess.

Fix: make the list as long as num_hidden_layers, or delete it where the family can derive it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG007"
SEVERITY = Severity.ERROR
FIELDS = ("layer_types", "num_hidden_layers")
GOOD = {"model_type": "qwen3", "num_hidden_layers": 2, "layer_types": ["full_attention", "full_attention"]}
LISTS = frozenset(
    [
        "layer_types",
        "mlp_layer_types",
        "layers_block_type",
        "no_rope_layers",
        "attention_layers",
        "moe_layers_pattern",
        "hybrid_override_pattern",
        "attn_type_list",
        "block_types",
        "layer_block_types",
        "ffn_layer_types",
        "num_key_value_heads",
        "intermediate_size",
        "num_attention_heads",
        "activation_sparsity_pattern",
        "attention_window",
    ]
)
KINDS = frozenset(
    [
        "full_attention",
        "sliding_attention",
        "chunked_attention",
        "linear_attention",
        "attention",
        "conv",
        "mamba",
        "sparse",
        "dense",
        "hybrid",
        "moe",
        "recurrent",
        "lightning_attention",
        "compressed_sparse_attention",
        "heavily_compressed_attention",
        "full_attention_mamba",
        "minimax_m2",
        "swa",
        "hybrid_attention",
    ]
)
BAD = {"model_type": "qwen3", "num_hidden_layers": 2, "layer_types": ["full_attention"]}


def check(v: View) -> Iterator[Finding]:
    layers = v.size("num_hidden_layers")
    if layers is None:
        return
    depth = v.name("num_hidden_layers")
    for key, value in v.raw.items():
        name = v.config.prefix + key
        if key == "attention_types" and isinstance(value, list):
            length = expanded(value)
            if length is not None and length != layers:
                message = f"{name} spells out {length} layers, {depth} is {layers}"
                yield finding(message, [name, depth], f"repeat the pattern until it gives {layers}")
        elif isinstance(value, list) and key in LISTS:
            if len(value) != layers:
                message = f"{name} has {len(value)} entries for {layers} layers"
                way = "add" if len(value) < layers else "drop"
                fix = f"{way} {abs(layers - len(value))}, or {depth} = {len(value)}"
                yield finding(message, [name, depth], fix)
            unknown = sorted({str(x) for x in value if isinstance(x, str)} - KINDS) if key == "layer_types" else []
            if unknown:
                yield finding(
                    f"{name} has the unknown kind {unknown[0]!r}", [name], f"one of {', '.join(sorted(KINDS))}"
                )


def expanded(types: list[Any]) -> int | None:
    """How many layers GPT-Neo's [[[kinds], repeats], ...] stands for."""
    total = 0
    for item in types:
        if not (isinstance(item, list) and len(item) == 2 and isinstance(item[0], list) and type(item[1]) is int):
            return None
        total += len(item[0]) * item[1]
    return total
