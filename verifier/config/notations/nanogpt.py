"""nanoGPT's GPTConfig: GPT-2 whose biases can be left out together."""

from __future__ import annotations

from typing import Any

TITLE = "nanoGPT GPTConfig"
KEYS = {"block_size", "n_layer", "n_head", "n_embd"}


def recognises(raw: dict[str, Any]) -> bool:
    return raw.keys() >= KEYS


def translate(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    fields = {
        "model_type": "nanogpt",
        "architectures": ["GPTLMHeadModel"],
        "vocab_size": raw.get("vocab_size", 50304),
        "n_positions": raw["block_size"],
        "n_embd": raw["n_embd"],
        "n_head": raw["n_head"],
        "n_layer": raw["n_layer"],
        "bias": raw.get("bias", True),
        "tie_word_embeddings": True,
    }
    return fields, []
