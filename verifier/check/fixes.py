"""What to do about a failing line: the remedy that fits the sizes in hand, before the advice to declare them equal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from ..dims import Dim, Relation, is_dim
from ..dims.dim import symbols_of
from ..dims.wording import sides_of, size_text
from ..graph.node import ShapeMismatch
from .annotated import words_of
from .mismatch import AnnotationMismatch
from .requirement import divisibility

Shape = tuple[str, ...]
LINEAR = "the weight of a linear layer"
"""What PyTorch's front end calls the second operand there: [output, input] features."""
SHAPE = re.compile(r"\[([^\[\]]*)\]")
NAMED = re.compile(r"^([\w.]+): \[([^\[\]]*)\]$")


def fix_of(code: str, error: BaseException, arrays: Sequence[str], conditions: Sequence[Relation] = ()) -> str:
    """The line "fix" of a failure; empty where nothing better is known than what the message says.

    Shapes come from the message, which has those of the operands, and from the arrays named on the line.
    """
    named = {m[1]: _sizes(m[2]) for m in map(NAMED.match, arrays) if m is not None}
    purpose = error.obligation.purpose if isinstance(error, ShapeMismatch) else ""
    shapes = [_sizes(s) for s in SHAPE.findall(purpose)]
    found = _of_division(error)
    if found:
        pass
    elif isinstance(error, AnnotationMismatch):
        found = _of_result(error)
    elif code == "ATT002" and LINEAR in purpose and len(shapes) == 2:
        (wide, taken), (made, _) = (shapes[0][-1], shapes[1][1]), shapes[1]
        made_anew = f"make it Linear({wide}, {taken if made == wide else made})"
        found = f"give the layer an input of {taken} features, or {made_anew}"
    elif code == "ATT002":
        found = _of_contraction(shapes, named) if len(shapes) == 2 and "einsum" not in purpose else _of_labels(purpose)
    elif code == "ATT003":
        found = _of_broadcast(shapes, named)
    elif code == "ATT005":
        found = _of_joining(purpose, [*named.values()], named)
    elif code == "ATT006":
        found = _of_index(purpose, error)
    elif type(error).__name__ == "NotAView":
        found = "reshape(...) in place of view(...), which copies where it must; or .contiguous() before it"
    elif code == "ATT008":
        found = "index it, as in x[:, 0], or reduce over it, if one of its elements is meant"
    return _of_counts(conditions) or found or _of_sizes(error) or _of_conditions(conditions)


def _sizes(text: str) -> Shape:
    return tuple(p.strip() for p in text.split(",")) if text.strip() else ()


def _text(shape: Shape) -> str:
    return f"[{', '.join(shape)}]"


def _called(shape: Shape, named: dict[str, Shape], otherwise: str) -> str:
    """The array on the line that has this shape, where there is one."""
    names = [n for n, s in named.items() if s == shape]
    return names[0] if len(names) == 1 else otherwise


def swap(shape: Shape, wanted: Shape) -> tuple[int, int] | None:
    """Two axes whose exchange turns one shape into the other.

    >>> swap(("n", "m"), ("m", "n"))
    (0, 1)
    """
    if len(shape) != len(wanted) or shape == wanted:
        return None
    for i, j in combinations(range(len(shape)), 2):
        turned = list(shape)
        turned[i], turned[j] = turned[j], turned[i]
        if tuple(turned) == wanted:
            return i, j
    return None


def _swapped(name: str, shape: Shape, axes: tuple[int, int]) -> str:
    """The call that swaps two axes of an array; in words where nothing on the line names it."""
    if not name:
        return f"swap axes {axes[0]} and {axes[1]} of {_text(shape)}"
    return f"{name}.T" if len(shape) == 2 else f"{name}.swapaxes({axes[0]}, {axes[1]})"


def _of_result(error: AnnotationMismatch) -> str:
    if error.left is None or error.shape is None:
        return ""
    shape, wanted = tuple(map(str, error.shape)), words_of(error.annotation)
    axes = swap(shape, wanted)
    if axes is not None:
        return f'swap axes {axes[0]} and {axes[1]} of the result, or annotate it "{" ".join(shape)}"'
    return f"return {error.right} there, or annotate the axis {error.left}"


def _of_contraction(shapes: list[Shape], named: dict[str, Shape]) -> str:
    """The transpose that makes the last axis of the left array that before the last of the right one."""
    left, right = shapes
    if not left or not right:
        return ""
    inner = right[-min(len(right), 2)]
    ways: list[str] = []
    if len(right) > 1 and right[-1] == left[-1]:
        ways.append(f"transpose the right one: {_swapped(_called(right, named, ''), right, (-1, -2))}")
    if len(left) > 1 and left[-2] == inner:
        turned = (*left[:-2], left[-1], left[-2])
        known = _called(turned, named, "")
        ways.append(
            f"use {known} as it is, {_text(turned)}, not transposed"
            if known
            else f"transpose the left one: {_swapped(_called(left, named, ''), left, (-1, -2))}"
        )
    return ", or ".join(ways[:1])


def _of_labels(purpose: str) -> str:
    label = re.match(r"einsum (?:label|axis) (\S+?):", purpose)
    return f"{label[1]} stands for two axes: swap the labels of one operand, or give them two letters" if label else ""


def _of_broadcast(shapes: list[Shape], named: dict[str, Shape]) -> str:
    """Swapped axes, or axes of one where the smaller array has none."""
    if len(shapes) < 2:
        return ""
    widest = max(shapes, key=len)
    for shape in shapes:
        axes = swap(shape, widest)
        if axes is not None and "1" not in shape:
            odd, other = (shape, widest) if shapes.count(widest) >= shapes.count(shape) else (widest, shape)
            if sum(s == odd for s in shapes) == 1 and odd == widest and shapes[-1] != odd:
                odd, other = other, odd
            name = _called(odd, named, "")
            return f"swap the axes of {_text(odd)}: {_swapped(name, odd, axes) if name else 'that'} is {_text(other)}"
    for shape in shapes:
        places = _places(shape, widest)
        if places is not None and len(shape) < len(widest):
            index = ", ".join(":" if i in places else "None" for i in range(len(widest)))
            return f"put axes of one where {_text(shape)} has none: {_called(shape, named, 'it')}[{index}]"
    return ""


def _places(shape: Shape, within: Shape) -> list[int] | None:
    """Where the axes of one shape are in another, in order, if each is there once."""
    if not shape or any(within.count(s) != 1 for s in shape):
        return None
    places = [within.index(s) for s in shape]
    return places if places == sorted(places) else None


def _of_joining(purpose: str, shapes: list[Shape], named: dict[str, Shape]) -> str:
    if purpose.startswith("stacking"):
        return "np.concatenate joins arrays of different lengths; np.stack wants one shape"
    for first, second in combinations(shapes, 2):
        axes = swap(second, first)
        if axes is not None:
            return f"bring both into one layout: {_swapped(_called(second, named, ''), second, axes)}"
        differing = [i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b]
        refused = re.search(r"axis (\d+) must agree", purpose)
        if len(first) == len(second) and len(differing) == 1 and (not refused or int(refused[1]) == differing[0]):
            return f"join along axis {differing[0]}, the only one that differs"
    return ""


def _of_index(purpose: str, error: BaseException) -> str:
    axis = re.search(r"axis (-?\d+) is out of bounds for array of dimension (\d+)", str(error))
    if axis is not None:
        return f"there are {axis[2]} axes: 0 to {int(axis[2]) - 1}, or -1 for the last"
    if purpose.startswith("boolean index"):
        return "index with a mask of the axis's own length"
    return "keep the index below the size" if isinstance(error, IndexError) or purpose.startswith("index") else ""


def _of_division(error: BaseException) -> str:
    """Two sizes that are equal where one size divides another: 2*(d // 2) is d where d is even."""
    relation = getattr(getattr(error, "obligation", None), "relation", None)
    known = relation if isinstance(relation, Relation) and relation.op == "==" else error
    left, right = getattr(known, "left", None), getattr(known, "right", None)
    if left is None or right is None or not all(is_dim(s) or type(s) is int for s in (left, right)):
        return ""
    divides = divisibility(left - right)
    return "" if divides is None else f"# verifier: given {divides.text}    or    assert {divides.text}"


def _of_sizes(error: BaseException) -> str:
    """The two sizes that nothing makes equal."""
    relation = getattr(getattr(error, "obligation", None), "relation", None)
    left, right = (
        (relation.left, relation.right) if isinstance(relation, Relation) else
        (getattr(error, "left", None), getattr(error, "right", None))
    )  # fmt: skip
    if left is None or right is None or not all(is_dim(s) or type(s) is int for s in (left, right)):
        return ""
    if not is_dim(left) or not is_dim(right):
        return f"use {left if is_dim(left) else right} in place of the number"
    if isinstance(relation, Relation) and relation.op != "==":
        return ""
    return _agree(left, right)


def _agree(left: Dim, right: Dim) -> str:
    if type(left - right) is int:
        return f"one has {abs(left - right)} more than the other at every size: {left} and {right}"
    sides = sides_of(left - right)
    one, other = map(size_text, sides if all(map(is_dim, sides)) else (left, right))
    return f"make {one} and {other} agree, or declare {one} == {other} if they are one size"


def _of_conditions(conditions: Sequence[Relation]) -> str:
    """The last two sizes that the path found different."""
    for condition in reversed(conditions):
        if condition.op == "!=" and is_dim(condition.left) and is_dim(condition.right):
            return _agree(condition.left, condition.right)
    return ""


def _of_counts(conditions: Sequence[Relation]) -> str:
    """Where the last sizes found different are counts of what masks select."""
    last = next((c for c in reversed(conditions) if c.op == "!=" and is_dim(c.left) and is_dim(c.right)), None)
    if last is not None and any(n.startswith("count_") for s in (last.left, last.right) for n in symbols_of(s)):
        return "select and assign by one mask: how many elements it has is known from the data alone"
    return ""
