"""Mistral's params.json: Meta's names with the feed-forward width and the experts written out."""

from __future__ import annotations

from typing import Any

TITLE = "Mistral params.json"
KEYS = {"dim", "n_layers", "n_heads", "hidden_dim"}


def recognises(raw: dict[str, Any]) -> bool:
    return raw.keys() >= KEYS


def translate(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    moe = raw.get("moe")
    experts = moe if isinstance(moe, dict) else None
    fields: dict[str, Any] = {
        "model_type": "mixtral" if experts else "mistral",
        "architectures": ["MixtralForCausalLM" if experts else "MistralForCausalLM"],
        "hidden_size": raw["dim"],
        "intermediate_size": raw["hidden_dim"],
        "num_hidden_layers": raw["n_layers"],
        "num_attention_heads": raw["n_heads"],
        "num_key_value_heads": raw.get("n_kv_heads") or raw["n_heads"],
        "head_dim": raw.get("head_dim"),
        "vocab_size": raw.get("vocab_size", 32000),
        "rms_norm_eps": raw.get("norm_eps", 1e-5),
        "rope_theta": raw.get("rope_theta", 10000.0),
        "sliding_window": raw.get("sliding_window"),
        "tie_word_embeddings": bool(raw.get("tied_embeddings", False)),
        "max_position_embeddings": raw.get("max_seq_len", raw.get("max_position_embeddings", 131072)),
    }
    if experts:
        fields["num_local_experts"] = experts.get("num_experts")
        fields["num_experts_per_tok"] = experts.get("num_experts_per_tok")
    return fields, []
