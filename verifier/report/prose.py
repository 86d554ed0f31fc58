"""Sentences whose formulas are mathematics."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .formula import MAX_LENGTH, Node, NoFormula, Reader, Token, tokens_of
from .markup import Child, Markup, join
from .mathml import shown

_SUBSCRIPTED = re.compile(r"^\D+?[₀-₉]+$|^root\d+$")
_WORDS = frozenset({"left", "right"})
_LONE = frozenset("nmhg")


def prose(text: str) -> Markup:
    """A sentence whose formulas are mathematics.

    A name counts as one where it has a subscript, an index or arguments, or is a single letter beside an operator.

    >>> prose("the root of d_k and/or a width")
    'the root of <span class="formula"><math><msub><mi>d</mi><mi>k</mi></msub></math></span> and/or a width'
    """
    if len(text) > MAX_LENGTH:
        return join([text])
    tokens = tokens_of(text)
    pieces: list[Child] = []
    plain = at = 0
    while at < len(tokens):
        token = tokens[at]
        bound = token.start == 0 or text[token.start - 1] in " (“‘\"'"
        found = _formula_at(text, tokens, at) if bound else None
        if found is None:
            at += 1
            continue
        node, at = found
        end = tokens[at - 1].end
        after = re.match(r"[,.;:)]*", text[end:])
        pieces += [text[plain : token.start], shown(node, after[0] if after else "")]
        plain = end + (after.end() if after else 0)
    return join([*pieces, text[plain:]])


def _formula_at(text: str, tokens: Sequence[Token], at: int) -> tuple[Node, int] | None:
    """The longest formula that begins at a token and ends at the end of a word, and the token after it."""
    reader = Reader(tokens, at)
    try:
        node = reader.expression()
    except NoFormula:
        return None
    start, end = tokens[at].start, tokens[reader.at - 1].end
    after = text[end : end + 1]
    if after and not after.isspace() and after not in ".,:;)!?”’\"'":
        return None
    if _encloses(tokens[at : reader.at]) or re.search(r"[^\W\d]-[^\W\d]", text[start:end]):
        return None
    return (node, reader.at) if _is_mathematical(node) else None


def _encloses(tokens: Sequence[Token]) -> bool:
    """Whether one pair of round brackets stands around all of it: they belong to the sentence."""
    depth = 0
    for i, token in enumerate(tokens):
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            return token.text == ")" and i == len(tokens) - 1
    return False


def _is_mathematical(node: Node) -> bool:
    if node.kind == "name":
        return node.text in _LONE or _is_symbol(node.text)
    if node.kind in ("number", "tuple") and all(p.kind in ("name", "number") for p in node.parts):
        return bool(node.parts) and node.text == "[" and all(map(_is_mathematical, node.parts))
    return all(_is_symbol(n) or len(n) == 1 or n in _WORDS for n in _names(node))


def _is_symbol(name: str) -> bool:
    return bool(_SUBSCRIPTED.match(name)) or ("_" in name.strip("_") and name.isascii())


def _names(node: Node) -> list[str]:
    own = [node.text] if node.kind == "name" else []
    return own + [n for p in node.parts for n in _names(p)]
