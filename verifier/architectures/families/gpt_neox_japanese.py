"""GPT-NeoX Japanese: one bias for the output projection, no biases elsewhere, a width in multiples."""

from __future__ import annotations

from ..blocks import bias_alone
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("gpt_neox_japanese",)


def build(c: Config) -> Architecture:
    width = c.size("hidden_size")
    inner = width * c.number("intermediate_multiple_size", 4)
    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("num_attention_heads"), inner=inner)
    a = decoder(
        c,
        sizes=s,
        model="gpt_neox_japanese",
        tokens="embed_in",
        attn="attention",
        attention_names={"fused": "query_key_value", "o": "dense"},
        norm_kind="layer",
        final_norm="final_layer_norm",
        feed_forward="plain",
        mlp_names=("dense_h_to_4h", "dense_4h_to_h"),
        rotary="partial",
        head_name="lm_head" if c.tied() else "embed_out",
    )
    # Only the last layer has it.
    a.add(bias_alone("gpt_neox_japanese.layers.*.attention.dense_bias", width, role="attention"))
    return a
