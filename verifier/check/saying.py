"""A finding in its reader's words: sizes as short as premises allow, parameters by their path, the framework's names.

Rules say what they know where they find it; what only the whole call knows is put in here, once for all of them.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..dims import Relation, is_dim, symbol
from ..dims.dim import Size
from ..dims.expression import parse
from ..dims.wording import Exact, exact_of, size_text
from ..errors import VerifierError
from ..frontends.front_end import parameters_of
from ..frontends.spelling import spelled
from .finding import Finding

TOKEN = re.compile(
    r"(?P<operand>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|\d+)|(?P<open>\()|(?P<close>\))|(?P<operator> ?(?://|\*\*|[-+*%]) ?)"
)
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
ORDERED = ("ATT030", "ATT031", "ATT032", "ATT034")
"""Codes whose messages are about the order of an axis's factors: there `h*d` is not `d*h`."""
PARAMETER = re.compile(r"\bparameter_\d+\b")


def said(finding: Finding, premises: Iterable[Relation], arguments: Mapping[str, Any]) -> Finding:
    """The finding in the words of a call: under its premises, and with its objects' parameters by their paths."""
    texts = (finding.message, finding.why, finding.fix, *finding.arrays)
    parameters: dict[str, str] = {}
    if any(PARAMETER.search(t) for t in texts):
        for name, value in arguments.items():
            parameters |= {node: f"{name}.{path}" for node, path in parameters_of(value).items()}
    return Words(exact_of(premises), parameters).said(finding)


@dataclass(frozen=True)
class Words:
    """What a call knows of its sizes and its objects' arrays."""

    exact: Exact = ()
    parameters: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())

    def said(self, finding: Finding) -> Finding:
        """The finding in these words."""
        change = self.plain if finding.code in ORDERED else self.text
        return rewritten(finding, change)

    def text(self, text: str) -> str:
        """Sizes that premises make shorter, and quotients as a person writes them."""
        text, done, parts = self.plain(text), 0, list[str]()
        for start, end in sizes_in(text):
            if "//" in text[start:end]:
                called = text[start] == "(" and text[:start][-1:].isidentifier()  # `sqrt(d // h)`
                size = self.size(text[start:end])
                parts += [text[done:start], f"({size})" if called else size]
                done = end
        return "".join([*parts, text[done:]])

    def plain(self, text: str) -> str:
        """Parameters by their path, and an axis that was split by a divisor of it under its own name."""
        text = PARAMETER.sub(lambda m: self.parameters.get(m[0], m[0]), text)
        for a, b in self.exact:
            for quotient in (f"({a}/{b})*{b}", f"{a}/{b}*{b}"):
                text = text.replace(quotient, str(a))
            for quotient in (f"({a}/({b}))", f"({a}/{b})"):  # as facts name it
                text = text.replace(quotient, f"({a} // {b})")
        return text

    def size(self, piece: str) -> str:
        """One size of a text; what is none stays as it is."""
        names: dict[str, str] = {}

        def plain(found: re.Match[str]) -> str:
            return names.setdefault(found[0], f"dotted_{len(names)}")

        try:
            expression = parse(DOTTED.sub(plain, piece))
            known = {short: symbol(name) for name, short in names.items()}
            value: Size = expression.value({**{n: symbol(n) for n in expression.names}, **known})
        except (VerifierError, ArithmeticError, TypeError, ValueError):
            return piece
        return size_text(value, self.exact) if is_dim(value) else str(value)


def sizes_in(text: str) -> Iterator[tuple[int, int]]:
    """Where expressions stand in a text: operands with operators between them, as long as they go.

    >>> [text[a:b] for text in ["axis 1 is d - (d // 2), of [n, 2*d]"] for a, b in sizes_in(text)]
    ['axis', '1', 'is', 'd - (d // 2)', 'of', 'n', '2*d']
    """
    place = 0
    while place < len(text):
        end = _expression(text, place)
        if end is None:
            place += 1
            continue
        if text[end : end + 1] != "[":  # what an array of places holds
            yield place, end
        place = end


def _expression(text: str, place: int) -> int | None:
    """The end of the longest expression that begins there."""
    end = _operand(text, place)
    while end is not None:
        operator = TOKEN.match(text, end)
        following = _operand(text, operator.end()) if operator is not None and operator["operator"] else None
        if following is None:
            break
        end = following
    return end


def _operand(text: str, place: int) -> int | None:
    token = TOKEN.match(text, place)
    if token is None or token["operand"]:
        return None if token is None else token.end()
    inner = _expression(text, token.end()) if token["open"] else None
    closing = None if inner is None else TOKEN.match(text, inner)
    return closing.end() if closing is not None and closing["close"] else None


def rewritten(finding: Finding, change: Callable[[str], str]) -> Finding:
    """The finding with each of its texts changed."""
    return replace(
        finding,
        message=change(finding.message),
        why=change(finding.why),
        fix=change(finding.fix),
        arrays=[change(a) for a in finding.arrays],
    )


def under_names(finding: Finding, sizes: Mapping[str, int], other: Finding, its_sizes: Mapping[str, int]) -> Finding:
    """The finding with the numbers that stand for sizes under their names.

    It was found twice, where a size that the code wants as a number was one number and where it was another: what was
    the size in both texts is that size, and what stayed is a number of the code's own.
    """
    twins = iter((other.message, other.why, other.fix, *other.arrays))
    if len(finding.arrays) != len(other.arrays):
        return finding
    return rewritten(finding, lambda text: _named(text, sizes, next(twins), its_sizes))


def _named(text: str, sizes: Mapping[str, int], other: str, its_sizes: Mapping[str, int]) -> str:
    mine, theirs = NUMBER.split(text), NUMBER.split(other)
    if len(mine) != len(theirs) or mine[::2] != theirs[::2]:
        return text
    for place in range(1, len(mine), 2):
        a, b = mine[place], theirs[place]
        names = [n for n, size in sizes.items() if str(size) == a and str(its_sizes.get(n)) == b]
        if a != b and len(names) == 1:
            mine[place] = names[0]
    return "".join(mine)


NUMBER = re.compile(r"((?<![\w.])\d+(?![\w.]))")


def in_framework(finding: Finding, framework: str) -> Finding:
    """The finding in the names of its framework, unless its line calls NumPy itself."""
    line = linecache.getline(finding.file, finding.line)
    if re.search(r"\b(np|numpy)\.", line):
        return finding
    return rewritten(finding, lambda text: spelled(text, framework))
