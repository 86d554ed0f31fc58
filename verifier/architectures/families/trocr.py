"""TrOCR's decoder: BART's decoder with attention to an encoder that is configured elsewhere."""

from __future__ import annotations

from dataclasses import replace

from ..blocks import cross_attention, embedding, head, norm
from ..encoder_decoder import stack
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("trocr",)


def build(c: Config) -> Architecture:
    a = Architecture(kind="decoder")
    width, vocabulary, path = c.size("d_model"), c.size("vocab_size"), "model.decoder"
    layers, heads, inner = c.size("decoder_layers"), c.size("decoder_attention_heads"), c.size("decoder_ffn_dim")
    a.add(embedding(f"{path}.embed_tokens.weight", vocabulary, width))
    if c.flag("use_learned_position_embeddings"):
        rows = c.size("max_position_embeddings") + 2
        a.add(embedding(f"{path}.embed_positions.weight", rows, width, role="position"))
    stack(a, f"{path}.layers.*", width, heads, inner, layers, decoder=True)
    memory = c.size("cross_attention_hidden_size", width)
    others = [p for p in a.parts if p.role != "cross-attention"]
    cross = cross_attention(f"{path}.layers.*.encoder_attn", width, heads, width // heads, memory=memory, count=layers)
    # Without an encoder's output, as a language model alone, the cross-attention is kept and not used.
    a.parts = [*others, *(replace(p, runs=0) for p in cross)]
    a.caches = [cache for cache in a.caches if not cache.cross]
    if c.flag("layernorm_embedding"):
        a.add(norm(f"{path}.layernorm_embedding", width, "layer"))
    tied = c.tied(True)
    a.add(head("output_projection", width, vocabulary, tied=tied))
    a.facts.update(width=width, layers=layers, heads=heads, kv_heads=heads, head_dim=width // heads)
    a.facts.update(inner=inner, vocabulary=vocabulary, tied=tied, rotary=None)
    return a
