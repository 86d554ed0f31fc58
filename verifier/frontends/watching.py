"""On whose behalf the hash or the text of a symbol is asked for: ours, or that of the code under test.

Frames of Python's own library work for whoever called them. Texts that only go into a message (`raise`, the text of an
`assert`, `print`, a log) decide nothing; where these stand in a file is told by what loads it.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable
from itertools import islice
from types import FrameType

Span = tuple[int, int, int, int]
"""First line, first column, last line, last column, as ast has them."""

_messages: dict[str, tuple[Span, ...]] = {}
_servants: dict[str, bool] = {}
_asking: set[str] = set()
_LIBRARY = sysconfig.get_paths()["stdlib"] + "/"


def watch(file: str, messages: Iterable[Span]) -> None:
    """Symbols are kept from the code in this file, except in these places."""
    _messages[file] = tuple(messages)


def serves(file: str, asks: bool = False) -> None:
    """The code in this file works for whoever calls it; with `asks`, what it hashes itself it has compared before."""
    _servants[file] = True
    if asks:
        _asking.add(file)


def _is_servant(file: str) -> bool:
    known = _servants.get(file)
    if known is None:
        known = file.startswith(("<string>", "<frozen", _LIBRARY)) and "/site-packages/" not in file
        _servants[file] = known
    return known


def asked_by_code_under_test() -> bool:
    frame: FrameType | None
    frame = sys._getframe(3)  # pyright: ignore[reportPrivateUsage]
    if frame.f_code.co_filename in _asking:
        return False
    while frame is not None:
        file = frame.f_code.co_filename
        if file in _messages:
            return not _is_message(frame)
        if not _is_servant(file):
            return False
        frame = frame.f_back
    return False


def _is_message(frame: FrameType) -> bool:
    spans = _messages[frame.f_code.co_filename]
    positions = frame.f_code.co_positions()
    first, last, column, end = next(islice(positions, frame.f_lasti // 2, None), (None, None, None, None))
    if first is None or last is None or column is None or end is None:
        return False
    return any((a, b) <= (first, column) and (last, end) <= (c, d) for a, b, c, d in spans)
