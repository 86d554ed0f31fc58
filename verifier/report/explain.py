"""One claim whole: statement, premises, derivation, certificate, mutants, and what would refute it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from ..audit.claim import Result
from ..verdict import Truth
from .audit_text import COLOURS, witness_text


def show(result: Result, console: Console) -> None:
    """Prints the page of a claim."""

    def line(text: str = "", style: str = "") -> None:
        console.print(Text(text, style=style))

    line(
        f"{result.id}  {result.section}, item {result.item}" if result.item else f"{result.id}  {result.section}",
        "bold",
    )
    line(result.statement)
    line(f"\n{result.truth}", COLOURS[result.truth])
    line(f"the document {result.stance} it" + ("" if result.agreement == "none" else f": {result.agreement}"))
    if result.reason:
        line(f"why: {result.reason}")
    if result.note:
        line(f"note: {result.note}")
    if result.assumptions:
        line("\nPremises", "bold")
        for name in result.assumptions:
            line(f"  {name}")
        if result.model:
            line(f"  they hold together, for example at {_sizes(result.model)}", "dim")
    for reading in result.readings:
        _reading(reading, line)
    if result.necessity:
        line("\nEach condition is needed", "bold")
        for name, witness in result.necessity.items():
            line(f"  without {name}: {witness_text(witness)}")
            for other in witness.get("also", ()):
                line(f"    also: {witness_text(other)}")
    if result.truth not in (Truth.NOT_A_CLAIM, Truth.NOT_ENCODED):
        line("\nWhat would refute it", "bold")
        line(f"  {_refutation(result)}")
        made, killed = result.mutants["made"], result.mutants["killed"]
        line(f"  {killed} of {made} mutants (a coefficient, two sizes exchanged, a root dropped ...) are refuted")
    for problem in result.problems:
        line(f"\n{problem}", "red")
    line(f"\n{result.place}   {result.seconds:.3f} s", "dim")


def _sizes(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{n} = {v}" for n, v in sizes.items())


def _refutation(result: Result) -> str:
    if result.truth == Truth.REFUTED:
        return f"{witness_text(result.witness or {})}: evaluated by the prover and once more through the kernels"
    return "sizes that satisfy the premises and at which the two sides differ; none exist"


def _reading(reading: Mapping[str, Any], line: Any) -> None:
    title = f"Reading: {reading['name']}" if reading["name"] else "Relation"
    line(f"\n{title}", "bold")
    line(f"  {reading['relation']}")
    line(
        f"  {reading['truth']}: {reading['reason']}" + ("  (shown, not counted)" if reading["printed"] else ""),
        COLOURS[reading["truth"]],
    )
    for step in reading["steps"]:
        line(f"    {step}")
    if reading["witness"]:
        line(f"    {witness_text(reading['witness'])}")
    if reading["certificate"]:
        line(f"  certificate ({reading['certificate']['kind']})", "dim")
        for name, value in reading["certificate"].items():
            if name != "kind" and value not in ([], {}, ""):
                line(f"    {name}: {value}", "dim")
