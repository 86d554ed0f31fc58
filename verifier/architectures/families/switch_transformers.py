"""Switch Transformers: T5 with one of e experts for each token in some layers, saved one by one."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, cross_attention, embedding, head, norm, plain, project, table
from ..fields import Config, FieldError
from ..part import Architecture, Cache, Part, Weight

MODEL_TYPES = ("switch_transformers",)


def build(c: Config) -> Architecture:
    a = Architecture(kind="encoder-decoder")
    width, heads, dim = c.size("d_model"), c.size("num_heads"), c.size("d_kv")
    inner, vocabulary, e = c.size("d_ff"), c.size("vocab_size"), c.size("num_experts")
    if c.number("num_experts") > 4096:
        raise FieldError("num_experts", "num_experts is above 4096", remedy="128, say")
    a.add(embedding("shared.weight", vocabulary, width))
    depth = c.size("num_layers")
    for side in ("encoder", "decoder"):
        if not c.tied(True):
            a.add(embedding(f"{side}.embed_tokens.weight", vocabulary, width))
        decoding = side == "decoder"
        layers = c.size("num_decoder_layers", depth) if decoding else depth
        number = c.number("num_decoder_layers", c.number("num_layers")) if decoding else c.number("num_layers")
        sparse = sparse_layers(c, side, number)
        path, tokens = f"{side}.block.*.layer.*", "new" if decoding else "source"
        names: dict[str, Any] = {"q": "q", "k": "k", "v": "v", "o": "o"}
        own = f"{path}.SelfAttention"
        a.add(attention(own, width, heads, dim, causal=decoding, tokens=tokens, count=layers, stage=side, **names))
        buckets = c.size("relative_attention_num_buckets")
        a.add(table(f"{own}.relative_attention_bias.weight", buckets, heads, tokens=tokens, stage=side))
        if decoding:
            a.add(cross_attention(f"{path}.EncDecAttention", width, heads, dim, bias=False, count=layers, **names))
            a.caches += [Cache((heads * dim,) * 2, layers), Cache((heads * dim,) * 2, layers, cross=True)]
        a.add(norm(f"{path}.layer_norm", width, count=layers * (3 if decoding else 2), tokens=tokens, stage=side))
        feed = f"{path}.mlp"
        if number > sparse:
            dense: dict[str, Any] = {"bias": False, "count": number - sparse, "tokens": tokens, "stage": side}
            a.add(plain(f"{feed}.wi", f"{feed}.wo", width, inner, **dense))
        if sparse:
            bias = c.flag("router_bias", False)
            routed: dict[str, Any] = {"bias": bias, "count": sparse, "tokens": tokens, "stage": side, "role": "router"}
            a.add(project(f"{feed}.router.classifier", width, e, **routed))
            sizes = {"n": tokens, "d_model": width, "d_ff": inner, "e": e, "k": 1}
            a.add(Part("experts", "routed_plain_experts", sizes, count=sparse, stage=side))
            one = {"n": 0, "d_model": width, "d_ff": inner, "d_out": width}
            for i in range(c.number("num_experts")):
                weights = (
                    Weight(f"{feed}.experts.expert_{i}.wi.weight", "d_ff d_model", ("W_in",)),
                    Weight(f"{feed}.experts.expert_{i}.wo.weight", "d_out d_ff", ("W_out",)),
                )
                a.add(Part("experts", "feed_forward", one, weights, count=sparse, stage=side))
        a.add(norm(f"{side}.final_layer_norm", width, tokens=tokens, stage=side))
    tied = c.tied(True)
    a.add(head("lm_head", width, vocabulary, tied=tied))
    a.facts.update(width=width, layers=depth, heads=heads, kv_heads=heads, head_dim=dim, inner=inner)
    a.facts.update(vocabulary=vocabulary, tied=tied, rotary=None)
    return a


def sparse_layers(c: Config, side: str, number: int) -> int:
    """Every n-th layer, from the second of each n, so that `num_sparse_*_layers` have experts."""
    wanted = c.number(f"num_sparse_{side}_layers", 0, least=0)
    step = number // wanted if wanted else 0
    return sum(1 for i in range(number) if step and (i % step == 1 or step == 1))
