"""Tables of rows: token, position and type embeddings, and tokens that are learned whole."""

from __future__ import annotations

from ..part import Bound, Part, Weight


def embedding(
    name: str, rows: Bound, width: Bound, *, role: str = "embedding", saved: bool = True, stage: str = "decoder"
) -> Part:
    """A table of `rows` rows of which each token takes one; not `saved` where another table is shared."""
    weights = (Weight(name, "vocab d_model", ("W",)),) if saved else ()
    return Part(role, "embedding_lookup", {"n": "new", "vocab": rows, "d_model": width}, weights, stage=stage)


def table(
    name: str, buckets: Bound, heads: Bound, *, count: Bound = 1, tokens: Bound = "new", stage: str = "decoder"
) -> Part:
    """A learned bias for each bucket of distances and head."""
    sizes = {"n": tokens, "m": tokens, "b": buckets, "h": heads}
    weights = (Weight(name, "b h", ("W",)),)
    return Part("position", "bucketed_position_bias", sizes, weights, count=count, stage=stage)


def prepended(name: str, rows: Bound, width: Bound, layout: str = "1 k d_model", role: str = "embedding") -> Part:
    """Learned tokens or positions that are no lookup: a class token, an image's position table."""
    return Part(role, "prepend_token", {"n": "new", "k": rows, "d_model": width}, (Weight(name, layout, ("W",)),))
