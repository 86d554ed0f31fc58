"""T5 and its kin: head size of its own, no biases, a learned bias for each bucket of distances in the first layer."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, cross_attention, embedding, gated, head, norm, plain, project, table
from ..decoder import number_of_labels
from ..fields import Config
from ..part import Architecture, Cache, Part

MODEL_TYPES = ("t5", "mt5", "umt5", "flan-t5", "longt5")


def build(c: Config) -> Architecture:

    a = Architecture()
    width, heads, dim = c.size("d_model"), c.size("num_heads"), c.size("d_kv")
    inner, vocabulary = c.size("d_ff"), c.size("vocab_size")
    depth = c.size("num_layers")
    name = c.architecture
    only_encoder = "EncoderModel" in name
    # transformers 5 ties the embeddings of this family whatever the config says.
    tied = True
    a.add(embedding("shared.weight", vocabulary, width))
    sides = ("encoder",) if only_encoder else ("encoder", "decoder")
    a.tied += [("shared.weight", f"{side}.embed_tokens.weight") for side in sides]
    for side in sides:
        decoding = side == "decoder"
        layers = c.size("num_decoder_layers", depth) if decoding else depth
        path, tokens = f"{side}.block.*.layer.*", "new" if decoding else "source"
        names: dict[str, Any] = {"q": "q", "k": "k", "v": "v", "o": "o"}
        own = f"{path}.SelfAttention"
        if c.model_type == "longt5" and not decoding:
            whole = c.text("encoder_attention_type", "local") != "local"
            own = f"{path}.{'TransientGlobalSelfAttention' if whole else 'LocalSelfAttention'}"
            a.notes.append("flops_forward has full scores; flops_forward_windowed the three blocks that a query sees")
            a.facts["sees"] = 3 * (c.number("local_radius") + 1)
        a.add(attention(own, width, heads, dim, causal=decoding, tokens=tokens, count=layers, stage=side, **names))
        buckets = c.size("relative_attention_num_buckets")
        every = layers if c.model_type == "umt5" else 1
        a.add(table(f"{own}.relative_attention_bias.weight", buckets, heads, count=every, tokens=tokens, stage=side))
        if decoding:
            a.add(cross_attention(f"{path}.EncDecAttention", width, heads, dim, bias=False, count=layers, **names))
            a.caches.append(Cache((heads * dim, heads * dim), layers))
            a.caches.append(Cache((heads * dim, heads * dim), layers, cross=True))
        a.add(norm(f"{path}.layer_norm", width, count=layers * (3 if decoding else 2), tokens=tokens, stage=side))
        a.add(feed_forward(c, f"{path}.DenseReluDense", width, inner, layers, tokens, side))
        a.add(norm(f"{side}.final_layer_norm", width, tokens=tokens, stage=side))
    if "ConditionalGeneration" in name or not name:
        a.add(head("lm_head", width, vocabulary, tied=tied))
        a.tied.append(("shared.weight", "lm_head.weight"))
    elif "SequenceClassification" in name:
        a.add(project("classification_head.dense", width, width, tokens=1, role="head"))
        a.add(project("classification_head.out_proj", width, number_of_labels(c), tokens=1, role="head"))
    a.kind = "encoder-decoder" if not only_encoder else "encoder"
    a.facts.update(width=width, layers=depth, heads=heads, kv_heads=heads, head_dim=dim, inner=inner)
    a.facts.update(vocabulary=vocabulary, tied=tied, rotary=None, saved_head=not c.tied(True))
    return a


def feed_forward(c: Config, name: str, width: Any, inner: Any, layers: Any, tokens: str, stage: str) -> Part:
    """Gated where `feed_forward_proj` begins so, or `is_gated_act` says it."""
    written = c.text("feed_forward_proj", "relu")
    if written.startswith("gated") or (c.flag("is_gated_act") and not written):
        names: dict[str, Any] = {"gate": "wi_0", "up": "wi_1", "down": "wo"}
        return gated(name, width, inner, count=layers, tokens=tokens, stage=stage, **names)
    return plain(f"{name}.wi", f"{name}.wo", width, inner, bias=False, count=layers, tokens=tokens, stage=stage)
