"""StableLM: layer norms with a bias, one or two a layer, part of each head turned."""

from __future__ import annotations

from ..blocks import norm
from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("stablelm",)


def build(c: Config) -> Architecture:

    parallel = c.flag("use_parallel_residual")
    norms = ("input_layernorm",) if parallel else ("input_layernorm", "post_attention_layernorm")
    a = decoder(
        c,
        own_head_dim=False,
        bias=c.flag("use_qkv_bias"),
        bias_o=False,
        norm_kind="layer",
        norms=norms,
        rotary="partial",
    )
    if c.flag("qk_layernorm"):
        for name, heads in (("q_layernorm", a.facts["heads"]), ("k_layernorm", a.facts["kv_heads"])):
            a.add(
                norm(
                    f"model.layers.*.self_attn.{name}.norms.*",
                    a.facts["head_dim"],
                    "gain",
                    count=a.facts["layers"] * heads,
                )
            )
    return a
