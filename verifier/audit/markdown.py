"""Claim blocks in Markdown: fenced blocks whose info string is `claim`, with the TOML of one or more claims.

A block stands in the text that it is about, so its section is the heading above it where it names none, and
`[document]` of one block holds for those that follow. What looks like a claim block and is none is an error: a
statement that nobody checks must not look checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent

from ..errors import Place, VerifierError

INFO = "claim"
SUFFIXES = (".md", ".markdown")

_FENCE = re.compile(r"^[ \t]*(?P<quoted>(?:>[ \t]*)+)?(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`]*?)[ \t]*$")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_MARKS = re.compile(r"[*_`]+(?=\S)|(?<=\S)[*_`]+")


@dataclass(frozen=True)
class Block:
    """The text of one claim block, the line it begins at, and the heading that it stands under."""

    text: str
    first_line: int
    heading: str = ""


def is_markdown(name: str) -> bool:
    """Whether a file of this name is read as Markdown."""
    return name.lower().endswith(SUFFIXES)


def title_of(text: str) -> str:
    """The first heading, which is the document's title where no block gives one."""
    return next((heading for _, heading in _headings(text)), "")


def _headings(text: str) -> Iterator[tuple[int, str]]:
    """The headings outside of fenced blocks, each with its level."""
    closing = ""
    for line in text.splitlines():
        fence = _FENCE.match(line)
        if closing:
            closing = "" if fence and _closes(fence, closing) else closing
        elif fence:
            closing = fence["marks"]
        elif found := _HEADING.match(line):
            yield len(found[1]), _MARKS.sub("", found[2])


def blocks(text: str, file: str, errors: list[VerifierError]) -> Iterator[Block]:
    """The claim blocks of a Markdown text; what only looks like one is appended to the errors.

    A block inside of another block, as a text about claim blocks would show it, is not read.
    """
    heading = ""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if "<!--" in line and line.lstrip().startswith("<!--"):
            while "-->" not in line and number < len(lines):
                line = lines[number]
                number += 1
            continue
        fence = _FENCE.match(line)
        if fence is None:
            found = _HEADING.match(line)
            heading = _MARKS.sub("", found[2]) if found else heading
            continue
        start = number
        while number < len(lines):
            end = _FENCE.match(lines[number])
            if end is not None and _closes(end, fence["marks"]):
                break
            number += 1
        info = fence["info"].split()[0] if fence["info"] else ""
        problem = _problem(info, fence, closed=number < len(lines))
        if problem is not None:
            fact, remedy = problem
            errors.append(VerifierError(fact, place=Place(file, start), remedy=remedy))
        elif info == INFO:
            yield Block(dedent("".join(f"{line}\n" for line in lines[start:number])), start + 1, heading)
        number += 1


def _closes(fence: re.Match[str], opened: str) -> bool:
    return not fence["info"] and fence["marks"].startswith(opened)


def _problem(info: str, fence: re.Match[str], *, closed: bool) -> tuple[str, str] | None:
    """Why a block that looks like a claim block is none, and what to do."""
    word = info.strip("{}.").lower()
    if word not in (INFO, f"{INFO}s"):
        return None
    if info != INFO:
        return f"a block of {info!r} is not read", f"write {fence['marks']}{INFO}"
    if fence["quoted"]:
        return "a claim block inside a quotation is not read", "move it out of the quotation"
    if not closed:
        return "a claim block without an end", f"close it with {fence['marks']}"
    return None
