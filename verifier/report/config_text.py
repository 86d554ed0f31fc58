"""A config for people: what the model is, what it costs, and every finding with what to write instead."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..config.compare import compare
from ..config.derived import derived
from ..config.formula import Formula
from ..config.model import ModelConfig
from ..config.summary import headline, short
from ..rules import Finding, Severity

COLOURS = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "dim"}


def show(model: ModelConfig, console: Console, *, brief: bool = False) -> None:
    """Prints the report of one config; `brief` is one line and the findings."""
    name = model.file or "config"
    head = Text(name, style="bold")
    if model.architecture is not None:
        head.append(f"  {headline(model)}", style="none")
    console.print(head)
    for found in model.findings:
        show_finding(found, console)
    if model.architecture is not None and not brief:
        console.print()
        console.print(quantities(model))
        console.print(tensors(model))
    if not brief:
        counts = summary(model.findings)
        console.print(Text(counts, style="green" if counts == "nothing to report" else ""))


def show_finding(found: Finding, console: Console) -> None:
    severity = found.severity or Severity.INFO
    line = Text(f"{found.code}  ", style=COLOURS[severity])
    line.append(f"{severity}  ", style=COLOURS[severity])
    line.append(found.message)
    console.print(line, soft_wrap=True)
    if severity is not Severity.INFO:
        console.print(Text(f"        fix  {found.fix}", style="cyan"), soft_wrap=True)


def quantities(model: ModelConfig) -> Table:
    """Parameters, FLOPs and memory, exact and short."""
    d = derived(model)
    assert d is not None
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right", style="dim")

    def row(what: str, number: int | None, unit: str = "", base: int = 1000) -> None:
        if number is not None:
            table.add_row(what, f"{number:,}", short(number, unit, base))

    row("parameters", d["params_total"])
    if d["params_saved"] != d["params_total"]:
        row("  as saved", d["params_saved"])
    if d["params_active"] != d["params_total"]:
        row("  that a token meets", d["params_active"])
    for role, number in d["params_by_role"].items():
        row(f"  {role}", number)
    for dtype in ("bfloat16", "int4"):
        row(f"weights in {dtype}", d["weight_bytes"][dtype], "B", 1024)
    work = f"batch {d['batch']}" + (f", {d['seq']} tokens" if d["seq"] else "")
    row(f"FLOPs forward ({work})", d["flops_forward"], "FLOP")
    windowed = d.get("flops_forward_windowed")
    row("  keys inside the windows alone", windowed if windowed != d["flops_forward"] else None, "FLOP")
    row("FLOPs forward and backward", d["flops_forward_backward"], "FLOP")
    if d["flops_decode_step"] is not None:
        row(f"FLOPs of one more token ({d['decode_cached']} cached)", d["flops_decode_step"], "FLOP")
        row("  with the latent absorbed", d.get("flops_decode_step_absorbed"), "FLOP")
        row("state of a sequence, however long", d.get("state_bytes"), "B", 1024)
        row("cache a token in 16 bits", d["kv_cache_bytes_per_token"], "B", 1024)
        row("  without broadcast heads", d.get("kv_cache_bytes_per_token_unexpanded"), "B", 1024)
        row(f"cache of {d['seq']} tokens", d["kv_cache_bytes"], "B", 1024)
        longest = model.view.size("max_position_embeddings")
        if longest and longest != d["seq"]:
            row(f"cache of {longest} tokens", model.kv_cache(longest, d["batch"]), "B", 1024)
            if any(c.window for c in model.architecture.caches if model.architecture):  # pyright: ignore[reportOptionalMemberAccess]
                row("  behind the windows", model.kv_cache(longest, d["batch"], windowed=True), "B", 1024)
    return table


def tensors(model: ModelConfig) -> Table:
    """Every saved tensor, its shapes and in how many layers."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("tensor")
    table.add_column("shape", justify="right")
    table.add_column("times", justify="right")
    for name, rows in model.weight_shapes.items():
        for shape, layers in rows:
            table.add_row(Text(name), Text(" x ".join(map(str, shape))), str(layers) if layers != 1 else "")
    return table


def summary(findings: list[Finding]) -> str:
    """How many of each severity."""
    counts = {s: sum(f.severity is s for f in findings) for s in Severity}
    words = [f"{n} {s}{'s' if n != 1 and s is not Severity.INFO else ''}" for s, n in counts.items() if n]
    if not counts[Severity.ERROR] and not counts[Severity.WARNING]:
        return "nothing to report"
    return ", ".join(words)


def show_formula(found: Formula, console: Console) -> None:
    """A quantity's summands, their numbers, and the sum."""
    console.print(Text(f"\n{found.quantity} = {found.expression}", style="bold"), soft_wrap=True)
    given = ", ".join(f"{k} = {v}" for k, v in found.values.items())
    console.print(Text(f"  with {given}", style="dim"), soft_wrap=True)
    for term in found.terms:
        console.print(Text(f"  {term.value:>24,}  {term.formula}    {term.what}"), soft_wrap=True)
    console.print(Text(f"  {found.value:>24,}  in all"))


def show_comparison(left: ModelConfig, right: ModelConfig, console: Console) -> None:
    """What differs between two configs, and what it costs."""
    found: dict[str, Any] = compare(left, right)
    console.print(Text(f"\nagainst {right.file}", style="bold"))
    for name, (ours, theirs) in found["fields"].items():
        console.print(Text(f"  {name}: {ours!r:.60} -> {theirs!r:.60}"), soft_wrap=True)
    for name, row in found["quantities"].items():
        times = f"  ({row['ratio']:g} times)" if row["ratio"] else ""
        console.print(Text(f"  {name}: {_number(row['this'])} -> {_number(row['other'])}{times}"), soft_wrap=True)
    if not found["fields"] and not found["quantities"]:
        console.print(Text("  the same", style="green"))


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else "-"
