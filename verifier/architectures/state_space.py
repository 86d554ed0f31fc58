"""Layers that keep a state of fixed size in place of keys and values: Mamba, Mamba 2, gated delta networks.

What belongs here is the mixer of one layer; which layers have it is a family's business. FLOPs are those of the chunked
form over a whole sequence, and of one step of the recurrence while decoding, as transformers executes them.
"""

from __future__ import annotations

from typing import Any

from .blocks import norm, project
from .part import Architecture, Bound, Part, Weight


def convolution(
    name: str, channels: Bound, window: Bound, *, bias: bool, count: Bound, padding: int | None = None
) -> Part:
    """A depthwise convolution over the last tokens; its padding at the far end is worked too, and cut off."""
    weights = [Weight(f"{name}.weight", "d_model 1 w", ("W",))]
    if bias:
        weights.append(Weight(f"{name}.bias", "d_model", ("bias",)))
    more = padding if padding is not None else (window - 1 if type(window) is int else 0)
    sizes = {"n": f"new+{more}" if more else "new", "d_model": channels, "w": window}
    optional = frozenset({"bias"} if bias else ())
    return Part("convolution", "depthwise_window", sizes, tuple(weights), optional, count=count, stage="prefill")


def selective(
    name: str,
    width: Any,
    inner: Any,
    state: Any,
    rank: Any,
    window: Any,
    count: Bound,
    *,
    bias: bool,
    conv_bias: bool,
    norms: bool = False,
) -> list[Part]:
    """Mamba's mixer: a state of `state` numbers for each of `inner` channels."""
    read = (Weight(f"{name}.A_log", "d s", ("W_A",)), Weight(f"{name}.D", "d", ("W_D",)))
    parts = [
        Part("state space", "selective_state_step", {"n": "new", "d": inner, "s": state}, read, count=count),
        convolution(f"{name}.conv1d", inner, window, bias=conv_bias, count=count),
        project(f"{name}.in_proj", width, 2 * inner, bias=bias, count=count, role="state space"),
        project(f"{name}.x_proj", inner, rank + 2 * state, bias=False, count=count, role="state space"),
        project(f"{name}.dt_proj", rank, inner, count=count, role="state space"),
        project(f"{name}.out_proj", inner, width, bias=bias, count=count, role="state space"),
    ]
    if norms:
        spans = {"dt_layernorm": rank, "b_layernorm": state, "c_layernorm": state}
        parts += [norm(f"{name}.{own}", span, count=count) for own, span in spans.items()]
    return parts


def scalar_decay(
    name: str,
    width: Any,
    heads: Any,
    head_dim: Any,
    groups: Any,
    state: Any,
    window: Any,
    chunk: int,
    count: Bound,
    *,
    bias: bool,
    conv_bias: bool,
    gated_norm: bool = True,
    out_bias: bool | None = None,
) -> list[Part]:
    """Mamba 2's mixer: a state of `head_dim` by `state` numbers for each head, its decay one number a head."""
    inner = heads * head_dim
    mixed = inner + 2 * groups * state
    closing = bias if out_bias is None else out_bias
    read = (
        Weight(f"{name}.dt_bias", "h", ()),
        Weight(f"{name}.A_log", "h", ("W_A",)),
        Weight(f"{name}.D", "h", ("W_D",)),
    )
    sizes: dict[str, Bound] = {"h": heads, "p": head_dim, "s": state}
    chunks: dict[str, Bound] = {**sizes, "c": f"new/{chunk}", "l": chunk}
    parts = [
        Part("state space", "state_space_step", {**sizes, "n": "new"}, read, count=count, stage="step"),
        Part("state space", "state_space_chunks", chunks, count=count, stage="prefill"),
        convolution(f"{name}.conv1d", mixed, window, bias=conv_bias, count=count),
        project(f"{name}.in_proj", width, inner + mixed + heads, bias=bias, count=count, role="state space"),
        project(f"{name}.out_proj", inner, width, bias=closing, count=count, role="state space"),
    ]
    if gated_norm:
        parts.append(norm(f"{name}.norm", inner, count=count))
    return parts


def delta_rule(heads: Any, key_dim: Any, value_dim: Any, count: Bound, chunk: int = 64) -> list[Part]:
    """What a gated delta network does between its projections; a decoding step has no matrix product."""
    sizes: dict[str, Bound] = {"h": heads, "d_k": key_dim, "c": f"new/{chunk}", "l": chunk}
    return [
        Part("linear attention", "delta_rule_system", sizes, count=count, stage="prefill"),
        Part("linear attention", "delta_rule_chunks", {**sizes, "d_v": value_dim}, count=count, stage="prefill"),
    ]


def keeps(a: Architecture, elements: Any, layers: Any) -> None:
    """Notes that `layers` layers keep a state of that many elements, however long the sequence is."""
    a.facts["state_elements"] = a.facts.get("state_elements", 0) + elements * layers
