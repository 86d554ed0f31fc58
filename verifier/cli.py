"""The command line: `verifier audit`, `verifier kernels`, `verifier sentences`.

Heavy imports stand inside the commands: an audit that is cached loads neither NumPy nor SymPy.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from . import __version__
from .check_command import check
from .config_command import config, explain
from .errors import Place, VerifierError
from .same_command import same

if TYPE_CHECKING:
    from .audit.claim import Claim

app = typer.Typer(
    help="Proves statements about attention for every size, or shows the smallest size that breaks them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Format(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"


class ReportFormat(StrEnum):
    """How an audit is reported."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        typer.echo(f"verifier {__version__}")
        raise typer.Exit


@app.command()
def audit(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Claim files, TOML or Markdown, or folders; without any, those about the question bank."),
    ] = None,
    document: Annotated[
        Path | None, typer.Option(help="The text the claims are about: claims whose sentence is gone are STALE.")
    ] = None,
    explain: Annotated[str | None, typer.Option(metavar="ID", help="Show one claim whole.")] = None,
    output: Annotated[ReportFormat, typer.Option("--format", help="How to report the results.")] = ReportFormat.TEXT,
    to: Annotated[Path | None, typer.Option("-o", "--output", help="Write the report to this file.")] = None,
    cache: Annotated[bool, typer.Option("--cache/--no-cache", help="Keep verdicts between runs.")] = True,
    allow_undecided: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A claim that may be UNDECIDED (repeatable).")
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds of processor time a claim.")] = 20.0,
) -> None:
    """Are the statements of a document true? Every claim is proved, refuted, or told what it lacks."""
    from .audit.run import audit as run

    result = run(
        paths or (),
        document=document,
        use_cache=cache,
        only=[explain] if explain else (),
        allow=allow_undecided or (),
        progress=_progress,
        seconds=timeout,
    )
    for error in result.errors:
        _complain(error)
    from .report import written

    if to is not None:
        with _mistakes():
            written.write(written.rendered(result, output, explain=explain is not None), to)
    elif output is ReportFormat.TEXT:
        written.show(result, _console(), explain=explain is not None)
    else:
        typer.echo(written.rendered(result, output), nl=False)
    raise typer.Exit(result.exit_status)


app.command()(check)
app.command()(same)
app.command()(config)
app.command()(explain)


@app.command()
def kernels(
    name: Annotated[str | None, typer.Argument(help="One kernel to show whole.")] = None,
    at: Annotated[str, typer.Option(metavar="n=10,h=8", help="Sizes to put into the formulas.")] = "",
    output: Annotated[Format, typer.Option("--format", help="How to print.")] = Format.TEXT,
) -> None:
    """Kernels, and one kernel's shapes, parameters and FLOPs at every size."""
    from .report import kernel_page

    with _mistakes():
        found = kernel_page.listing() if name is None else kernel_page.page(name, kernel_page.parse_sizes(at))
    if output is Format.JSON:
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
    elif name is None:
        kernel_page.show_list(_console())
    else:
        kernel_page.show(found, _console())  # pyright: ignore[reportArgumentType]


@app.command()
def sentences(document: Annotated[Path, typer.Argument(help="A text file.")]) -> None:
    """The sentences of a document with the hashes by which claims name them."""
    from .audit.document import digest, read_document
    from .audit.document import sentences as split

    with _mistakes():
        for sentence in split(read_document(document)):
            typer.echo(f"{digest(sentence)}  {sentence}")


@app.command()
def recheck(
    report: Annotated[Path, typer.Argument(help="A report that `verifier audit --format json` wrote.")],
) -> None:
    """Every certificate and witness of a report once more, by a second evaluator that does not use SymPy."""
    from .audit.recheck import recheck_report

    with _mistakes():
        found = recheck_report(_read_json(report))
    for failure in found.failures:
        typer.echo(str(failure))
    for shown, count in found.shown.items():
        typer.echo(f"{count:5}  {shown}")
    typer.echo(f"{found.checked} checks, {len(found.failures)} failed")
    raise typer.Exit(1 if found.failures else 0)


def _read_json(file: Path) -> dict[str, object]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise VerifierError(
            f"cannot be read as JSON: {error}",
            place=Place(str(file)),
            remedy="verifier audit --format json > report.json",
        ) from None
    if not isinstance(data, dict):
        raise VerifierError(
            "this is no report", place=Place(str(file)), remedy="verifier audit --format json > report.json"
        )
    return data


@contextmanager
def _mistakes() -> Generator[None]:
    """A mistake of the user's ends the command with its text and exit status 2."""
    try:
        yield
    except VerifierError as error:
        _complain(error)
        raise typer.Exit(2) from None


def _complain(error: VerifierError) -> None:
    typer.echo(f"error: {error}", err=True)


def _console() -> Console:
    # Without a terminal the width is fixed, so that the report reads the same in CI logs everywhere.
    return Console(highlight=False, width=None if sys.stdout.isatty() else 120)


def _progress(claims: Sequence[Claim]) -> Iterator[Claim]:
    """A bar on standard error, where someone watches, once a second has passed."""
    if not sys.stderr.isatty():
        yield from claims
        return
    from rich.progress import track

    yield from track(claims, "judging claims", console=Console(stderr=True), transient=True, update_period=1.0)


def main() -> None:
    """The console script."""
    app()
