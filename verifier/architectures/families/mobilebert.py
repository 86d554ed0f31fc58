"""MobileBERT: narrow layers between bottlenecks, several feed-forwards each, half of the output table of its own."""

from __future__ import annotations

from ..blocks import norm, plain, project
from ..decoder import ending
from ..encoder import classification_heads, encoder_facts, encoder_sizes, text_embeddings
from ..fields import Config
from ..part import Architecture, Part, Weight

MODEL_TYPES = ("mobilebert",)


def build(c: Config) -> Architecture:

    a, s, top = Architecture(), encoder_sizes(c), ending(c)
    prefix = "" if top == "base" else "mobilebert."
    name = f"{prefix}embeddings"
    text_embeddings(a, c, name, s, norm_name=None, width=s.width)
    a.add(project(f"{name}.embedding_transformation", (3 if c.flag("trigram_input") else 1) * s.embedding, s.width))
    no_norm = "layer"  # NoNorm: a factor and a summand for each channel
    a.add(norm(f"{name}.LayerNorm", s.width, no_norm))
    # With a bottleneck the layers are `intra_bottleneck_size` wide.
    bottleneck = c.flag("use_bottleneck", True)
    inside = c.size("intra_bottleneck_size") if bottleneck else s.width
    path, dim = f"{prefix}encoder.layer.*", inside // s.heads
    value_in = inside if c.flag("use_bottleneck_attention") else s.width
    keys = ("query", "key", "value")
    for key, width in zip(keys, (inside, inside, value_in), strict=True):
        a.add(project(f"{path}.attention.self.{key}", width, s.heads * dim, count=s.layers, role="attention"))
    a.add(
        Part("attention", "cached_scores", {"n": "new", "t": 0, "h": s.heads, "d_k": dim, "d_v": dim}, count=s.layers)
    )
    a.add(project(f"{path}.attention.output.dense", inside, inside, count=s.layers, role="attention"))
    a.add(norm(f"{path}.attention.output.LayerNorm", inside, no_norm, count=s.layers))
    a.add(plain(f"{path}.intermediate.dense", f"{path}.output.dense", inside, s.inner, count=s.layers))
    a.add(norm(f"{path}.output.LayerNorm", inside, no_norm, count=s.layers))
    if bottleneck:
        a.add(project(f"{path}.output.bottleneck.dense", inside, s.width, count=s.layers))
        a.add(norm(f"{path}.output.bottleneck.LayerNorm", s.width, no_norm, count=s.layers))
        shared = ("input", "attention") if c.flag("key_query_shared_bottleneck", True) else ("input",)
        for own in shared:
            a.add(project(f"{path}.bottleneck.{own}.dense", s.width, inside, count=s.layers))
            a.add(norm(f"{path}.bottleneck.{own}.LayerNorm", inside, no_norm, count=s.layers))
    more = (c.number("num_feedforward_networks", 4) - 1) * s.layers
    if type(more) is not int or more:
        a.add(plain(f"{path}.ffn.*.intermediate.dense", f"{path}.ffn.*.output.dense", inside, s.inner, count=more))
        a.add(norm(f"{path}.ffn.*.output.LayerNorm", inside, no_norm, count=more))
    if top in ("base", "classify", "choice", "pretrain") and c.flag("classifier_activation"):
        a.add(project(f"{prefix}pooler.dense", s.width, s.width, tokens=1, role="head", gradient=top != "base"))
    if top in ("mlm", "lm", "pretrain"):
        wide = s.width - s.embedding
        a.add(project("cls.predictions.transform.dense", s.width, s.width, role="head"))
        a.add(norm("cls.predictions.transform.LayerNorm", s.width, "layer", role="head"))
        extra = Weight(
            "cls.predictions.dense.weight", "wide d_out", ()
        )  # the rows that the table of words does not have
        sizes = {"n": "new", "d_in": s.width, "d_out": s.vocabulary, "wide": wide}
        bias = Weight("cls.predictions.bias", "d_out", ("bias",))
        a.add(Part("head", "linear", sizes, (extra, bias), frozenset({"bias"})))
        a.tied.append((f"{name}.word_embeddings.weight", "cls.predictions.decoder.weight"))
    if top == "pretrain":
        a.add(project("cls.seq_relationship", s.width, 2, tokens=1, role="head"))
    classification_heads(a, c, s, top)
    return encoder_facts(a, c, s)
