"""OpenAI's hparams.json of GPT-2."""

from __future__ import annotations

from typing import Any

TITLE = "OpenAI hparams.json"
KEYS = {"n_vocab", "n_ctx", "n_embd", "n_head", "n_layer"}


def recognises(raw: dict[str, Any]) -> bool:
    return raw.keys() >= KEYS


def translate(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    fields = {
        "model_type": "gpt2",
        "architectures": ["GPT2LMHeadModel"],
        "vocab_size": raw["n_vocab"],
        "n_positions": raw["n_ctx"],
        "n_embd": raw["n_embd"],
        "n_head": raw["n_head"],
        "n_layer": raw["n_layer"],
    }
    return fields, []
