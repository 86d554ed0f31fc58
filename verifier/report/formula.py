"""Formulas read: the language of claims, sizes as they print, and the index notation of terms, as a tree.

It reads to be shown, not to be evaluated: `verifier.dims.expression` alone gives a text its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

MAX_LENGTH = 20_000
MAX_DEPTH = 60

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<name>[^\W\d⁰¹²³⁴-⁹][^\W⁰¹²³⁴-⁹]*)"
    r"|(?P<op>\*\*|//|==|!=|<=|>=|[-+*/%<>=()\[\],·≤≥≠×−±])|(?P<raised>[⁰¹²³⁴-⁹]+)|(?P<other>.)",
    re.DOTALL,
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RELATIONS = ("==", "!=", "<=", ">=", "<", ">", "=", "≤", "≥", "≠")
_BINDING = {
    **dict.fromkeys(_RELATIONS, 1),
    **dict.fromkeys("+-−±", 2),
    **dict.fromkeys(["*", "·", "×", "/", "//", "%"], 3),
}


class NoFormula(ValueError):
    """The text is no formula of ours."""


@dataclass(frozen=True)
class Node:
    """A formula: a kind, the operator or name, and its parts."""

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()

    @cached_property
    def weight(self) -> int:
        """How many symbols it is wide, roughly."""
        own = len(self.text) if self.kind in ("name", "number", "call", "entry", "fold") else 1
        return own + sum(p.weight for p in self.parts)


@dataclass(frozen=True)
class Token:
    """One sign of a text."""

    kind: str
    text: str
    start: int
    end: int
    apart: bool
    """White space stands before it."""


def tokens_of(text: str) -> list[Token]:
    """All tokens; a character that belongs to no formula is one of kind `other`."""
    found: list[Token] = []
    apart = False
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind == "space":
            apart = True
        else:
            found.append(Token(kind, match[0], match.start(), match.end(), apart))
            apart = False
    return found


class Reader:
    """Reads the longest formula that begins at a token: an operator whose right side fails ends it."""

    def __init__(self, tokens: Sequence[Token], at: int = 0) -> None:
        self.tokens = tokens
        self.at = at
        self.depth = 0

    def peek(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, text: str) -> None:
        token = self.peek()
        if token is None or token.text != text:
            raise NoFormula(f"expected {text}")
        self.at += 1

    def sees(self, text: str, *, adjacent: bool = False) -> bool:
        token = self.peek()
        return token is not None and token.text == text and not (adjacent and token.apart)

    def expression(self, least: int = 0) -> Node:
        left = self.unary()
        nested = 0
        while (token := self.peek()) is not None and (binding := _BINDING.get(token.text, 0)) > least:
            before, depth = self.at, self.depth
            self.at += 1
            try:
                right = self.expression(binding)
            except NoFormula:
                self.at, self.depth = before, depth
                break
            left = _binary(token.text, left, right)
            nested += left.kind not in ("sum", "product")
            if nested > MAX_DEPTH:
                raise NoFormula("nested too deep")
        return left

    def unary(self) -> Node:
        """A signed operand; everything nested passes here, so the depth is counted here."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NoFormula("nested too deep")
        node = self.signed()
        self.depth -= 1
        return node

    def signed(self) -> Node:
        token = self.peek()
        if token is not None and token.text in ("-", "−", "+", "±"):
            self.at += 1
            return Node("sign", "-" if token.text == "−" else token.text, (self.expression(2),))
        return self.power()

    def power(self) -> Node:
        base = self.atom()
        token = self.peek()
        if token is not None and token.kind == "raised" and not token.apart:
            self.at += 1
            return Node("power", "", (base, Node("number", token.text.translate(_RAISED))))
        if self.sees("**"):
            self.at += 1
            return Node("power", "", (base, self.unary()))
        return base

    def atom(self) -> Node:
        token = self.peek()
        if token is None:
            raise NoFormula("ended")
        self.at += 1
        if token.kind == "number":
            return Node("number", token.text)
        if token.kind == "name":
            return self.named(token.text)
        if token.text == "(":
            inside = self.listed(")")
            return inside[0] if len(inside) == 1 else Node("tuple", "(", inside)
        if token.text == "[":
            return Node("tuple", "[", self.listed("]"))
        raise NoFormula(token.text)

    def named(self, name: str) -> Node:
        if self.sees("[", adjacent=True):
            self.at += 1
            inside = self.listed("]")
            if self.sees("(", adjacent=True):
                self.at += 1
                return Node("fold", name, (Node("tuple", "", inside), self.single(")")))
            return Node("entry", name, inside)
        if self.sees("(", adjacent=True):
            self.at += 1
            return Node("call", name, self.listed(")"))
        return Node("name", name)

    def listed(self, end: str) -> tuple[Node, ...]:
        found: list[Node] = []
        while not self.sees(end):
            found.append(self.expression())
            if not self.sees(end):
                self.take(",")
        self.take(end)
        return tuple(found)

    def single(self, end: str) -> Node:
        found = self.listed(end)
        if len(found) != 1:
            raise NoFormula("one part expected")
        return found[0]


def _binary(op: str, left: Node, right: Node) -> Node:
    op = {"·": "*", "×": "*", "−": "-"}.get(op, op)
    if op in ("+", "-", "±"):
        return Node("sum", "", (*_parts("sum", left), right if op == "+" else Node("sign", op, (right,))))
    if op == "*":
        return Node("product", "", (*_parts("product", left), *_parts("product", right)))
    if op == "/":
        return Node("quotient", "", (left, right))
    if op == "//":
        return Node("floor", "", (left, right))
    if op == "%":
        return Node("mod", "", (left, right))
    return Node("relation", op, (left, right))


def _parts(kind: str, node: Node) -> tuple[Node, ...]:
    return node.parts if node.kind == kind else (node,)


def read(text: str) -> Node:
    """The whole text as a formula.

    Raises:
        NoFormula: it is none.
    """
    if len(text) > MAX_LENGTH:
        raise NoFormula("too long")
    tokens = tokens_of(text)
    reader = Reader(tokens)
    node = reader.expression()
    if reader.at < len(tokens):
        raise NoFormula(text)
    return node
