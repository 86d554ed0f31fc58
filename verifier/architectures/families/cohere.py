"""Command R: one norm a layer without bias, attention and feed-forward side by side, tied embeddings."""

from __future__ import annotations

from typing import Any

from ..decoder import alternating, decoder, layer_windows
from ..fields import Config
from ..part import Architecture, Part, Weight

MODEL_TYPES = ("cohere", "cohere2")


def build(c: Config) -> Architecture:

    types = alternating(c, c.number("sliding_window_pattern", 4)) if c.model_type == "cohere2" else None
    seen = layer_windows(c, c.size("num_hidden_layers"), types)
    a = decoder(
        c, bias=c.flag("attention_bias"), norms=("input_layernorm",), norm_kind="gain", windows=seen, rotary="full"
    )
    if c.model_type == "cohere" and c.flag("use_qk_norm"):
        heads, kv, dim = a.facts["heads"], a.facts["kv_heads"], a.facts["head_dim"]
        for name, own in (("q_norm", heads), ("k_norm", kv)):
            a.add(head_norms(f"model.layers.*.self_attn.{name}.weight", own, dim, a.facts["layers"]))
    return a


def head_norms(name: str, heads: Any, head_dim: Any, layers: Any) -> Part:
    """A layer norm of its own gain for every head, saved as [heads, head_dim]."""
    sizes = {"n": "new", "d": heads * head_dim, "h": heads, "d_k": head_dim}
    return Part("norm", "layer_norm", sizes, (Weight(name, "h d_k", ("gain",)),), count=layers)
