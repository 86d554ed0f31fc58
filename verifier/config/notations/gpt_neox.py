"""GPT-NeoX's YAML arguments, written as JSON: names with hyphens."""

from __future__ import annotations

from typing import Any

TITLE = "GPT-NeoX arguments"
KEYS = {"num_layers", "hidden_size", "num_attention_heads"}
OWN = {"pos_emb", "rotary_pct", "no_weight_tying", "gpt_j_residual", "output_layer_parallelism", "norm"}


def recognises(raw: dict[str, Any]) -> bool:
    names = {k.replace("-", "_") for k in raw}
    return names >= KEYS and len(names & OWN) >= 2


def translate(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    raw = {k.replace("-", "_"): v for k, v in raw.items()}
    width = raw["hidden_size"]
    fields: dict[str, Any] = {
        "model_type": "gpt_neox",
        "architectures": ["GPTNeoXForCausalLM"],
        "hidden_size": width,
        "num_hidden_layers": raw["num_layers"],
        "num_attention_heads": raw["num_attention_heads"],
        "intermediate_size": raw.get("intermediate_size") or (4 * width if type(width) is int else None),
        "vocab_size": raw.get("padded_vocab_size", raw.get("vocab_size", 50432)),
        "max_position_embeddings": raw.get("max_position_embeddings", raw.get("seq_length", 2048)),
        "rotary_pct": raw.get("rotary_pct", 1.0),
        "tie_word_embeddings": not raw.get("no_weight_tying", False),
    }
    notes = [] if "vocab_size" in raw or "padded_vocab_size" in raw else ["no vocabulary is given: 50432 is taken"]
    return fields, notes
