"""`verifier same`: the command, from its options to its exit status."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from .errors import VerifierError


class Format(StrEnum):
    """How the answer is printed."""

    TEXT = "text"
    JSON = "json"


def same(
    left: Annotated[str, typer.Argument(help="file.py:function or module:function.")],
    right: Annotated[
        str, typer.Argument(help="What it is compared with, such as verifier.kernels:multi_head_attention.")
    ],
    bind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OURS=THEIRS", help="An argument of the first that stands for one of the second (repeatable)."
        ),
    ] = None,
    given: Annotated[
        list[str] | None, typer.Option(metavar="PREMISE", help='What is known of sizes, as "m == n" (repeatable).')
    ] = None,
    output: Annotated[Format, typer.Option("--format", help="How to print the answer.")] = Format.TEXT,
) -> None:
    """Do two functions compute the same, at every size? Files are imported, as pytest does."""
    from .check.same import same as compare
    from .report.same_text import lines
    from .verdict import Truth

    try:
        result = compare(left, right, bind or (), given or ())
    except VerifierError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    text = (
        json.dumps(result.as_json, indent=2, ensure_ascii=False) if output is Format.JSON else "\n".join(lines(result))
    )
    typer.echo(text)
    raise typer.Exit(0 if result.verdict in (Truth.PROVED, Truth.BOUNDED) else 1)
