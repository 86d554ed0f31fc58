"""An audit as the text of a file, in any format."""

from __future__ import annotations

import io
import json
from pathlib import Path

from rich.console import Console

from ..audit.run import Audit
from ..errors import Place, VerifierError

WIDTH = 120
"""Columns of a text report that nobody watches, so that it reads the same everywhere."""


def rendered(audit: Audit, form: str, *, explain: bool = False) -> str:
    """The report as text, JSON or HTML; `explain` shows the one claim of the audit whole."""
    if form == "html":
        from .html import page

        return page(audit)
    if form == "json":
        return json.dumps(audit.as_json, indent=2, ensure_ascii=False) + "\n"
    sink = io.StringIO()
    show(audit, Console(file=sink, highlight=False, width=WIDTH), explain=explain)
    return sink.getvalue()


def show(audit: Audit, console: Console, *, explain: bool = False) -> None:
    """Prints the report as text; nothing where no claim was judged."""
    if not audit.results:
        return
    if explain:
        from .explain import show as show_claim

        show_claim(audit.results[0], console)
    else:
        from .audit_text import show as show_all

        show_all(audit, console)


def write(text: str, path: Path) -> None:
    """Writes a report.

    Raises:
        VerifierError: the file cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        remedy = "choose a file in a folder that exists"
        raise VerifierError(f"cannot be written: {error.strerror}", place=Place(str(path)), remedy=remedy) from None
