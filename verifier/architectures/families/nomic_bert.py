"""Nomic BERT: rotary positions, a gated feed-forward, norms after the sub-layers."""

from __future__ import annotations

from ..blocks import attention, gated, head, norm, project
from ..decoder import ending
from ..encoder import classification_heads, encoder_facts, encoder_sizes, text_embeddings
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("nomic_bert",)


def build(c: Config) -> Architecture:
    a, s, top = Architecture(), encoder_sizes(c), ending(c)
    prefix = "" if top == "base" else "nomic_bert."
    text_embeddings(a, c, f"{prefix}embeddings", s, positions=None)
    path = f"{prefix}layers.*"
    dim = c.size("head_dim", None) or s.width // s.heads
    bias, mlp_bias = c.flag("attention_bias"), c.flag("mlp_bias")
    a.add(attention(f"{path}.self_attn", s.width, s.heads, dim, bias=bias, causal=False, count=s.layers))
    a.add(norm(f"{path}.post_attention_layernorm", s.width, "layer", count=s.layers))
    a.add(gated(f"{path}.mlp", s.width, s.inner, bias=mlp_bias, count=s.layers))
    a.add(norm(f"{path}.post_mlp_layernorm", s.width, "layer", count=s.layers))
    if top in ("base", "classify"):
        pass
    if top in ("mlm", "lm"):
        tied = c.tied(True)
        a.add(project("cls.predictions.transform.dense", s.width, s.width, role="head"))
        a.add(norm("cls.predictions.transform.layer_norm", s.width, "layer", role="head"))
        bias_name = "cls.predictions.bias"
        a.add(head("cls.predictions.decoder", s.width, s.vocabulary, tied=tied, bias=True, saved_bias=bias_name))
    classification_heads(a, c, s, top)
    return encoder_facts(a, c, s, rotary="full")
