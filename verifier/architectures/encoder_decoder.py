"""Encoder-decoders in BART's manner: the same two stacks, with other positions, norms and embeddings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .blocks import attention, bias_alone, cross_attention, embedding, head, norm, plain, project
from .decoder import number_of_labels
from .fields import Config
from .part import Architecture, Bound, Cache


def stack(
    a: Architecture,
    path: str,
    width: Any,
    heads: Any,
    inner: Bound,
    layers: Any,
    *,
    decoder: bool,
    tokens: Bound = "new",
    bias: bool = True,
    bias_k: bool | None = None,
    source: Bound = "source",
    names: tuple[str, str] = ("self_attn", "encoder_attn"),
) -> None:
    """The layers of one stack: self-attention, in a decoder attention to the encoder, and a feed-forward."""
    dim, stage = width // heads, "decoder" if decoder else "encoder"
    own, other = names
    a.add(
        attention(
            f"{path}.{own}",
            width,
            heads,
            dim,
            o="out_proj",
            bias=bias,
            bias_k=bias_k,
            causal=decoder,
            tokens=tokens,
            count=layers,
            stage=stage,
        )
    )
    a.add(norm(f"{path}.{own}_layer_norm", width, "layer", count=layers, stage=stage))
    if decoder:
        a.add(
            cross_attention(f"{path}.{other}", width, heads, dim, bias=bias, bias_k=bias_k, count=layers, source=source)
        )
        a.add(norm(f"{path}.{other}_layer_norm", width, "layer", count=layers))
        a.caches.append(Cache((width, width), layers))
        a.caches.append(Cache((width, width), layers, cross=True))
    a.add(plain(f"{path}.fc1", f"{path}.fc2", width, inner, bias=bias, count=layers, tokens=tokens, stage=stage))
    a.add(norm(f"{path}.final_layer_norm", width, "layer", count=layers, stage=stage))


def facts(a: Architecture, c: Config, *, tied: bool) -> Architecture:
    """The sizes that rules and reports ask for; heads are the decoder's."""
    a.kind = "encoder-decoder"
    width, heads = c.size("d_model"), c.size("decoder_attention_heads")
    a.facts.update(
        width=width,
        layers=c.size("decoder_layers"),
        encoder_layers=c.size("encoder_layers"),
        heads=heads,
        kv_heads=heads,
        encoder_heads=c.size("encoder_attention_heads"),
        head_dim=width // heads,
        inner=c.size("decoder_ffn_dim"),
        vocabulary=c.size("vocab_size"),
        tied=tied,
        rotary=None,
    )
    return a


def bart(
    c: Config,
    *,
    offset: int = 2,
    learned: bool = True,
    embedding_norm: bool = True,
    final_norm: bool = False,
    saved_positions: bool = True,
    logits_bias: bool = True,
) -> Architecture:
    """BART and what departs from it: position rows more than positions, norms after embeddings, norms at the end."""
    a = Architecture()
    width, vocabulary = c.size("d_model"), c.size("vocab_size")
    name = c.architecture
    base_model = name.endswith("Model") and not name.endswith("MTModel")
    base = "" if base_model else "model."
    tied = c.tied(True)
    share = c.flag("share_encoder_decoder_embeddings", True)
    if "ForCausalLM" in name:
        return decoder_alone(c, offset, embedding_norm=embedding_norm, final_norm=final_norm, saved=saved_positions)
    other = c.size("decoder_vocab_size", vocabulary) if not share else vocabulary
    if share:
        a.add(embedding(f"{base}shared.weight", vocabulary, width))
        a.tied += [(f"{base}shared.weight", f"{base}{side}.embed_tokens.weight") for side in ("encoder", "decoder")]
    for side in ("encoder", "decoder"):
        path = f"{base}{side}"
        if not share:
            a.add(embedding(f"{path}.embed_tokens.weight", vocabulary if side == "encoder" else other, width))
        if saved_positions:
            rows = c.size("max_position_embeddings") + offset
            a.add(embedding(f"{path}.embed_positions.weight", rows, width, role="position"))
        stack(
            a,
            f"{path}.layers.*",
            width,
            c.size(f"{side}_attention_heads"),
            c.size(f"{side}_ffn_dim"),
            c.size(f"{side}_layers"),
            decoder=side == "decoder",
            tokens="source" if side == "encoder" else "new",
        )
        stage = side
        if embedding_norm:
            a.add(norm(f"{path}.layernorm_embedding", width, "layer", stage=stage))
        if final_norm:
            a.add(norm(f"{path}.layer_norm", width, "layer", stage=stage))
    if "SequenceClassification" in name:
        a.add(project("classification_head.dense", width, width, tokens=1, role="head"))
        given = c.given("num_labels") or c.given("id2label")
        labels = number_of_labels(c) if given or c.model_type != "bart" else 3
        a.add(project("classification_head.out_proj", width, labels, tokens=1, role="head"))
    elif "QuestionAnswering" in name:
        a.add(project("qa_outputs", width, 2, role="head"))
    elif not base_model:
        a.add(head("lm_head", width, other, tied=tied and share))
        if tied and share:
            a.tied.append((f"{base}shared.weight", "lm_head.weight"))
        if logits_bias:
            a.buffers = other
    return facts(a, c, tied=tied and share)


def decoder_alone(c: Config, offset: int, *, embedding_norm: bool, final_norm: bool, saved: bool) -> Architecture:
    """The decoder as a language model: its cross-attention is kept, and not used without an encoder."""
    a = Architecture()
    width, vocabulary = c.size("d_model"), c.size("decoder_vocab_size", c.size("vocab_size"))
    path = "model.decoder"
    a.add(embedding(f"{path}.embed_tokens.weight", vocabulary, width))
    if saved:
        rows = c.size("max_position_embeddings") + offset
        a.add(embedding(f"{path}.embed_positions.weight", rows, width, role="position"))
    layers, heads, inner = c.size("decoder_layers"), c.size("decoder_attention_heads"), c.size("decoder_ffn_dim")
    stack(a, f"{path}.layers.*", width, heads, inner, layers, decoder=True)
    a.parts = [replace(p, runs=0) if p.role == "cross-attention" else p for p in a.parts]
    a.caches = [cache for cache in a.caches if not cache.cross]
    if embedding_norm:
        a.add(norm(f"{path}.layernorm_embedding", width, "layer"))
    if final_norm:
        a.add(norm(f"{path}.layer_norm", width, "layer"))
    a.add(head("lm_head", width, vocabulary, tied=c.tied(True)))
    a = facts(a, c, tied=c.tied(True))
    a.kind = "decoder"
    return a


__all__ = ["bart", "bias_alone", "facts", "stack"]
