"""Normalisations and other gains of a channel each."""

from __future__ import annotations

from ..part import Bound, Part, Weight


def norm(
    name: str,
    width: Bound,
    kind: str = "rms",
    *,
    count: Bound = 1,
    tokens: Bound = "new",
    stage: str = "decoder",
    weight: str = "weight",
    bias: str = "bias",
    role: str = "norm",
) -> Part:
    """A norm saved under `name`: "rms" and "gain" have a weight, "layer" a bias too, "none" nothing.

    "scale" is a factor for each channel without a normalisation, saved under `weight`.
    """
    own = (Weight(f"{name}.{weight}" if weight else name, "d", ("gain",)),)
    sizes = {"n": tokens, "d": width}
    if kind == "scale":
        return Part(role, "scale_channels", sizes, own, count=count, stage=stage)
    if kind == "none":
        return Part(role, "rms_norm", sizes, (), count=count, stage=stage)
    if kind == "layer":
        weights = (*own, Weight(f"{name}.{bias}", "d", ("bias",)))
        return Part(role, "layer_norm", sizes, weights, frozenset({"bias"}), count=count, stage=stage)
    return Part(role, "layer_norm" if kind == "gain" else "rms_norm", sizes, own, count=count, stage=stage)
