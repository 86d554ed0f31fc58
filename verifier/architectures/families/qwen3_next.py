"""Qwen3-Next and Qwen 3.5: gated delta networks in three layers of four, gated attention in the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..blocks import experts, norm, project, shared_expert
from ..decoder import FeedForward, Sizes, decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part, Weight
from ..state_space import convolution, delta_rule, keeps

MODEL_TYPES = ("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text")


def build(c: Config) -> Architecture:
    s = sizes_of(c)
    number = c.number("num_hidden_layers")
    kinds = c.list("layer_types")
    if kinds is None:
        every = c.number("full_attention_interval", 4)
        kinds = ["linear_attention" if (i + 1) % every else "full_attention" for i in range(number)]
    linear = sum(1 for i in range(number) if i < len(kinds) and kinds[i] == "linear_attention")
    attending = number - linear

    def extra(a: Architecture, path: str, s: Sizes) -> None:
        if attending:
            gate_queries(a, f"{path}.self_attn", s, attending)
        if linear:
            delta_network(a, c, f"{path}.linear_attn", s.width, linear)

    sparse = None if c.model_type == "qwen3_5_text" else sparse_part(c, s)
    bias = c.flag("attention_bias", False)
    qk_norm = "head" if attending else None
    windows: dict[int | None, int] = {None: attending}
    return decoder(
        c, sizes=s, bias=bias, qk_norm=qk_norm, windows=windows, sparse=sparse, extra=extra, rotary="partial"
    )


def sparse_part(c: Config, s: Sizes) -> tuple[Any, FeedForward]:
    """Layers with experts: every `decoder_sparse_step`-th, except those in `mlp_only_layers`; all in Qwen 3.5."""
    number = c.number("num_hidden_layers")
    only, step = c.list("mlp_only_layers") or [], c.number("decoder_sparse_step", 1, least=0)
    if c.model_type != "qwen3_next":
        only, step = [], 1
    count = sum(1 for i in range(number) if i not in only and step and (i + 1) % step == 0)

    def make(path: str, layers: Any) -> list[Part]:
        e, k, inner = c.size("num_experts"), c.size("num_experts_per_tok"), c.size("moe_intermediate_size")
        parts = experts(f"{path}.mlp", s.width, inner, e, k, count=layers)
        shared, gate = c.size("shared_expert_intermediate_size"), f"{path}.mlp.shared_expert_gate"
        return parts + shared_expert(f"{path}.mlp.shared_expert", s.width, shared, gate=gate, count=layers)

    return (s.layers if count == number else count), make


def gate_queries(a: Architecture, name: str, s: Sizes, count: int) -> None:
    """Makes the query projection twice as wide: its second half gates what the heads return."""
    for i, part in enumerate(a.parts):
        if part.role == "attention" and part.kernel == "grouped_query_attention":
            wide = {f"{name}.q_proj.weight": "(2 h d_k) d_model", f"{name}.q_proj.bias": "(2 h d_k)"}
            weights = tuple(Weight(w.name, wide[w.name], ()) if w.name in wide else w for w in part.weights)
            a.parts[i] = replace(part, weights=weights)
    sizes = {"n": "new", "d_in": s.width, "d_out": s.heads * s.head_dim}
    a.add(Part("attention", "linear", sizes, count=count))


def delta_network(a: Architecture, c: Config, name: str, width: Any, count: int) -> None:
    """The mixer of the linear layers: value heads share the keys of fewer key heads."""
    keys, values = c.size("linear_num_key_heads"), c.size("linear_num_value_heads")
    key_dim, value_dim = c.size("linear_key_head_dim"), c.size("linear_value_head_dim")
    window = c.size("linear_conv_kernel_dim")
    mixed = 2 * keys * key_dim + values * value_dim
    own: dict[str, Any] = {"bias": False, "count": count, "role": "linear attention"}
    scalars = (Weight(f"{name}.dt_bias", "h", ()), Weight(f"{name}.A_log", "h", ()))
    parts = delta_rule(values, key_dim, value_dim, count)
    a.add(replace(parts[0], weights=scalars), parts[1:])
    a.add(convolution(f"{name}.conv1d", mixed, window, bias=False, count=count))
    if c.model_type == "qwen3_next":
        a.add(project(f"{name}.in_proj_qkvz", width, mixed + values * value_dim, **own))
        a.add(project(f"{name}.in_proj_ba", width, 2 * values, **own))
    else:
        spans = {"qkv": mixed, "z": values * value_dim, "b": values, "a": values}
        a.add([project(f"{name}.in_proj_{which}", width, span, **own) for which, span in spans.items()])
    a.add(norm(f"{name}.norm", value_dim, count=count))
    a.add(project(f"{name}.out_proj", values * value_dim, width, **own))
    keeps(a, values * key_dim * value_dim + mixed * window, count)
