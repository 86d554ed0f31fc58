"""GPT-J and CodeGen: attention beside feed-forward, `rotary_dim` channels of a head turned, a bias on the logits."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part
from .gpt2 import inner_size

MODEL_TYPES = ("gptj", "codegen")


def build(c: Config) -> Architecture:

    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("num_attention_heads"), inner=inner_size(c))

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.mlp.fc_in", f"{path}.mlp.fc_out", s.width, s.inner, count=count)]

    fused: dict[str, Any] = {"fused": "qkv_proj"} if c.model_type == "codegen" else {}
    return decoder(
        c,
        sizes=s,
        model="transformer",
        layers="h",
        tokens="wte",
        attn="attn",
        attention_names={"o": "out_proj", **fused},
        norm_kind="layer",
        norms=("ln_1",),
        final_norm="ln_f",
        feed_forward=make,
        head_bias=True,
        rotary="rotary_dim",
    )
