"""jaxtyping's axis grammar: `"b #n *rest h*d_k name=4 ..."` -> axes -> sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
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
    if word == "...":
        return Axis(word, "variadic")
    if "..." in word or ("," in word and "(" not in word) or word.endswith("#"):
        raise _no_axis(word, "axes are separated by spaces, and marks stand in front")
    body = word
    marks: set[str] = set()
    while body and (body[0] in "#*?_" or body.count("=") == 1):
        if body[0] in "#*?_":
            if body[0] in marks:
                raise _no_axis(word, f"{body[0]!r} stands twice")
            marks.add(body[0])
            body = body[1:]
        else:  # `rows=4` is 4 with a comment
            body = body.partition("=")[2]
    broadcastable, variadic, anonymous = ("#" in marks, "*" in marks, "_" in marks)
    plain = not marks - {"#"}
    if body.isidentifier() or (not body and anonymous):
        if anonymous and broadcastable:
            raise _no_axis(word, "an anonymous axis has nothing to broadcast against")
        if variadic:
            return Axis(word, "variadic", "" if anonymous else body, broadcastable=broadcastable)
        return Axis(word, "anonymous") if anonymous else Axis(word, "named", body, broadcastable=broadcastable)
    if not plain:
        raise _no_axis(word, "only a name can be preceded by '*', '_' or '?'")
    with suppress(ValueError):
        return Axis(word, "fixed", size=int(body), broadcastable=broadcastable)
    try:
        expression = parse(body.replace("{", "(").replace("}", ")"))
    except ExpressionError as error:
        raise _no_axis(word, error.fact) from None
    if not expression.is_number:
        raise _no_axis(word, "an axis has one size")
    return Axis(word, "expression", expression=expression, broadcastable=broadcastable)


def _no_axis(word: str, why: str) -> ExpressionError:
    return ExpressionError(f"{word!r} is no axis: {why}", remedy="see jaxtyping's documentation of axes")


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
