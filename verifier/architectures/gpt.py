"""Decoders under GPT-2's names, with matrices saved [out, in], and under MosaicML's."""

from __future__ import annotations

from typing import Any

from .blocks import plain
from .decoder import FeedForward, Sizes, decoder
from .fields import Config
from .part import Architecture, Bound, Part

FUSED = {"fused": "c_attn", "o": "c_proj"}


def gpt(
    c: Config,
    s: Sizes,
    positions: Bound,
    *,
    attn: str = "attn",
    attention_names: dict[str, str] = FUSED,
    biases: bool = True,
    **departures: Any,
) -> Architecture:
    """GPT-2's tensor names: wte, wpe, h.*.ln_1, attn, ln_2, mlp.c_fc, mlp.c_proj, ln_f."""

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.mlp.c_fc", f"{path}.mlp.c_proj", s.width, s.inner, bias=biases, count=count)]

    return decoder(
        c,
        sizes=s,
        model="transformer",
        layers="h",
        tokens="wte",
        positions=("wpe", positions),
        attn=attn,
        attention_names=attention_names,
        norm_kind="layer" if biases else "gain",
        norms=("ln_1", "ln_2"),
        final_norm="ln_f",
        feed_forward=make,
        **departures,
    )


def mosaic(
    c: Config,
    s: Sizes,
    feed_forward: FeedForward,
    *,
    attn: str = "attn",
    norms: tuple[str, str] = ("norm_1", "norm_2"),
    rotary: str | None = None,
) -> Architecture:
    """MosaicML's tensor names: wte, blocks.*, Wqkv, out_proj, norm_f; norms with a gain alone."""
    return decoder(
        c,
        sizes=s,
        model="transformer",
        layers="blocks",
        tokens="wte",
        attn=attn,
        attention_names={"fused": "Wqkv", "o": "out_proj"},
        norm_kind="gain",
        norms=norms,
        final_norm="norm_f",
        feed_forward=feed_forward,
        rotary=rotary,
    )
