"""DeepSeek's inference config: the arguments of its own model.py."""

from __future__ import annotations

from typing import Any

TITLE = "DeepSeek inference config"
KEYS = {"dim", "inter_dim", "n_layers", "kv_lora_rank"}
NAMES = {
    "vocab_size": "vocab_size",
    "dim": "hidden_size",
    "inter_dim": "intermediate_size",
    "moe_inter_dim": "moe_intermediate_size",
    "n_layers": "num_hidden_layers",
    "n_dense_layers": "first_k_dense_replace",
    "n_heads": "num_attention_heads",
    "n_routed_experts": "n_routed_experts",
    "n_shared_experts": "n_shared_experts",
    "n_activated_experts": "num_experts_per_tok",
    "n_expert_groups": "n_group",
    "n_limited_groups": "topk_group",
    "route_scale": "routed_scaling_factor",
    "q_lora_rank": "q_lora_rank",
    "kv_lora_rank": "kv_lora_rank",
    "qk_nope_head_dim": "qk_nope_head_dim",
    "qk_rope_head_dim": "qk_rope_head_dim",
    "v_head_dim": "v_head_dim",
}


def recognises(raw: dict[str, Any]) -> bool:
    return raw.keys() >= KEYS


def translate(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    third = raw.get("score_func") == "sigmoid"
    fields: dict[str, Any] = {
        "model_type": "deepseek_v3" if third else "deepseek_v2",
        "architectures": ["DeepseekV3ForCausalLM" if third else "DeepseekV2ForCausalLM"],
        "tie_word_embeddings": False,
        "num_key_value_heads": raw.get("n_heads"),
        **{theirs: raw[ours] for ours, theirs in NAMES.items() if ours in raw},
    }
    fields["router_bias_is_parameter"] = third
    notes = ["the router's correction bias is a parameter there and a buffer here"] if third else []
    if not fields.get("q_lora_rank"):
        fields["q_lora_rank"] = None
        notes.append("q_lora_rank 0 means that queries are not compressed")
    return fields, notes
