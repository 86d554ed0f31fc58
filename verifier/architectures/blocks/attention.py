"""Attention with grouped heads over a cache, and over an encoder's output."""

from __future__ import annotations

from collections.abc import Mapping

from ..part import Bound, Part, Weight


def past(window: int | None) -> str:
    """The name of the length of the cache that a layer with this window sees."""
    return "past" if window is None else f"past:{window}"


def attention(
    name: str,
    width: Bound,
    heads: Bound,
    head_dim: Bound,
    *,
    kv_heads: Bound | None = None,
    value_dim: Bound | None = None,
    q: str = "q_proj",
    k: str = "k_proj",
    v: str = "v_proj",
    o: str | None = "o_proj",
    fused: str | None = None,
    bias: bool = False,
    bias_k: bool | None = None,
    bias_o: bool | None = None,
    transposed: bool = False,
    suffix: str = ".weight",
    bias_suffix: str = ".bias",
    windows: Mapping[int | None, Bound] | None = None,
    count: Bound = 1,
    runs: Bound | None = None,
    tokens: Bound = "new",
    causal: bool = True,
    stage: str = "decoder",
    out: Bound | None = None,
) -> list[Part]:
    """Self-attention saved under `name`; `fused` names one tensor that holds queries, keys and values.

    `windows` maps a window (None is the whole past) to how many layers have it. Not `causal` means no cache.
    """
    groups = heads if kv_heads is None else kv_heads
    bias_k = bias if bias_k is None else bias_k
    bias_o = bias if bias_o is None else bias_o
    sizes: dict[str, Bound] = {
        "n": tokens,
        "d_model": width,
        "h": heads,
        "g": groups,
        "d_k": head_dim,
        "d_v": head_dim if value_dim is None else value_dim,
        "d_out": width if out is None else out,
    }
    optional = {b for b, there in (("b_Q", bias), ("b_K", bias_k), ("b_V", bias), ("b_O", bias_o)) if there}
    weights: list[Weight] = []

    def matrix(tensor: str, rows: str, holds: tuple[str, ...]) -> Weight:
        return Weight(f"{name}.{tensor}{suffix}", f"d_model ({rows})" if transposed else f"({rows}) d_model", holds)

    if fused:
        rows = "h d_k + g d_k + g d_v"
        weights.append(matrix(fused, rows, ("W_Q", "W_K", "W_V")))
        if bias:
            weights.append(Weight(f"{name}.{fused}{bias_suffix}", f"({rows})", ("b_Q", "b_K", "b_V")))
    else:
        for tensor, rows, letter, there in (
            (q, "h d_k", "Q", bias),
            (k, "g d_k", "K", bias_k),
            (v, "g d_v", "V", bias),
        ):
            weights.append(matrix(tensor, rows, (f"W_{letter}",)))
            if there:
                weights.append(Weight(f"{name}.{tensor}{bias_suffix}", f"({rows})", (f"b_{letter}",)))
    if o:
        layout = "(h d_v) d_out" if transposed else "d_out (h d_v)"
        weights.append(Weight(f"{name}.{o}{suffix}", layout, ("W_O",)))
        if bias_o:
            weights.append(Weight(f"{name}.{o}{bias_suffix}", "d_out", ("b_O",)))
    kernel = "grouped_query_attention"
    return [
        Part(
            "attention",
            kernel,
            {**sizes, "t": past(window) if causal else 0},
            tuple(weights),
            frozenset(optional),
            count=layers,
            runs=runs,
            stage=stage,
        )
        for window, layers in (windows or {None: count}).items()
        if type(layers) is not int or layers > 0
    ]


def cross_attention(
    name: str,
    width: Bound,
    heads: Bound,
    head_dim: Bound,
    *,
    memory: Bound | None = None,
    q: str = "q_proj",
    k: str = "k_proj",
    v: str = "v_proj",
    o: str = "out_proj",
    bias: bool = True,
    bias_k: bool | None = None,
    bias_o: bool | None = None,
    count: Bound = 1,
    tokens: Bound = "new",
    source: Bound = "source",
) -> list[Part]:
    """Attention over an encoder of width `memory`: its keys and values are made once, before decoding."""
    bias_k = bias if bias_k is None else bias_k
    bias_o = bias if bias_o is None else bias_o
    once: list[Weight] = []
    for tensor, letter, there in ((k, "K", bias_k), (v, "V", bias)):
        rows = "g d_k" if letter == "K" else "g d_v"
        once.append(Weight(f"{name}.{tensor}.weight", f"({rows}) d_encoder", (f"W_{letter}",)))
        if there:
            once.append(Weight(f"{name}.{tensor}.bias", f"({rows})", (f"b_{letter}",)))
    each = [Weight(f"{name}.{q}.weight", "(h d_k) d_model", ("W_Q",))]
    if bias:
        each.append(Weight(f"{name}.{q}.bias", "(h d_k)", ("b_Q",)))
    each.append(Weight(f"{name}.{o}.weight", "d_out (h d_v)", ("W_O",)))
    if bias_o:
        each.append(Weight(f"{name}.{o}.bias", "d_out", ("b_O",)))
    made: dict[str, Bound] = {"m": source, "d_encoder": width if memory is None else memory}
    made |= {"g": heads, "d_k": head_dim, "d_v": head_dim}
    read: dict[str, Bound] = {"n": tokens, "m": source, "d_model": width, "d_out": width}
    read |= {"h": heads, "d_k": head_dim, "d_v": head_dim}
    made_with = frozenset(b for b, there in (("b_K", bias_k), ("b_V", bias)) if there)
    read_with = frozenset(b for b, there in (("b_Q", bias), ("b_O", bias_o)) if there)
    return [
        Part("cross-attention", "project_memory", made, tuple(once), made_with, count=count, stage="encoder"),
        Part("cross-attention", "attend_to_memory", read, tuple(each), read_with, count=count),
    ]
