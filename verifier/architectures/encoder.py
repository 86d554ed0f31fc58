"""Text encoders in BERT's manner: one composition from which most families differ in names, norms and heads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .blocks import attention, bias_alone, embedding, head, norm, plain, project
from .decoder import ending, number_of_labels
from .fields import Config
from .part import Architecture, Bound, Part

ABSENT: Any = object()


@dataclass(frozen=True, slots=True)
class EncoderSizes:
    """The sizes that every text encoder has."""

    width: Any
    layers: Any
    heads: Any
    inner: Any
    vocabulary: Any
    embedding: Any


def encoder_sizes(c: Config) -> EncoderSizes:
    """The sizes of an encoder; the embedding is as wide as the layers where `embedding_size` does not say."""
    width = c.size("hidden_size")
    return EncoderSizes(
        width,
        c.size("num_hidden_layers"),
        c.size("num_attention_heads"),
        c.size("intermediate_size"),
        c.size("vocab_size"),
        c.size("embedding_size", width),
    )


def text_embeddings(
    a: Architecture,
    c: Config,
    name: str,
    s: EncoderSizes,
    *,
    positions: Bound | None = ABSENT,
    types: bool = True,
    norm_name: str | None = "LayerNorm",
    width: Bound | None = None,
) -> None:
    """Tables of words, positions and segments under `name`, and the norm after their sum."""
    span = s.embedding if width is None else width
    a.add(embedding(f"{name}.word_embeddings.weight", s.vocabulary, s.embedding))
    rows = c.size("max_position_embeddings") if positions is ABSENT else positions
    if rows is not None:
        a.add(embedding(f"{name}.position_embeddings.weight", rows, span, role="position"))
    if types and c.get("type_vocab_size") not in (0, None):
        a.add(embedding(f"{name}.token_type_embeddings.weight", c.size("type_vocab_size"), span))
    if norm_name:
        a.add(norm(f"{name}.{norm_name}", span, "layer"))


def bert_layers(
    a: Architecture,
    path: str,
    s: EncoderSizes,
    *,
    self_names: tuple[str, str, str, str] = ("self.query", "self.key", "self.value", "output.dense"),
    attention_norm: str = "attention.output.LayerNorm",
    output_norm: str = "output.LayerNorm",
    runs: Bound | None = None,
    count: Bound | None = None,
) -> None:
    """Self-attention, its output and norm, and a two-matrix feed-forward with its norm, in each layer."""
    layers = s.layers if count is None else count
    q, k, v, o = self_names
    dim = s.width // s.heads
    a.add(
        attention(
            f"{path}.attention",
            s.width,
            s.heads,
            dim,
            q=q,
            k=k,
            v=v,
            o=o,
            bias=True,
            causal=False,
            count=layers,
            runs=runs,
        )
    )
    a.add(norm(f"{path}.{attention_norm}", s.width, "layer", count=layers))
    first, second = f"{path}.intermediate.dense", f"{path}.output.dense"
    a.add(plain(first, second, s.width, s.inner, count=layers, runs=runs))
    a.add(norm(f"{path}.{output_norm}", s.width, "layer", count=layers))


def pooler(a: Architecture, name: str, width: Bound, out: Bound | None = None, *, gradient: bool = True) -> None:
    """One matrix on the first token."""
    a.add(project(name, width, width if out is None else out, tokens=1, role="head", gradient=gradient))


def masked_head(a: Architecture, c: Config, s: EncoderSizes, name: str, table: str, *, style: str = "cls") -> None:
    """The transformation and the tied logits of masked language modelling, under BERT's or RoBERTa's names."""
    tied = c.tied(True)
    if style == "cls":
        place, norm_name, bias = f"{name}.predictions", "transform.LayerNorm", f"{name}.predictions.bias"
        dense, decoder = f"{place}.transform.dense", f"{place}.decoder"
    else:
        place, norm_name, bias = name, "layer_norm", f"{name}.bias"
        dense, decoder = f"{name}.dense", f"{name}.decoder"
    a.add(project(dense, s.width, s.embedding, role="head"))
    a.add(norm(f"{place}.{norm_name}", s.embedding, "layer", role="head"))
    a.add(head(decoder, s.embedding, s.vocabulary, tied=tied, bias=True, saved_bias=bias))
    if tied:
        a.tied.append((table, f"{decoder}.weight"))
        a.tied.append((bias, f"{decoder}.bias"))
    else:
        a.add(bias_alone(f"{decoder}.bias", s.vocabulary))


def classification_heads(
    a: Architecture, c: Config, s: EncoderSizes, top: str, *, style: str = "cls", dense: bool = False
) -> None:
    """Heads over a sequence, its tokens, a span of it, or choices."""
    labels = number_of_labels(c)
    if top == "classify" and dense:
        a.add(project("classifier.dense", s.width, s.width, tokens=1, role="head"))
        a.add(project("classifier.out_proj", s.width, labels, tokens=1, role="head"))
    elif top == "classify":
        a.add(project("classifier", s.width, labels, tokens=1, role="head"))
    elif top == "choice":
        a.add(project("classifier", s.width, 1, tokens=1, role="head"))
    elif top == "token":
        a.add(project("classifier", s.width, labels, role="head"))
    elif top == "qa":
        a.add(project("qa_outputs", s.width, labels, role="head"))


def encoder_facts(a: Architecture, c: Config, s: EncoderSizes, rotary: Any = None) -> Architecture:
    a.kind = "encoder"
    a.facts.update(
        width=s.width,
        layers=s.layers,
        heads=s.heads,
        kv_heads=s.heads,
        head_dim=s.width // s.heads,
        inner=s.inner,
        vocabulary=s.vocabulary,
        tied=c.tied(True),
        rotary=rotary,
    )
    return a


def bert(
    c: Config,
    *,
    base: str = "bert",
    style: str = "cls",
    positions: Bound | None = ABSENT,
    types: bool = True,
    dense_classifier: bool = False,
    pooled: tuple[str, ...] = ("base", "classify", "choice", "pretrain"),
    layers: Callable[[Architecture, str, EncoderSizes], None] = bert_layers,
    embedding_norm: str | None = "LayerNorm",
    final_norm: str | None = None,
    extra: Callable[[Architecture, str, EncoderSizes], list[Part]] | None = None,
) -> Architecture:
    """An encoder with BERT's sub-modules; the keywords say how a family departs from it.

    `pooled` names the endings that have a pooler.
    """
    a, s, top = Architecture(), encoder_sizes(c), ending(c)
    top = "mlm" if top == "lm" and "Causal" not in c.architecture and "LMHead" not in c.architecture else top
    prefix = "" if top == "base" else f"{base}."
    text_embeddings(a, c, f"{prefix}embeddings", s, positions=positions, types=types, norm_name=embedding_norm)
    layers(a, f"{prefix}encoder.layer.*", s)
    if final_norm:
        a.add(norm(f"{prefix}{final_norm}", s.width, "layer"))
    if extra:
        a.add(extra(a, prefix, s))
    if top in pooled:
        # The loss of a bare model is taken of its last hidden states: the pooler gets no gradient.
        pooler(a, f"{prefix}pooler.dense", s.width, gradient=top != "base")
    name = "cls" if style == "cls" else "lm_head"
    if top in ("mlm", "lm", "pretrain"):
        masked_head(a, c, s, name, f"{prefix}embeddings.word_embeddings.weight", style=style)
    if top == "pretrain":
        a.add(project(f"{name}.seq_relationship", s.width, 2, tokens=1, role="head"))
    classification_heads(a, c, s, top, dense=dense_classifier)
    return encoder_facts(a, c, s)
