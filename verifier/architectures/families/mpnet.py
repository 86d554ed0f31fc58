"""MPNet: BERT with a learned bias for each bucket of distances."""

from __future__ import annotations

from ..blocks import table
from ..encoder import EncoderSizes, bert, bert_layers
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("mpnet",)


def build(c: Config) -> Architecture:

    def layers(a: Architecture, path: str, s: EncoderSizes) -> None:
        names = ("attn.q", "attn.k", "attn.v", "attn.o")
        bert_layers(a, path, s, self_names=names, attention_norm="attention.LayerNorm")
        buckets = c.size("relative_attention_num_buckets", 32)
        a.add(table(f"{path.removesuffix('.layer.*')}.relative_attention_bias.weight", buckets, s.heads))

    pooled = ("base", "choice")
    return bert(c, base="mpnet", style="lm_head", types=False, dense_classifier=True, pooled=pooled, layers=layers)
