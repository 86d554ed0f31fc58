"""Which code a failure has. What each code means stands in `verifier.check.catalogue`."""

from __future__ import annotations

import re

from ..dims import Relation, is_dim
from ..dims.wording import condition_text, sides_of, size_text
from ..graph.node import ShapeMismatch
from .mismatch import AnnotationMismatch
from .requirement import divisibility

PURPOSES: tuple[tuple[str, str], ...] = (
    (r"^axis -?\d+ of .* against axis", "ATT002"),
    (r"^einsum (axis|label)", "ATT002"),
    (r"^batch axes of @", "ATT003"),
    (r"^reshaping", "ATT004"),
    (r"^(concatenating|stacking)", "ATT005"),
    (r"^(index|boolean index)", "ATT006"),
    (r"^(assigning|writing)", "ATT007"),
    (r"^squeezing", "ATT008"),
    (r"over axis -?\d+ needs an element", "ATT009"),
    (r"^(split|einops)", "ATT004"),
)


def code_of(error: BaseException) -> str:
    """The code of what a path raised."""
    if isinstance(error, AnnotationMismatch):
        return {"ATT009": "ATT010"}.get(error.code, error.code)
    if isinstance(error, ShapeMismatch):
        purpose = error.obligation.purpose
        for pattern, code in PURPOSES:
            if re.search(pattern, purpose):
                return code
        return "ATT003"
    if type(error).__name__ == "TypeCheckError" or type(error).__module__.startswith("beartype"):
        return "ATT011"
    if type(error).__name__ == "EinopsError":
        return "ATT004"
    return "ATT006" if isinstance(error, IndexError) else "ATT012"


def fact_of(error: BaseException) -> str:
    """What happened, in one sentence with the sizes."""
    if isinstance(error, AnnotationMismatch):
        shape = (
            ""
            if error.shape is None
            else f'; the whole is [{", ".join(map(str, error.shape))}], annotated "{error.annotation}"'
        )
        return error.fact + (shape if error.left is not None else "")
    if isinstance(error, ShapeMismatch):
        relation = error.obligation.relation
        if (
            isinstance(relation, Relation)
            and relation.op == "=="
            and all(is_dim(s) or type(s) is int for s in (relation.left, relation.right))
        ):
            return f"{worded(error.obligation.purpose)}: {_apart(relation)}"
        purpose = worded(error.obligation.purpose)
        return f"{purpose}: needs {condition_text(relation)}" if isinstance(relation, Relation) else purpose
    if code_of(error) == "ATT011":
        return _checker_text(str(error))
    if type(error).__name__ == "EinopsError":
        lines = [" ".join(s.split()) for s in str(error).splitlines() if s.strip()]
        return f"einops: {lines[-1] if lines else ''}; {lines[0] if lines else ''}"
    text, kind = " ".join(str(error).split()), type(error)
    if kind.__module__.startswith("verifier.frontends"):  # ours, in place of what the framework raises
        kind = kind.__mro__[1]
    return f"{kind.__name__}: {text}" if text else kind.__name__


def worded(purpose: str) -> str:
    """The purpose in the words of the code: what the graph calls a selection is `np.where` with three arguments."""
    found = re.fullmatch(r"select: axis (-?\d+) of \[(.*)\] with \[(.*)\] with \[(.*)\]", purpose)
    if found is None:
        return purpose
    parts = (
        f"{name} {f'[{shape}]' if shape else '(a number)'}"
        for name, shape in zip(("condition", "x", "y"), found.groups()[1:], strict=True)
    )
    return f"np.where(condition, x, y): axis {found[1]} of {', '.join(parts)}"


def _apart(relation: Relation) -> str:
    difference = relation.left - relation.right
    divides = divisibility(difference)
    if divides is not None:
        return f"{divides.text} does not always hold"
    left, right = (relation.left, relation.right)
    if is_dim(difference) and all(is_dim(s) and len(s.terms) == 1 for s in (left, right)):
        smaller = sides_of(difference)
        if any(map(is_dim, smaller)):  # 4*d against d stays what it is: 3 against 0 tells nobody anything
            left, right = smaller
    return f"{size_text(left)} against {size_text(right)}, and nothing makes them equal"


def _checker_text(text: str) -> str:
    """The first lines of what a run-time checker says: the function and the parameter."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    chosen = [
        s
        for s in lines
        if s.startswith(("Type-check error", "The problem arose", "Parameter", "Expected type", "Actual value"))
    ]
    return "a called function refuses: " + "; ".join(chosen or lines[:2])
