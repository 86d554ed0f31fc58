"""Bamba and Falcon-H1: Mamba 2 in place of attention in most layers, or beside it in every one."""

from __future__ import annotations

from typing import Any

from ..decoder import Sizes, decoder, sizes_of
from ..fields import Config, FieldError
from ..part import Architecture
from ..state_space import keeps, scalar_decay

MODEL_TYPES = ("bamba", "falcon_h1")


def build(c: Config) -> Architecture:
    s = sizes_of(c, own_head_dim=False)
    number = c.number("num_hidden_layers")
    beside = c.model_type == "falcon_h1"
    chosen = c.list("attn_layer_indices") or []
    attending = number if beside else sum(1 for i in range(number) if i in chosen)

    def extra(a: Architecture, path: str, s: Sizes) -> None:
        mixer(a, c, f"{path}.mamba", s.width, number if beside else number - attending)

    return decoder(
        c,
        sizes=s,
        bias=c.flag("attention_bias", False),
        mlp_bias=c.flag("mlp_bias", False),
        windows={None: attending},
        mlp="feed_forward",
        norms=("input_layernorm", "pre_ff_layernorm"),
        final_norm="final_layernorm",
        extra=extra,
        rotary="full" if beside else "partial",
    )


def mixer(a: Architecture, c: Config, name: str, width: Any, count: int) -> None:
    """The Mamba 2 mixer under the names of hybrid models: `mamba_n_heads`, `mamba_d_head`, ..."""
    if not count:
        return
    heads, groups, state = c.size("mamba_n_heads"), c.size("mamba_n_groups"), c.size("mamba_d_state")
    window, chunk = c.size("mamba_d_conv"), c.number("mamba_chunk_size")
    falcon = c.model_type == "falcon_h1"
    given = falcon and c.get("mamba_d_ssm") is not None
    inner: Any = c.size("mamba_d_ssm") if given else c.size("mamba_expand") * width
    dim: Any = inner // heads if c.get("mamba_d_head") == "auto" else c.size("mamba_d_head")
    if type(dim) is int and type(inner) is int and dim * heads != inner:
        field = c.written("mamba_n_heads")
        fact = f"{field} * mamba_d_head = {heads} * {dim} is not the width {inner} of the state space"
        raise FieldError(field, fact, remedy="mamba_expand * hidden_size = mamba_n_heads * mamba_d_head")
    parts = scalar_decay(
        name,
        width,
        heads,
        dim,
        groups,
        state,
        window,
        chunk,
        count,
        bias=c.flag("mamba_proj_bias", False),
        conv_bias=c.flag("mamba_conv_bias", True),
        gated_norm=c.flag("mamba_rms_norm") if falcon else True,
        out_bias=c.flag("projectors_bias", False) if falcon else None,
    )
    a.add(parts)
    keeps(a, heads * dim * state + (heads * dim + 2 * groups * state) * window, count)
