"""The kernels: their list, and one kernel's inputs, shapes node by node, parameters and FLOPs."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .. import kernels
from ..dims import Size
from ..dims.dim import evaluate, substitute
from ..dims.wording import condition_text
from ..errors import VerifierError
from ..frontends.signature import symbols_in
from ..graph.node import Node
from ..graph.ops import Broadcast, Constant, Input
from ..graph.primitive import Cost
from ..readings import Trace, cost_of, parameters_of, trace
from ..readings.trace import summary

MAX_DIGITS = 40


def listing() -> list[dict[str, str]]:
    """Every kernel with its first line and its axes."""
    return [{"name": name, "summary": summary(getattr(kernels, name))} for name in kernels.__all__]


def show_list(console: Console) -> None:
    """Prints the kernels."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("kernel", no_wrap=True)
    table.add_column("what it computes")
    for entry in listing():
        table.add_row(entry["name"], Text(entry["summary"]))
    console.print(table)


def parse_sizes(text: str) -> dict[str, int]:
    """`n=10,h=8` as sizes.

    Raises:
        VerifierError: something else.
    """
    sizes: dict[str, int] = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, equals, value = (p.strip() for p in part.partition("="))
        if not equals or not (value.isascii() and value.isdecimal()) or len(value) > MAX_DIGITS:
            raise VerifierError(f"{part!r} is no size", remedy="write --at n=10,h=8")
        if name in sizes:
            raise VerifierError(f"{name} is given twice", remedy="write each size once")
        sizes[name] = int(value)
    return sizes


def page(name: str, at: Mapping[str, int] | None = None) -> dict[str, Any]:
    """One kernel in terms that JSON can hold; numbers instead of formulas where `at` gives the sizes.

    Raises:
        VerifierError: no such kernel or size (nearest suggested), or a size that the kernel cannot work at.
    """
    if name not in kernels.__all__:
        near = get_close_matches(name, kernels.__all__, 1)
        raise VerifierError(
            f"there is no kernel {name!r}", remedy=f"did you mean {near[0]}?" if near else "see verifier kernels"
        )
    traced = trace(getattr(kernels, name))
    values = _checked(traced, at or {})
    returning = [p for p in traced.paths if p.error is None]
    premises = [condition_text(c) for p in returning[:1] for c in p.conditions]
    if len(traced.paths) > 1:
        traced = Trace(traced.function, traced.arguments, traced.present, traced.scope, tuple(returning[:1]))
    costs = cost_of(traced)
    return {
        "kernel": name,
        "summary": summary(traced.function),
        "requires": premises,
        "inputs": [
            _input(a.name, traced.input(a.name), a.is_parameter, values) for a in traced.arguments if _shown(a, traced)
        ],
        "nodes": [
            _node(n, values) for n in traced.graph.reaching(traced.outputs) if not isinstance(n.op, (Constant, Input))
        ],
        "outputs": [_shape(n.shape, values) for n in traced.outputs],
        "parameters": {k: _size(v, values) for k, v in parameters_of(traced.function).items()} if not premises else {},
        "flops": {
            "matrix products": _size(costs.matmul, values),
            "everything else": _size(costs.other, values),
            "total": _size(costs.total, values),
        },
    }


def _checked(traced: Trace, at: Mapping[str, int]) -> Mapping[str, int]:
    known = symbols_in(traced.arguments)
    for size, value in at.items():
        if size not in known:
            near = get_close_matches(size, known, 1)
            raise VerifierError(
                f"{traced.name} has no size {size!r}",
                remedy=f"did you mean {near[0]}?" if near else f"sizes: {', '.join(known)}",
            )
        if value < 1:
            raise VerifierError(f"{size} = {value}: a size is at least 1", remedy=f"{size}=1 or more")
    if set(at) == set(known):
        for path in traced.paths:
            if path.error is not None and all(_holds(c, at) for c in path.conditions):
                needed = " and ".join(condition_text(c) for p in traced.paths if p.error is None for c in p.conditions)
                raise VerifierError(f"{traced.name} does not work at these sizes", remedy=f"it needs {needed}")
    return at


def _holds(condition: Any, at: Mapping[str, int]) -> bool:
    from ..dims.expression import holds

    return holds(condition, lambda side: evaluate(side, at))


def _shown(argument: Any, traced: Trace) -> bool:
    return any(isinstance(n.op, Input) and n.op.name == argument.name for n in traced.graph.nodes)


def _size(size: Size, at: Mapping[str, int]) -> str | int:
    value = substitute(size, at)
    return value if type(value) is int else str(value)


def _shape(shape: tuple[Size, ...], at: Mapping[str, int]) -> list[str | int]:
    return [_size(s, at) for s in shape]


def _input(name: str, node: Node, parameter: bool, at: Mapping[str, int]) -> dict[str, Any]:
    return {"name": name, "shape": _shape(node.shape, at), "dtype": str(node.dtype), "learned": parameter}


def _node(node: Node, at: Mapping[str, int]) -> dict[str, Any]:
    cost: Cost = node.op.cost(node)
    detail = getattr(node.op, "function", None) or getattr(node.op, "kind", None)
    where = node.source
    return {
        "operation": f"{node.op.title} {detail}" if detail else node.op.title,
        "shape": _shape(node.shape, at),
        "flops": _size(cost.total, at),
        "file": Path(where.file).name if where else "",
        "line": where.line if where else 0,
        "source": where.text if where else "",
        "obligations": [str(o.relation) for o in node.obligations],
        "hidden": isinstance(node.op, Broadcast),
    }


def show(found: Mapping[str, Any], console: Console) -> None:
    """Prints one kernel."""
    console.print(Text(found["kernel"], style="bold"), Text(found["summary"]))
    for premise in found["requires"]:
        console.print(Text(f"requires {premise}", style="yellow"))
    inputs = _plain("input", "shape", "")
    for entry in found["inputs"]:
        inputs.add_row(Text(entry["name"]), Text(_axes(entry["shape"])), "learned" if entry["learned"] else "")
    console.print(inputs)
    nodes = _plain("operation", "shape", "FLOPs", "where")
    for node in found["nodes"]:
        if not node["hidden"]:
            nodes.add_row(
                Text(node["operation"]),
                Text(_axes(node["shape"])),
                Text(str(node["flops"] or "")),
                Text(f"{node['file']}:{node['line']}  {node['source']}", overflow="ellipsis", no_wrap=True),
            )
    console.print(nodes)
    console.print(Text(f"returns {', '.join(_axes(s) for s in found['outputs'])}"))
    if found["parameters"]:
        console.print(Text("\nparameters", style="bold"))
        for name, count in found["parameters"].items():
            console.print(Text(f"  {name:8} {count}"))
    console.print(Text("\nFLOPs (a multiply-add is 2)", style="bold"))
    for name, count in found["flops"].items():
        console.print(Text(f"  {name:16} {count}"))


def _plain(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _axes(shape: list[str | int]) -> str:
    return f"[{', '.join(map(str, shape))}]"
