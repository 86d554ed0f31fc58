"""Encoders that are BERT with a few tensors more: RoCBert, TAPAS, X-MOD, I-BERT, Nystromformer."""

from __future__ import annotations

from typing import Any

from ..blocks import embedding, project
from ..encoder import EncoderSizes, bert, bert_layers
from ..fields import Config, FieldError
from ..part import Architecture, Part, Weight

MODEL_TYPES = ("roc_bert", "tapas", "xmod", "ibert", "nystromformer")


def build(c: Config) -> Architecture:
    kind = c.model_type
    if kind == "roc_bert":
        return bert(c, base="roc_bert", extra=lambda _, prefix, s: sounds_and_shapes(c, f"{prefix}embeddings", s))
    if kind == "tapas":
        return bert(c, base="tapas", types=False, extra=lambda _, prefix, s: table_types(c, f"{prefix}embeddings", s))
    if kind == "xmod":
        return bert(
            c,
            base="roberta",
            style="lm_head",
            dense_classifier=True,
            pooled=("base", "choice"),
            layers=lambda a, path, s: adapted(a, c, path, s),
        )
    if kind == "ibert":
        a = bert(c, base="ibert", style="lm_head", dense_classifier=True, pooled=("base", "choice"))
        a.notes.append("the integer copies of its weights, which this family saves as buffers, are not counted")
        return a
    rows = c.size("max_position_embeddings") + 2
    a = bert(
        c,
        base="nystromformer",
        positions=rows,
        pooled=(),
        dense_classifier=True,
        layers=lambda a, path, s: with_residual_convolution(a, c, path, s),
    )
    a.notes.append("FLOPs are those of full scores; landmarks do less where the sequence is longer than they are")
    return a


def sounds_and_shapes(c: Config, name: str, s: EncoderSizes) -> list[Part]:
    """RoCBert's embeddings of how a character sounds and looks, joined to its own."""
    parts: list[Part] = []
    joined: Any = s.embedding
    for which, size in (("pronunciation", "pronunciation_embed_dim"), ("shape", "shape_embed_dim")):
        if c.flag(f"enable_{which}"):
            own = c.size(size)
            parts.append(embedding(f"{name}.{which}_embed.weight", c.size(f"{which}_vocab_size"), own))
            joined = joined + own
    if c.flag("concat_input"):
        parts.append(project(f"{name}.map_inputs_layer", joined, s.width))
    return parts


def table_types(c: Config, name: str, s: EncoderSizes) -> list[Part]:
    """TAPAS's tables of columns, rows and ranks: one for each entry of `type_vocab_sizes`."""
    given = c.list("type_vocab_sizes")
    if not given or any(type(rows) is not int or rows < 1 for rows in given):
        fact = f"type_vocab_sizes = {c.get('type_vocab_sizes')!r:.60} is no list of whole numbers"
        raise FieldError("type_vocab_sizes", fact, remedy="[3, 256, 256, 2, 256, 256, 10], say")
    return [embedding(f"{name}.token_type_embeddings_{i}.weight", rows, s.width) for i, rows in enumerate(given)]


def adapted(a: Architecture, c: Config, path: str, s: EncoderSizes) -> None:
    """X-MOD's layers: an adapter for each language, of which a text visits one."""
    bert_layers(a, path, s)
    languages = c.list("languages") or []
    inner: Any = s.width // c.number("adapter_reduction_factor")
    for i, language in enumerate(languages):
        own = f"{path}.output.adapter_modules.{language}"
        worked: dict[str, Any] = {"count": s.layers, "tokens": 0 if i else "new", "role": "adapter"}
        a.add(project(f"{own}.dense1", s.width, inner, **worked))
        a.add(project(f"{own}.dense2", inner, s.width, **worked))
    if c.flag("adapter_layer_norm") or c.flag("pre_norm"):
        a.notes.append("norms that adapter_layer_norm or pre_norm add are not counted")


def with_residual_convolution(a: Architecture, c: Config, path: str, s: EncoderSizes) -> None:
    """Nystromformer's layers: a convolution of the values over the tokens, one filter a head."""
    bert_layers(a, path, s)
    window = c.get("conv_kernel_size")
    if window is None:
        return
    sizes = {"n": "new", "d_model": s.width, "w": c.size("conv_kernel_size"), "h": s.heads}
    weights = (Weight(f"{path}.attention.self.conv.weight", "h 1 w 1", ()),)
    a.add(Part("convolution", "depthwise_window", sizes, weights, count=s.layers))
