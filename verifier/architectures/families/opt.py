"""OPT: BART's names, learned positions two rows longer, an embedding that may be narrower than the layers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..blocks import plain, project
from ..decoder import decoder, ending, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("opt",)


def build(c: Config) -> Architecture:
    width = c.size("hidden_size")
    inner = c.size("ffn_dim")
    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("num_attention_heads"), inner=inner)
    bias = c.flag("enable_bias", True)
    narrow = c.number("word_embed_proj_dim", c.number("hidden_size"))
    differs = narrow != c.number("hidden_size")
    span = c.size("word_embed_proj_dim") if differs else width
    kind = "layer" if c.flag("layer_norm_elementwise_affine", True) else "none"
    final = c.flag("do_layer_norm_before", True) and not c.flag("_remove_final_layer_norm", False)

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.fc1", f"{path}.fc2", s.width, s.inner, bias=bias, count=count)]

    bare = ending(c) == "base"
    a = decoder(
        c,
        sizes=s,
        model="model.decoder",
        positions=("embed_positions", c.size("max_position_embeddings") + 2),
        embedding_width=span,
        attention_names={"o": "out_proj"},
        bias=bias,
        norm_kind=kind,
        norms=("self_attn_layer_norm", "final_layer_norm"),
        final_norm="final_layer_norm" if final else None,
        feed_forward=make,
    )
    base = "decoder" if bare else "model.decoder"
    if bare:
        a.parts = [replace(p, weights=tuple(replace(w, name=f"decoder.{w.name}") for w in p.weights)) for p in a.parts]
    if differs:
        a.add(project(f"{base}.project_in", span, width, bias=False))
        a.add(project(f"{base}.project_out", width, span, bias=False))
    return a
