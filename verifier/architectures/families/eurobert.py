"""EuroBERT: Llama read in both directions."""

from __future__ import annotations

from ..blocks import attention, embedding, gated, head, norm, project
from ..decoder import describe, ending, number_of_labels, sizes_of
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("eurobert",)


def build(c: Config) -> Architecture:
    top = ending(c)
    base = "" if top == "base" else "model."
    s = sizes_of(c)
    path = f"{base}layers.*"
    a = Architecture(kind="encoder")
    a.add(embedding(f"{base}embed_tokens.weight", s.vocabulary, s.width))
    own = f"{path}.self_attn"
    bias = c.flag("attention_bias")
    a.add(attention(own, s.width, s.heads, s.head_dim, kv_heads=s.kv_heads, bias=bias, causal=False, count=s.layers))
    a.add(gated(f"{path}.mlp", s.width, s.inner, bias=c.flag("mlp_bias"), count=s.layers))
    for name in ("input_layernorm", "post_attention_layernorm"):
        a.add(norm(f"{path}.{name}", s.width, count=s.layers))
    a.add(norm(f"{base}norm", s.width))
    tied = c.tied(False)
    if top in ("mlm", "lm"):
        a.add(head("lm_head", s.width, s.vocabulary, tied=tied, bias=c.flag("mlp_bias")))
    elif top in ("classify", "token"):
        a.add(project("dense", s.width, s.width, role="head")) if top == "classify" else None
        a.add(project("classifier", s.width, number_of_labels(c), role="head"))
    a.facts.update(describe(c, s, tied=tied, rotary="full", windows={}))
    return a
