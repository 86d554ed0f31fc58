"""jaxtyping's axis grammar: `"b #n *rest h*d_k name=4 ..."` -> axes -> sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import ExpressionError
from .dim import Size, symbol
from .expression import Expression, parse


@dataclass(frozen=True)
class Axis:
    """One axis of an annotation; `kind` is "named", "fixed", "expression", "anonymous" or "variadic"."""

    text: str
    kind: str
    name: str = ""
    size: int = 0
    expression: Expression | None = None
    broadcastable: bool = False

    @property
    def symbols(self) -> tuple[str, ...]:
        """Size symbols that it introduces; an expression only uses what others introduce."""
        return (self.name,) if self.kind == "named" else ()


def parse_axes(text: str) -> tuple[Axis, ...]:
    """The axes of a jaxtyping annotation.

    Raises:
        ExpressionError: an axis that is neither a name, a number nor an expression.

    >>> [a.kind for a in parse_axes("*batch n 4 h*d_k _")]
    ['variadic', 'named', 'fixed', 'expression', 'anonymous']
    """
    return tuple(_axis(word) for word in text.split())


def _axis(word: str) -> Axis:
    body, broadcastable, variadic = word, False, False
    while body and body[0] in "#*?_":
        if body[0] == "_":  # jaxtyping forgets the rest of the word too
            return Axis(word, "anonymous")
        broadcastable |= body[0] == "#"
        variadic |= body[0] == "*"
        body = body[1:]
    if body == "...":
        return Axis(word, "variadic")
    if "=" in body and body.count("=") == 1:
        body = body.partition("=")[2]
    if variadic:
        return Axis(word, "variadic", body, broadcastable=broadcastable)
    if body.isdigit():
        return Axis(word, "fixed", size=int(body), broadcastable=broadcastable)
    if body.isidentifier():
        return Axis(word, "named", body, broadcastable=broadcastable)
    try:
        return Axis(
            word, "expression", expression=parse(body.replace("{", "(").replace("}", ")")), broadcastable=broadcastable
        )
    except ExpressionError as error:
        raise ExpressionError(
            f"{word!r} is no axis: {error.fact}", remedy="see jaxtyping's documentation of axes"
        ) from None


def sizes_of(axes: Sequence[Axis], sizes: Mapping[str, Size]) -> tuple[Size, ...]:
    """The sizes of the axes where symbols have these values; variadic axes stand for none.

    Anonymous axes have no size here: whoever passes arguments names them first.
    """
    shape: list[Size] = []
    for axis in axes:
        if axis.kind == "named":
            shape.append(sizes.get(axis.name, symbol(axis.name)))
        elif axis.kind == "fixed":
            shape.append(axis.size)
        elif axis.expression is not None:
            names = {n: sizes.get(n, symbol(n)) for n in axis.expression.names}
            shape.append(axis.expression.value(names))
    return tuple(shape)
