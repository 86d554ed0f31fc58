"""Feed-forward networks with two matrices, or with a gate and three."""

from __future__ import annotations

from ..part import Bound, Part, Weight

Biases = tuple[bool, bool]
"""Whether the first matrices and the last one have a bias."""


def gated(
    name: str,
    width: Bound,
    inner: Bound,
    *,
    gate: str = "gate_proj",
    up: str = "up_proj",
    down: str = "down_proj",
    fused: str | None = None,
    bias: bool = False,
    fused_last: bool = False,
    count: Bound = 1,
    runs: Bound | None = None,
    tokens: Bound = "new",
    stage: str = "decoder",
    role: str = "feed-forward",
) -> Part:
    """A gated network; `fused` names the tensor that holds gate and up together."""
    optional = frozenset({"b_gate", "b_up", "b_down"} if bias else ())
    weights: list[Weight] = []
    if fused:
        weights.append(Weight(f"{name}.{fused}.weight", "(2 d_ff) d_model", ("W_gate", "W_up")))
        if bias:
            weights.append(Weight(f"{name}.{fused}.bias", "(2 d_ff)", ("b_gate", "b_up")))
    else:
        for own, letter in ((gate, "gate"), (up, "up")):
            weights.append(Weight(f"{name}.{own}.weight", "d_ff d_model", (f"W_{letter}",)))
            if bias:
                weights.append(Weight(f"{name}.{own}.bias", "d_ff", (f"b_{letter}",)))
    weights.append(Weight(f"{name}.{down}.weight", "d_out d_ff", ("W_down",)))
    if bias:
        weights.append(Weight(f"{name}.{down}.bias", "d_out", ("b_down",)))
    sizes = {"n": tokens, "d_model": width, "d_ff": inner, "d_out": width}
    return Part(role, "gated_feed_forward", sizes, tuple(weights), optional, count=count, runs=runs, stage=stage)


def plain(
    first: str,
    second: str,
    width: Bound,
    inner: Bound,
    *,
    bias: bool | Biases = True,
    transposed: bool = False,
    out: Bound | None = None,
    count: Bound = 1,
    runs: Bound | None = None,
    tokens: Bound = "new",
    stage: str = "decoder",
    per_sequence: bool = True,
    gradient: bool = True,
    role: str = "feed-forward",
) -> Part:
    """A network of two matrices saved under `first` and `second`; `transposed` is GPT-2's [in, out]."""
    with_first, with_second = (bias, bias) if isinstance(bias, bool) else bias
    weights = [Weight(f"{first}.weight", "d_model d_ff" if transposed else "d_ff d_model", ("W_in",))]
    if with_first:
        weights.append(Weight(f"{first}.bias", "d_ff", ("b_in",)))
    weights.append(Weight(f"{second}.weight", "d_ff d_out" if transposed else "d_out d_ff", ("W_out",)))
    if with_second:
        weights.append(Weight(f"{second}.bias", "d_out", ("b_out",)))
    optional = frozenset(n for n, there in (("b_in", with_first), ("b_out", with_second)) if there)
    sizes = {"n": tokens, "d_model": width, "d_ff": inner, "d_out": width if out is None else out}
    return Part(
        role,
        "feed_forward",
        sizes,
        tuple(weights),
        optional,
        count=count,
        runs=runs,
        stage=stage,
        per_sequence=per_sequence,
        gradient=gradient,
    )
