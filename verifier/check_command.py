"""`verifier check`: the command, from its options to its exit status."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from .errors import VerifierError

T = TypeVar("T")


class Format(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


def check(
    targets: Annotated[
        list[str], typer.Argument(help="Files, folders, packages, file.py:function or module:function.")
    ],
    given: Annotated[
        list[str] | None, typer.Option(metavar="PREMISE", help='What is known of sizes, as "d % h == 0" (repeatable).')
    ] = None,
    output: Annotated[Format, typer.Option("--format", help="How to print the findings.")] = Format.TEXT,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to a file instead of standard output.")
    ] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Processes at work.")] = None,
    timeout: Annotated[float | None, typer.Option(min=0.1, help="Seconds a function.")] = None,
    memory: Annotated[int | None, typer.Option(min=256, help="Megabytes a process.")] = None,
    values: Annotated[
        bool | None, typer.Option("--values/--shapes-only", help="Look for wrong values behind right shapes too.")
    ] = None,
    cache: Annotated[bool, typer.Option("--cache/--no-cache", help="Keep reports of unchanged files.")] = True,
    allow_undecided: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A function that may stay UNDECIDED or UNSUPPORTED (repeatable)."),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print remarks too.")] = False,
) -> None:
    """Is annotated array code right at every size? Files are imported, as pytest does."""
    try:
        status, text = run(
            targets, given or [], output, jobs, timeout, memory, values, cache, allow_undecided or [], verbose
        )
    except VerifierError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None
    if out is not None:
        out.write_text(text + "\n", encoding="utf-8")
    elif text:
        typer.echo(text)
    raise typer.Exit(status)


def run(
    targets: list[str], given: list[str], output: Format, jobs: int | None, timeout: float | None, memory: int | None,
    values: bool | None, cache: bool, allowed: list[str], verbose: bool,
) -> tuple[int, str]:  # fmt: skip
    """Exit status and text.

    Raises:
        VerifierError: wrong use: a target that is not there, a premise that is none, no annotated function.
    """
    from platformdirs import user_cache_path

    from .check.cache import Cache
    from .check.discovery import targets_of
    from .check.pool import MEMORY, TIMEOUT, Options
    from .check.pool import check as check_all
    from .check.settings import settings_near

    chosen = [t for text in targets for t in targets_of(text)]
    first = chosen[0].file
    near = first is not None and Path(targets[0].partition(":")[0]).exists()
    settings = settings_near((first.parent if near and first is not None else Path()).resolve())
    premises = (*settings.given, *given)
    for premise in premises:
        _read(premise)
    options = Options(
        premises,
        _first(values, settings.values, True),
        _first(timeout, settings.timeout, TIMEOUT),
        _first(memory, settings.memory, MEMORY),
        _first(jobs, settings.jobs, 1),
        settings.make,
        settings.folder,
        Cache(user_cache_path("verifier") / "check" if cache else None),
        settings.import_timeout,
    )
    checked = check_all(chosen, options)
    told = {text for report in checked.reports for text in report.assumptions}
    for premise in given:
        if checked.reports and premise not in told:
            typer.echo(f"warning: no function has the sizes of --given {premise!r}", err=True)
    if all(r.verdict == "SKIPPED" for r in checked.reports) and not checked.unread:
        skipped = "".join(f"; {r.name}, line {r.line}: {r.reason}" for r in checked.reports[:3])
        raise VerifierError(
            f"no annotated function to check in {', '.join(targets)}{skipped}",
            remedy='annotate arrays with jaxtyping: x: Float[np.ndarray, "n d"]',
        )
    failing = any(
        r.fails and not (r.name in allowed and r.verdict in ("UNDECIDED", "UNSUPPORTED")) for r in checked.reports
    )
    undecided = all(r.verdict in ("SKIPPED", "UNDECIDED", "UNSUPPORTED") for r in checked.reports)
    failing |= undecided and any(r.name not in allowed for r in checked.reports)
    return (2 if checked.unread else 1 if failing else 0), _printed(checked, output, verbose)


def _read(premise: str) -> None:
    """A premise is one comparison of sizes.

    Raises:
        VerifierError: it is not; the premise is quoted.
    """
    from .dims import symbol
    from .dims.expression import parse

    remedy = 'write it as "d % h == 0" or "n <= max_len"'
    try:
        expression = parse(premise.replace("self.", "self_"))
        if expression.is_relation:
            expression.value({name: symbol(name) for name in expression.names})
    except VerifierError as error:
        raise VerifierError(f"--given {premise!r}: {error.fact}", remedy=remedy) from None
    if not expression.is_relation:
        raise VerifierError(f"--given {premise!r} is no comparison", remedy=remedy)


def _first(*values: T | None) -> T:
    return next(v for v in values if v is not None)


def _printed(checked: object, output: Format, verbose: bool) -> str:
    from .check.pool import Checked
    from .report.check_json import github_of, json_of
    from .report.check_sarif import sarif_of
    from .report.check_text import text_of

    assert isinstance(checked, Checked)
    if output is Format.JSON:
        return json_of(checked)
    if output is Format.SARIF:
        return sarif_of(checked)
    return github_of(checked) if output is Format.GITHUB else text_of(checked, verbose)
