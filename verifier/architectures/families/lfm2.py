"""LFM2, dense and with experts: short causal convolutions in most layers, grouped-query attention in the others."""

from __future__ import annotations

from typing import Any

from ..blocks import experts, project
from ..decoder import Sizes, decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part
from ..state_space import convolution

MODEL_TYPES = ("lfm2", "lfm2_moe")


def build(c: Config) -> Architecture:
    routed = c.model_type == "lfm2_moe"
    s = sizes_of(c, own_head_dim=False, inner=c.size("intermediate_size") if routed else feed_forward_width(c))
    number = min(c.number("num_hidden_layers"), 100_000)
    kinds = c.list("layer_types")
    if kinds is None:
        full = c.list("full_attn_idxs")
        kinds = ["full_attention" if full is None or i in full else "conv" for i in range(number)]
    attending = sum(kind == "full_attention" for kind in kinds[:number])
    names = ("w1", "w3", "w2")
    convolving = number - attending

    def extra(a: Architecture, path: str, sizes: Sizes) -> None:
        if convolving:
            a.add(short_convolution(c, f"{path}.conv", sizes.width, convolving))

    def make(path: str, count: Any) -> list[Part]:
        e, k, inner = c.size("num_experts"), c.size("num_experts_per_tok"), c.size("moe_intermediate_size")
        return experts(f"{path}.feed_forward", s.width, inner, e, k, count=count)

    sparse = max(number - c.number("num_dense_layers", 0, least=0), 0) if routed else 0
    a = decoder(
        c,
        sizes=s,
        attention_names={"o": "out_proj"},
        qk_norm="head",
        qk_names=("q_layernorm", "k_layernorm"),
        norms=("operator_norm", "ffn_norm"),
        final_norm="embedding_norm",
        mlp="feed_forward",
        mlp_names=names,
        windows={None: s.layers if attending == number else attending},
        sparse=(sparse, make) if routed else None,
        extra=extra,
        rotary="full",
    )
    if routed and c.flag("use_expert_bias"):
        a.buffers = sparse * c.number("num_experts")
    return a


def feed_forward_width(c: Config) -> Any:
    """With `block_auto_adjust_ff_dim`, two thirds of the width written, times a factor, rounded up to a multiple."""
    inner = c.size("intermediate_size")
    if not c.flag("block_auto_adjust_ff_dim", True):
        return inner
    inner = 2 * inner // 3
    factor = c.get("block_ffn_dim_multiplier")
    if isinstance(factor, (int, float)) and factor != 1:
        inner = int(factor * (2 * c.number("intermediate_size") // 3))
    multiple = c.number("block_multiple_of", 256)
    return multiple * ((inner + multiple - 1) // multiple)


def short_convolution(c: Config, name: str, width: Any, layers: Any) -> list[Part]:
    """Gates before and after a depthwise convolution over the last few tokens."""
    bias = c.flag("conv_bias", False)
    window = c.size("conv_L_cache")
    return [
        convolution(f"{name}.conv", width, window, bias=bias, count=layers),
        project(f"{name}.in_proj", width, 3 * width, bias=bias, count=layers),
        project(f"{name}.out_proj", width, width, bias=bias, count=layers),
    ]
