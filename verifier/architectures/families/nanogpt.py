"""nanoGPT: GPT-2's layout with matrices saved [out, in], and one flag for every bias and norm bias."""

from __future__ import annotations

from ..decoder import sizes_of
from ..fields import Config
from ..gpt import gpt
from ..part import Architecture

MODEL_TYPES = ("nanogpt",)


def build(c: Config) -> Architecture:
    bias = c.flag("bias", True)
    width = c.size("n_embd")
    c.aliases = {
        "hidden_size": "n_embd",
        "num_hidden_layers": "n_layer",
        "num_attention_heads": "n_head",
        "max_position_embeddings": "n_positions",
    }
    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("n_head"), inner=4 * width)
    return gpt(c, s, c.size("n_positions"), biases=bias, bias=bias, tied=True)
