"""A model_type that no family file knows: what the generic field names allow, marked as such.

It is taken for a Llama-like decoder: that is what most unknown families are. Experts, latent attention and norms on
queries and keys are taken from the fields that name them.
"""

from __future__ import annotations

from typing import Any

from .blocks import experts, shared_expert
from .decoder import FeedForward, Sizes, decoder, sizes_of, sparse_layers
from .fields import Config
from .part import Architecture, Part

EXPERT_FIELDS = ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")
CHOICE_FIELDS = ("num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_k", "top_k_experts")


def build(c: Config) -> Architecture:
    """The architecture that generic names describe.

    Raises:
        FieldError: a width, a number of layers, heads or a vocabulary is missing.
    """
    c.aliases = {**common_aliases(c), **c.aliases}
    if c.get("kv_lora_rank") is not None:
        from .families import deepseek

        a = deepseek.build(c)
    else:
        s = sizes_of(c)
        a = decoder(
            c,
            sizes=s,
            bias=c.flag("attention_bias", c.flag("qkv_bias", False)),
            mlp_bias=c.flag("mlp_bias", False),
            qk_norm="head" if c.flag("use_qk_norm", c.flag("qk_norm", False)) else None,
            sparse=sparse(c, s),
            tied=c.tied(False),
            rotary="full",
        )
    a.notes.append(
        f"model_type {c.model_type or 'absent'!r} has no family file: the numbers are those of a Llama-like decoder "
        "with these sizes, and the tensor names are guesses"
    )
    a.facts["generic"] = True
    return a


def common_aliases(c: Config) -> dict[str, str]:
    """The standard name of a size -> the name that this config uses for it."""
    families = {
        "hidden_size": ("d_model", "n_embd", "dim", "model_dim", "embed_dim"),
        "num_hidden_layers": ("n_layer", "n_layers", "num_layers", "decoder_layers"),
        "num_attention_heads": ("n_head", "n_heads", "num_heads", "decoder_attention_heads"),
        "num_key_value_heads": ("n_kv_heads", "num_kv_heads", "multi_query_group_num"),
        "intermediate_size": ("n_inner", "ffn_dim", "ffn_hidden_size", "d_ff", "hidden_dim", "decoder_ffn_dim"),
        "vocab_size": ("padded_vocab_size", "n_vocab"),
    }
    found: dict[str, str] = {}
    for standard, others in families.items():
        if standard not in c.raw:
            own = next((o for o in others if o in c.raw), None)
            if own:
                found[standard] = own
    return found


def sparse(c: Config, s: Sizes) -> tuple[Any, FeedForward] | None:
    """The layers with experts, where a field counts experts."""
    name = next((f for f in EXPERT_FIELDS if type(c.get(f)) is int and c.get(f) > 0), None)
    chosen = next((f for f in CHOICE_FIELDS if type(c.get(f)) is int and c.get(f) > 0), None)
    if name is None or chosen is None:
        return None
    first = c.number("first_k_dense_replace", 0, least=0)
    step = c.number("moe_layer_freq", 1) if type(c.get("moe_layer_freq")) is int else 1
    count = sparse_layers(c, first_dense=first, step=step)
    inner = c.size("moe_intermediate_size", s.inner)

    def make(path: str, layers: Any) -> list[Part]:
        parts = experts(f"{path}.mlp", s.width, inner, c.size(name), c.size(chosen), count=layers)
        shared = c.get("n_shared_experts") or c.get("num_shared_experts") or 0
        if type(shared) is int and shared > 0:
            parts += shared_expert(f"{path}.mlp.shared_experts", s.width, shared * inner, count=layers)
        return parts

    return (s.layers if count == c.number("num_hidden_layers") else count), make
