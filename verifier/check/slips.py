"""Names of axes that are slips of the pen: `"n dd"` of the result, where the arguments have `d`.

jaxtyping binds a name that only the result has to whatever size is there, and so checks nothing. It is taken for a
slip where it is one letter away from a name of the arguments, and its axis always has that name's size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .annotated import hints_of, words_of
from .frameworks import array_hints_in

NAME = re.compile(r"[A-Za-z_]\w*")
BRACES = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Slip:
    """A name that only the result has, and the one that is meant."""

    name: str
    meant: str

    @property
    def message(self) -> str:
        return (
            f"only the result has an axis {self.name}, whose size is always {self.meant}: "
            f"nothing binds the name, so that any size fits it"
        )

    @property
    def fix(self) -> str:
        return f"write {self.meant} for {self.name} in the result"


def slips_in(function: Callable[..., Any], results: Sequence[Mapping[str, Any]]) -> Iterator[Slip]:
    """The slips in a result's annotation; `results` says what the names stood for in each way that returned."""
    hints = hints_of(function)
    arguments = {n for name, hint in hints.items() if name != "return" for n in _names(hint)}
    for name in dict.fromkeys(_names(hints.get("return"), whole=True)):
        if name in arguments or not results:
            continue
        for meant in sorted(arguments):
            if is_near(name, meant) and all(_alike(sizes.get(name), sizes.get(meant)) for sizes in results):
                yield Slip(name, meant)
                break


def _names(hint: Any, whole: bool = False) -> Iterator[str]:
    """The names in the axes of a hint; with `whole` those that are an axis by themselves, and so bind."""
    for array in array_hints_in(hint):
        for word in words_of(array.dim_str):
            plain = BRACES.sub("0", word.lstrip("#?"))
            plain = plain.partition("=")[2] if "=" in plain else plain
            if not whole:
                yield from NAME.findall(plain)
            elif plain.isidentifier() and not plain.startswith("_"):
                yield plain


def _alike(size: Any, other: Any) -> bool:
    return size is not None and other is not None and str(size) == str(other)


def is_near(name: str, other: str) -> bool:
    """Whether one letter too many, too few, another or exchanged makes one name of the other.

    Two names of one letter are two names.

    >>> is_near("dd", "d"), is_near("d_f", "d_ff"), is_near("d_modle", "d_model"), is_near("n", "m")
    (True, True, True, False)
    """
    if name == other or (len(name) == len(other) == 1):
        return False
    short, long = sorted((name, other), key=len)
    if len(long) == len(short) + 1:
        return any(long[:i] + long[i + 1 :] == short for i in range(len(long)))
    if len(long) != len(short):
        return False
    differing = [i for i, (a, b) in enumerate(zip(short, long, strict=True)) if a != b]
    if len(differing) == 1:
        return True
    exchanged = len(differing) == 2 and differing[1] == differing[0] + 1
    return exchanged and short[differing[0]] == long[differing[1]] and short[differing[1]] == long[differing[0]]
