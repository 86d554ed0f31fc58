"""Mixtures of experts: a router, e networks of which each token visits k, and networks that every token visits."""

from __future__ import annotations

from ..part import Bound, Part, Weight
from .feed_forward import gated


def experts(
    name: str,
    width: Bound,
    inner: Bound,
    number: Bound,
    chosen: Bound,
    *,
    router: str | None = "gate",
    bias_router: bool = False,
    gate_up: str = "experts.gate_up_proj",
    down: str = "experts.down_proj",
    layouts: tuple[str, str] = ("e (2 d_ff) d_model", "e d_model d_ff"),
    bias: bool = False,
    split: tuple[str, str, str] | None = None,
    count: Bound = 1,
) -> list[Part]:
    """Routed gated experts saved under `name` as stacked tensors, gate and up in one, or `split` in three."""
    parts: list[Part] = []
    if count == 0 and type(count) is int:
        return parts
    if router:
        weights = [Weight(f"{name}.{router}.weight", "e d_model", ("W_router",))]
        if bias_router:
            weights.append(Weight(f"{name}.{router}.bias", "e", ("b_router",)))
        sizes = {"n": "new", "d_model": width, "e": number}
        optional = frozenset({"b_router"} if bias_router else ())
        parts.append(Part("router", "router_scores", sizes, tuple(weights), optional, count=count))
    if split:
        saved = [
            Weight(f"{name}.{split[0]}", layouts[0], ("W_gate",)),
            Weight(f"{name}.{split[1]}", layouts[0], ("W_up",)),
            Weight(f"{name}.{split[2]}", layouts[1], ("W_down",)),
        ]
    else:
        saved = [Weight(f"{name}.{gate_up}", layouts[0], ("W_gate", "W_up"))]
        if bias:
            saved.append(Weight(f"{name}.{gate_up}_bias", "e (2 d_ff)", ("b_gate", "b_up")))
        saved.append(Weight(f"{name}.{down}", layouts[1], ("W_down",)))
        if bias:
            saved.append(Weight(f"{name}.{down}_bias", "e d_model", ("b_down",)))
    sizes = {"n": "new", "d_model": width, "d_ff": inner, "e": number, "k": chosen}
    optional = frozenset({"b_gate", "b_up", "b_down"} if bias else ())
    parts.append(Part("experts", "routed_experts", sizes, tuple(saved), optional, count=count))
    return parts


def shared_expert(
    name: str, width: Bound, inner: Bound, *, gate: str | None = None, bias: bool = False, count: Bound = 1
) -> list[Part]:
    """A gated network beside the routed ones, weighed by one learned score where `gate` names it."""
    if count == 0 and type(count) is int:
        return []
    parts = [gated(name, width, inner, bias=bias, count=count, role="shared experts")]
    if gate:
        weights = (Weight(f"{gate}.weight", "d_out d_in", ("W",)),)
        parts.append(Part("router", "linear", {"n": "new", "d_in": width, "d_out": 1}, weights, count=count))
    return parts
