"""Affine maps at the ends of a model: heads over the vocabulary or classes, projections between widths."""

from __future__ import annotations

from ..part import Bound, Part, Weight


def project(
    name: str,
    inside: Bound,
    outside: Bound,
    *,
    bias: bool = True,
    transposed: bool = False,
    saved: bool = True,
    saved_bias: str | None = None,
    count: Bound = 1,
    tokens: Bound = "new",
    stage: str = "decoder",
    role: str = "projection",
    per_sequence: bool = True,
    gradient: bool = True,
    constant: bool = False,
) -> Part:
    """One matrix `name`.weight, with a bias where wanted; not `saved` where it is tied to another tensor."""
    weights: list[Weight] = []
    if saved:
        weights.append(Weight(f"{name}.weight", "d_in d_out" if transposed else "d_out d_in", ("W",)))
    if bias:
        weights.append(Weight(saved_bias or f"{name}.bias", "d_out", ("bias",)))
    return Part(
        role,
        "linear",
        {"n": tokens, "d_in": inside, "d_out": outside},
        tuple(weights),
        frozenset({"bias"} if bias else ()),
        count=count,
        stage=stage,
        per_sequence=per_sequence,
        gradient=gradient,
        constants=frozenset({"x"} if constant else ()),
    )


def head(
    name: str, width: Bound, vocabulary: Bound, *, tied: bool, bias: bool = False, saved_bias: str | None = None
) -> Part:
    """The map to logits; where it is tied the embedding's table is used, and saved once."""
    return project(name, width, vocabulary, bias=bias, saved=not tied, saved_bias=saved_bias, role="head")


def bias_alone(name: str, width: Bound, *, count: Bound = 1, role: str = "head") -> Part:
    """A bias that is saved by itself."""
    return Part(role, "learned_bias", {"n": "new", "d": width}, (Weight(name, "d", ("bias",)),), count=count)
