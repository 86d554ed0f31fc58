"""Megatron-LM's arguments, as saved beside its checkpoints or on its command line."""

from __future__ import annotations

from typing import Any

TITLE = "Megatron-LM arguments"
KEYS = {"num_layers", "hidden_size", "num_attention_heads"}
OWN = {
    "ffn_hidden_size",
    "padded_vocab_size",
    "num_query_groups",
    "swiglu",
    "kv_channels",
    "make_vocab_size_divisible_by",
} | {"group_query_attention", "untie_embeddings_and_output_weights", "position_embedding_type"}


def recognises(raw: dict[str, Any]) -> bool:
    names = {k.replace("-", "_") for k in raw}
    return names >= KEYS and bool(names & OWN) and "num_hidden_layers" not in names


def translate(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    raw = {k.replace("-", "_"): v for k, v in raw.items()}
    width, heads = raw["hidden_size"], raw["num_attention_heads"]
    gated = bool(raw.get("swiglu"))
    grouped = raw.get("num_query_groups") if raw.get("group_query_attention", True) else None
    inner = raw.get("ffn_hidden_size")
    notes: list[str] = []
    if inner is None and type(width) is int:
        inner = 4 * width
        notes.append("ffn_hidden_size is absent: four times the width is taken")
    bias = bool(raw.get("add_bias_linear", not raw.get("disable_bias_linear", False)))
    fields: dict[str, Any] = {
        "model_type": "megatron",
        "hidden_size": width,
        "num_hidden_layers": raw["num_layers"],
        "num_attention_heads": heads,
        "num_key_value_heads": grouped or heads,
        "head_dim": raw.get("kv_channels"),
        "intermediate_size": inner,
        "vocab_size": raw.get("padded_vocab_size", raw.get("vocab_size")),
        "max_position_embeddings": raw.get("max_position_embeddings", raw.get("seq_length", 2048)),
        "gated": gated,
        "bias": bias,
        "qkv_bias": bias or bool(raw.get("add_qkv_bias")),
        "norm": "rms" if str(raw.get("normalization", "LayerNorm")).lower() == "rmsnorm" else "layer",
        "learned_positions": raw.get("position_embedding_type", "learned_absolute") == "learned_absolute",
        "tie_word_embeddings": not raw.get("untie_embeddings_and_output_weights", False),
    }
    return fields, notes
