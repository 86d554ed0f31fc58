"""The audit as a table by section, headed by what the reader should know first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..audit.claim import Result
from ..audit.run import Audit
from ..verdict import Agreement, Truth

COLOURS: Mapping[str, str] = {
    "PROVED": "green",
    "PROVED_IF": "yellow",
    "BOUNDED": "cyan",
    "MEASURED": "cyan",
    "REFUTED": "red",
    "UNDECIDED": "magenta",
    "NOT_A_CLAIM": "dim",
    "NOT_ENCODED": "dim",
}
SAID: Mapping[str, str] = {
    Truth.PROVED: "proved for every size",
    Truth.PROVED_IF: "true only under a condition",
    Truth.BOUNDED: "checked up to a bound",
    Truth.MEASURED: "measured",
    Truth.REFUTED: "refuted",
    Truth.UNDECIDED: "undecided",
    Truth.NOT_A_CLAIM: "no mathematics",
    Truth.NOT_ENCODED: "not yet encoded",
}


def show(audit: Audit, console: Console) -> None:
    """Prints the whole audit."""
    console.print(head(audit))
    for section, results in by_section(audit.results).items():
        console.print(Text(f"\n{section}", style="bold"))
        console.print(_table(results))
    contradictions = list(_contradictions(audit.results))
    if contradictions:
        console.print(Text("\nWhere the page contradicts itself", style="bold"))
        for line in contradictions:
            console.print(Text(f"  {line}"))
    for result in audit.results:
        for problem in result.problems:
            console.print(Text(f"\n{result.id}: {problem}\n    {result.place}", style="red"))


def head(audit: Audit) -> RenderableType:
    """How many statements have which verdict, and every one where the document is wrong or overstates."""
    total = len(audit.results)
    counts = [f"{n} {SAID[Truth(t)]}" for t, n in audit.summary.items()]
    lines = [Text(audit.document.title, style="bold"), Text(f"{total} statements: {', '.join(counts)}")]
    for side, label in (
        (Agreement.CONTRADICTS, "The document is wrong"),
        (Agreement.OVERSTATES, "The document overstates"),
    ):
        ids = [r.id for r in audit.results if r.agreement == side]
        if ids:
            lines.append(Text(f"{label} ({len(ids)}): {', '.join(ids)}"))
    return Group(*lines)


def by_section(results: Iterable[Result]) -> dict[str, list[Result]]:
    """The results under their sections, in order of first appearance."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.section or "Claims", []).append(result)
    return found


def _table(results: Iterable[Result]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, expand=True)
    table.add_column("id", no_wrap=True)
    table.add_column("statement, and what it needs or fails at", ratio=1)
    table.add_column("truth", no_wrap=True)
    table.add_column("page", no_wrap=True)
    table.add_column("method", no_wrap=True)
    for result in results:
        body = Text(result.statement)
        for line in remarks(result):
            body.append(f"\n{line}", style="dim")
        colour = COLOURS[result.truth]
        page = "" if result.agreement == "none" else result.agreement.lower()
        table.add_row(Text(result.id), body, Text(result.truth, style=colour), Text(page), Text(result.method))
    return table


def remarks(result: Result) -> list[str]:
    """What a verdict that is not simply PROVED rests on or fails at."""
    lines: list[str] = []
    if result.truth == Truth.PROVED_IF:
        lines += [f"needs {name}: otherwise {witness_text(witness)}" for name, witness in result.necessity.items()]
    elif result.truth in (Truth.REFUTED, Truth.UNDECIDED, Truth.MEASURED, Truth.BOUNDED):
        text = witness_text(result.witness) if result.witness else result.reason
        lines.append(f"{'fails at ' if result.truth == Truth.REFUTED and result.witness else ''}{text}")
    elif result.truth == Truth.NOT_A_CLAIM:
        lines.append(result.reason)
    return lines


def witness_text(witness: Mapping[str, Any]) -> str:
    """A counterexample in one line: the law or sizes, and the two sides there."""
    parts: list[str] = []
    if "law" in witness:
        parts.append(f"{witness['law']},")
    if witness.get("sizes"):
        parts.append(", ".join(f"{n} = {v}" for n, v in witness["sizes"].items()))
    if "ray" in witness:
        parts.append("growing " + ", ".join(f"{n} = {v}" for n, v in witness["ray"].items() if v != "1"))
        parts.append(f"(ratio {', '.join(witness['ratio'])})")
    if "left" in witness and "right" in witness and "ray" not in witness:
        parts.append(f"({witness['left']} against {witness['right']})")
    if "returns" in witness:
        parts.append("(the kernel returns)" if witness["returns"] else "(the kernel fails)")
    for name in ("error", "text"):
        if name in witness:
            parts.append(f"({witness[name]})" if parts else str(witness[name]))
    return " ".join(parts) or "see --explain"


def _contradictions(results: list[Result]) -> Iterable[str]:
    known = {r.id: r for r in results}
    for result in results:
        for other in result.contradicts:
            if other in known:
                why = f": {result.conflicts[other]}" if other in result.conflicts else ""
                yield f"{result.id} ({result.statement}) against {other} ({known[other].statement}){why}"
