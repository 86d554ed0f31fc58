"""What to do about an operation without a rule, by the kind of operation: every refusal names a way on."""

from __future__ import annotations

import re

REMEDIES: tuple[tuple[str, str], ...] = (
    (r"^a branch on the values", "choose by np.where(condition, x, y), which takes both sides"),
    (
        r"^(turning an array|turning a tensor|taking a Python number|Tensor\.(numpy|tolist|item))",
        "keep it an array, take sizes from .shape, and choose by np.where",
    ),
    (
        r"^(a size that|a shape that depends|a place in)|that only values decide",
        "take the size from a shape or an argument: values are not known",
    ),
    (
        r"^Tensor\.(backward|register_hook|retain_grad)",
        "check what computes the loss: gradients have the shape of what they are of",
    ),
    (
        r"into a real (array|tensor)|writing symbolic values",
        "make the array inside the function, from sizes: np.zeros(shape)",
    ),
    (
        r"^(a boolean mask among|a truth value among|a write under a boolean)",
        "index with the mask alone, or choose by np.where",
    ),
    (r"^a write (into|from)", "write to a clone that the function made itself"),
    (r"(strides|contiguous)", "make it contiguous first: np.ascontiguousarray, or .contiguous()"),
    (
        r"(start, (stop|end) or step that is no|symbolic step)",
        "count in whole numbers, and scale after: np.arange(n) * step",
    ),
    (r"a number for each element", "give one number for all, or gather with an index array"),
    (r"off the main diagonal", "take the main diagonal of a slice that is moved, or choose by a comparison of places"),
    (r"^(reshape|ravel) with order", "transpose, and reshape in the usual order"),
    (
        r"\b(view as another element type|ndarray\.view|jax\.Array\.view)",
        "convert with .astype: the bits are not known",
    ),
    (
        r" (with|without|of a packed|where or mean)\b",
        "leave that option out, or write what it does with other operations",
    ),
    (r"^(shuffling in place|choice from)", "index with rng.permutation(n)"),
    (
        r"JAX's own tracing|asks for the array itself",
        "leave that transformation out; jit, vmap, grad and scan are followed",
    ),
    (r"^(whether a|the identity of)", "decide by isinstance, or by a shape"),
    (r"^vmap ", "write the batch axis out"),
)
"""Patterns of what is refused, each with a way on; the first that fits counts."""

OTHERWISE = "write it with operations that have a rule, or let it be with --allow-undecided NAME"


def remedy_for(what: str) -> str:
    """The way on.

    >>> remedy_for("a branch on the values of a tensor")
    'choose by np.where(condition, x, y), which takes both sides'
    """
    return next((remedy for pattern, remedy in REMEDIES if re.search(pattern, what)), OTHERWISE)
