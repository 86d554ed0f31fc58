"""ProphetNet: a decoder that predicts several tokens ahead, each in a stream of its own."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, cross_attention, embedding, norm, plain, project
from ..fields import Config
from ..part import Architecture, Cache, Part

MODEL_TYPES = ("prophetnet", "xlm-prophetnet")


def build(c: Config) -> Architecture:

    a = Architecture(kind="encoder-decoder")
    if "CausalLM" in c.architecture:
        a.notes.append("the numbers are those of encoder and decoder; the decoder alone is not built here")
    width, vocabulary, rows = c.size("hidden_size"), c.size("vocab_size"), c.size("max_position_embeddings")
    base = "" if c.architecture.endswith("Model") else "prophetnet."
    streams = c.number("ngram", 2)
    a.add(embedding(f"{base}word_embeddings.weight", vocabulary, width))
    for side in ("encoder", "decoder"):
        decoding, path = side == "decoder", f"{base}{side}"
        tokens = f"{1 + streams}*new" if decoding else "source"
        layers, heads = c.size(f"num_{side}_layers"), c.size(f"num_{side}_attention_heads")
        inner, dim = c.size(f"{side}_ffn_dim"), width // heads
        if not c.tied(True):
            a.add(embedding(f"{path}.word_embeddings.weight", vocabulary, width))
        a.add(embedding(f"{path}.position_embeddings.weight", rows, width, role="position"))
        a.add(norm(f"{path}.embeddings_layer_norm", width, "layer"))
        names: dict[str, Any] = {"q": "query_proj", "k": "key_proj", "v": "value_proj", "o": "out_proj"}
        own = f"{path}.layers.*"
        if decoding:
            a.add(embedding(f"{path}.ngram_embeddings.weight", c.size("ngram"), width, role="position"))
            for name in names.values():
                a.add(project(f"{own}.self_attn.{name}", width, width, count=layers, tokens=tokens, role="attention"))
            buckets = c.size("num_buckets") * heads
            relative: dict[str, Any] = {"count": layers, "tokens": tokens, "role": "position"}
            a.add(project(f"{own}.self_attn.relative_pos_embeddings", width, buckets, **relative))
            head_sizes: dict[str, Any] = {"n": "new", "t": "past", "h": heads, "d_k": dim, "d_v": dim}
            a.add(Part("attention", "cached_scores", head_sizes, count=layers))
            a.add(Part("attention", "stream_scores", {**head_sizes, "s": streams}, count=layers))
            a.add(cross_attention(f"{own}.cross_attn", width, heads, dim, count=layers, tokens=tokens, **names))
            a.add(norm(f"{own}.cross_attn_layer_norm", width, "layer", count=layers))
            a.caches.append(Cache((width, width), layers))
            a.caches.append(Cache((width, width), layers, cross=True))
        else:
            a.add(
                attention(
                    f"{own}.self_attn",
                    width,
                    heads,
                    dim,
                    bias=True,
                    causal=False,
                    tokens=tokens,
                    count=layers,
                    stage=side,
                    **names,
                )
            )
        a.add(norm(f"{own}.self_attn_layer_norm", width, "layer", count=layers))
        feed = f"{own}.feed_forward"
        a.add(plain(f"{feed}.intermediate", f"{feed}.output", width, inner, count=layers, tokens=tokens, stage=side))
        a.add(norm(f"{own}.feed_forward_layer_norm", width, "layer", count=layers))
    if base:
        tied = c.tied(True)
        part = project("lm_head", width, vocabulary, bias=False, saved=not tied, tokens=f"{streams}*new", role="head")
        a.add(part)
        a.tied += [(f"{base}word_embeddings.weight", "lm_head.weight")] if tied else []
    heads = c.size("num_decoder_attention_heads")
    a.facts.update(
        width=width, layers=c.size("num_decoder_layers"), heads=heads, kv_heads=heads, head_dim=width // heads
    )
    a.facts.update(inner=c.size("decoder_ffn_dim"), vocabulary=vocabulary, tied=c.tied(True), rotary=None)
    return a
