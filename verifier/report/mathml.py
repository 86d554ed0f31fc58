"""Formulas as MathML.

Only text that parses becomes mathematics; whatever else is left as it was written. A long formula is several `math`
elements side by side, so that it breaks between its terms and factors and needs no scrolling on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from .formula import Node, NoFormula, read
from .markup import Markup, element, join

BREAK_AT = 20
"""Symbols that one unbreakable piece may hold."""
WIDEST = 36
"""Symbols that fit a phone; a wider piece, such as a number of 40 digits, scrolls in a box of its own."""

_SUBSCRIPT = re.compile(r"^(\D+?)([₀-₉]+)$")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_GREEK = {"alpha": "α", "beta": "β", "epsilon": "ε", "theta": "θ", "sigma": "σ", "mu": "μ", "pi": "π"}
_SHOWN = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥", "*": "·", "×": "·", "-": "−", "%": "mod"}


def formula(text: str, after: str = "") -> Markup:
    """A text as mathematics, as code where it is none; `after` is punctuation that no line may begin with.

    >>> formula("1/sqrt(m)")
    '<span class="formula"><math><mfrac><mn>1</mn><msqrt><mi>m</mi></msqrt></mfrac></math></span>'
    >>> formula("not (a formula")
    '<code>not (a formula</code>'
    """
    try:
        return shown(read(text), after)
    except NoFormula:
        return join([element("code", text), after])


def shown(node: Node, after: str = "") -> Markup:
    """A formula as one or more `math` elements."""
    pieces = _flow(node)
    opened = _bracket("(")
    # No blank after an opening bracket, which would show.
    breaks = [element("wbr") if piece[-1] == opened else " " for piece in pieces[:-1]]
    marked = [element("math", *piece) for piece in pieces]
    wide = [_width(piece) > WIDEST for piece in pieces]
    marked = [element("span", m, class_="wide") if w else m for m, w in zip(marked, wide, strict=True)]
    if after:
        marked[-1] = join([marked[-1], after]) if wide[-1] else element("span", marked[-1], after, class_="kept")
    return element("span", *zip(marked, [*breaks, None], strict=True), class_="formula")


Piece = list[Markup]


def _flow(node: Node) -> list[Piece]:
    """The pieces between which a line may break; a light formula is one piece."""
    if node.weight <= BREAK_AT:
        return [[_inline(node)]]
    if node.kind == "relation":
        return [*_flow(node.parts[0]), *_before(_operator(node.text), _flow(node.parts[1]))]
    if node.kind == "sum":
        return [p for i, part in enumerate(node.parts) for p in _flow_term(part, first=i == 0)]
    if node.kind == "sign":
        return _flow_term(node, first=True)
    if node.kind == "product":
        return _flow_product(node)
    if node.kind == "quotient":
        below = _before(_operator("/"), _flow_factors((node.parts[1],), closed=True))
        return [*_flow_factors((node.parts[0],)), *below]
    if node.kind == "fold":
        signs = _fold_signs(node)
        body = node.parts[1]
        inner = _flow(body)
        if body.kind in ("sum", "sign", "relation"):
            inner = _enclosed("(", inner, ")")
        return [*([s] for s in signs[:-1]), *_before(signs[-1], inner)]
    if node.kind == "call" and node.text not in ("sqrt", "O") and node.parts:
        return _enclosed_list([_identifier(node.text), _bracket("(")], node.parts, ")")
    if node.kind == "call" and node.text == "O" and len(node.parts) == 2:
        grows = _enclosed_list([_operator("∈"), _identifier("O"), _bracket("(")], node.parts[1:], ")")
        return [*_flow(node.parts[0]), *grows]
    if node.kind == "tuple":
        return _enclosed_list([_bracket(node.text)], node.parts, {"(": ")", "[": "]"}[node.text])
    if node.kind == "power" and node.parts[1].kind == "number":
        inner = _enclosed("(", _flow(node.parts[0]), "")
        inner[-1].append(element("msup", _bracket(")"), _inline(node.parts[1])))
        return inner
    return [[_inline(node)]]


def _flow_product(node: Node) -> list[Piece]:
    """Factor by factor: what is divided by comes first where it is light, else last behind a slash."""
    above, below = _divided(node)
    factors = above.parts if above.kind == "product" else (above,)
    if below.weight <= BREAK_AT:
        one = Node("quotient", "", (Node("number", "1"), below))
        return _flow_factors(factors if below == Node("number", "1") else (one, *factors))
    return [*_flow_factors(factors), *_before(_operator("/"), _flow_factors((below,), closed=True))]


def _flow_factors(factors: Sequence[Node], *, closed: bool = False) -> list[Piece]:
    pieces: list[Piece] = []
    for i, factor in enumerate(factors):
        inner = _flow(factor)
        if _needs_brackets(factor) or (closed and factor.kind in ("product", "quotient", "fold")):
            inner = _enclosed("(", inner, ")")
        pieces += _before(_operator("*"), inner) if i else inner
    return pieces


def _flow_term(part: Node, *, first: bool) -> list[Piece]:
    sign, inner = (part.text, part.parts[0]) if part.kind == "sign" else ("" if first else "+", part)
    pieces = _flow(inner)
    if part.kind == "sign" and inner.kind == "sum":
        pieces = _enclosed("(", pieces, ")")
    return _before(_operator(sign, prefix=first), pieces) if sign else pieces


def _before(mark: Markup, pieces: list[Piece]) -> list[Piece]:
    return [[mark, *pieces[0]], *pieces[1:]]


def _enclosed(left: str, pieces: list[Piece], right: str) -> list[Piece]:
    pieces = [[_bracket(left), *pieces[0]], *pieces[1:]]
    if right:
        pieces[-1] = [*pieces[-1], _bracket(right)]
    return pieces


def _enclosed_list(opening: Piece, parts: Sequence[Node], right: str) -> list[Piece]:
    pieces: list[Piece] = []
    for i, part in enumerate(parts):
        pieces += _flow(part)
        pieces[-1] = [*pieces[-1], _bracket(right) if i == len(parts) - 1 else element("mo", ",")]
    if _width(opening) + parts[0].weight > BREAK_AT:
        return [opening, *pieces]
    return [[*opening, *pieces[0]], *pieces[1:]]


def _width(piece: Piece) -> int:
    """Symbols of a piece: what is left of it without its tags."""
    return sum(len(re.sub(r"<[^>]*>", "", mark)) for mark in piece)


def _inline(node: Node) -> Markup:
    """One formula that does not break."""
    parts = node.parts
    match node.kind:
        case "number":
            return element("mn", node.text)
        case "name":
            return _identifier(node.text)
        case "entry":
            return element("mrow", _identifier(node.text), _bracket("["), _commas(parts), _bracket("]"))
        case "sign":
            return element("mrow", _operator(node.text, prefix=True), _bracketed(parts[0], parts[0].kind == "sum"))
        case "sum":
            return element("mrow", *(_summand(p, first=i == 0) for i, p in enumerate(parts)))
        case "product":
            return _product(node)
        case "quotient":
            return element("mfrac", _inline(parts[0]), _inline(parts[1]))
        case "floor":
            inside = element("mfrac", _inline(parts[0]), _inline(parts[1]))
            return element("mrow", element("mo", "⌊"), inside, element("mo", "⌋"))
        case "mod":
            sides = [_bracketed(p, p.kind in ("sum", "mod")) for p in parts]
            return element("mrow", sides[0], element("mo", "mod", lspace="0.3em", rspace="0.3em"), sides[1])
        case "relation":
            return element("mrow", _inline(parts[0]), _operator(node.text), _inline(parts[1]))
        case "power":
            return _power(parts[0], parts[1])
        case "tuple":
            closing = {"(": ")", "[": "]"}[node.text]
            return element("mrow", _bracket(node.text), _commas(parts), _bracket(closing))
        case "fold":
            body = _bracketed(parts[1], parts[1].kind in ("sum", "sign", "relation"))
            return element("mrow", *_fold_signs(node), body)
        case _:
            return _call(node)


def _call(node: Node) -> Markup:
    name, parts = node.text, node.parts
    if name == "sqrt" and len(parts) == 1:
        return element("msqrt", _inline(parts[0]))
    if name == "exp" and len(parts) == 1 and parts[0].weight <= 8:
        return element("msup", element("mi", "e"), _inline(parts[0]))
    if name == "O" and len(parts) == 2:
        inside = element("mrow", _identifier("O"), _bracket("("), _inline(parts[1]), _bracket(")"))
        return element("mrow", _inline(parts[0]), _operator("∈"), inside)
    return element("mrow", _identifier(name), _bracket("("), _commas(parts), _bracket(")"))


def _summand(node: Node, *, first: bool) -> Markup:
    if node.kind == "sign":
        inner = node.parts[0]
        return join((_operator(node.text, prefix=first), _bracketed(inner, inner.kind == "sum")))
    return _inline(node) if first else join((_operator("+"), _inline(node)))


def _product(node: Node) -> Markup:
    if any(_is_inverse(p) for p in node.parts):
        above, below = _divided(node)
        return element("mfrac", _inline(above), _inline(below))
    pieces: list[Markup] = []
    for i, part in enumerate(node.parts):
        if i:
            pieces.append(_operator("*"))
        pieces.append(_bracketed(part, _needs_brackets(part)))
    return element("mrow", *pieces)


def _divided(node: Node) -> tuple[Node, Node]:
    """A product with negative powers as what stands above and below the bar."""
    above = [p for p in node.parts if not _is_inverse(p)]
    below = [_inverted(p) for p in node.parts if _is_inverse(p)]
    return _times(above), _times(below)


def _times(factors: Sequence[Node]) -> Node:
    if len(factors) == 1:
        return factors[0]
    return Node("product", "", tuple(factors)) if factors else Node("number", "1")


def _needs_brackets(node: Node) -> bool:
    return node.kind in ("sum", "sign", "relation", "mod")


def _bracketed(node: Node, needed: bool) -> Markup:
    return element("mrow", _bracket("("), _inline(node), _bracket(")")) if needed else _inline(node)


def _exponent(node: Node) -> Fraction | None:
    """A constant exponent as a number."""
    match node.kind:
        case "number":
            return Fraction(node.text)
        case "sign":
            inner = _exponent(node.parts[0])
            return None if inner is None or node.text != "-" else -inner
        case "quotient":
            above, below = map(_exponent, node.parts)
            return None if above is None or not below else above / below
        case _:
            return None


def _is_inverse(node: Node) -> bool:
    exponent = _exponent(node.parts[1]) if node.kind == "power" else None
    return exponent is not None and exponent < 0


def _inverted(node: Node) -> Node:
    exponent = -(_exponent(node.parts[1]) or Fraction(0))
    if exponent == 1:
        return node.parts[0]
    above, below = Node("number", str(exponent.numerator)), Node("number", str(exponent.denominator))
    return Node(
        "power", "", (node.parts[0], above if exponent.denominator == 1 else Node("quotient", "", (above, below)))
    )


def _power(base: Node, exponent: Node) -> Markup:
    number = _exponent(exponent)
    if number is not None and number < 0:
        return element("mfrac", element("mn", "1"), _inline(_inverted(Node("power", "", (base, exponent)))))
    if number == Fraction(1, 2):
        return element("msqrt", _inline(base))
    if number is not None and number.numerator == 1 and number.denominator > 1:
        return element("mroot", _inline(base), element("mn", number.denominator))
    if base.kind == "name" and (parts := _subscripted(base.text)):
        return element("msubsup", *parts, _inline(exponent))
    tall = base.kind not in ("name", "number", "entry", "call", "tuple")
    return element("msup", _bracketed(base, tall), _inline(exponent))


def _fold_signs(node: Node) -> list[Markup]:
    """A big operator for each bound index, so that a line may break between them."""
    symbol = {"sum": "∑", "product": "∏", "prod": "∏"}.get(node.text)
    mark = element("mo", symbol, movablelimits="false") if symbol else element("mi", node.text)
    return [element("munder", mark, _inline(bound)) for bound in node.parts[0].parts]


def _commas(parts: Sequence[Node]) -> Markup:
    return join(join((element("mo", ",") if i else None, _inline(p))) for i, p in enumerate(parts))


def _bracket(text: str) -> Markup:
    return element("mo", text, stretchy="false")


def _operator(text: str, *, prefix: bool = False) -> Markup:
    return element("mo", _SHOWN.get(text, text), form="prefix" if prefix else "infix")


def _subscripted(name: str) -> tuple[Markup, Markup] | None:
    """A name and what stands below it: `d_model`, `i₁`; None where it is one word."""
    if found := _SUBSCRIPT.match(name):
        return _identifier(found[1]), element("mn", found[2].translate(_LOWERED))
    base, _, low = name.partition("_")
    if base and low and "_" not in low and (len(base) <= 2 or base in _GREEK):
        return element("mi", _GREEK.get(base, base)), element("mn" if low.isdigit() else "mi", low)
    return None


def _identifier(name: str) -> Markup:
    """A size, index or array with its subscript; a longer name as the word that it is."""
    if parts := _subscripted(name):
        return element("msub", *parts)
    if len(name) == 1 or name in _GREEK:
        return element("mi", _GREEK.get(name, name))
    return element("mi", name, class_="word")
