"""Reference pages generated from the code: `python -m verifier.report.reference` writes them.

What stands in a docstring is not written down twice; a test says when a page is behind.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from .. import kernels
from ..audit.array_functions import PLAIN
from ..audit.claim_table import HEADER, KEYS, READING_KEYS
from ..audit.methods import find, names
from ..audit.quantities import Quantities
from ..audit.run import audit
from ..frontends.signature import arguments_of
from ..prove.laws import ASSUMPTIONS
from ..readings.trace import summary
from .audit_text import by_section, remarks

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs" / "reference"
WRITTEN = "<!-- Written by python -m verifier.report.reference: change the docstrings, not this page. -->"


def table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """A Markdown table."""
    lines = [columns, ("---",) * len(columns), *rows]
    return [f"| {' | '.join(c.replace('|', chr(92) + '|') for c in cells)} |" for cells in lines]


def page(title: str, *parts: list[str] | str) -> str:
    """A page with its title and parts, one empty line between them."""
    texts = [p if isinstance(p, str) else "\n".join(p) for p in parts]
    return "\n\n".join([f"# {title}", WRITTEN, *texts]) + "\n"


def claim_file() -> str:
    """Every key of a claim file."""

    def keys(found: Mapping[str, str]) -> list[str]:
        return table(("key", "what it is"), ((f"`{k}`", v) for k, v in found.items()))

    return page(
        "Claim files",
        "TOML in UTF-8: one `[document]`, then one `[[claim]]` a statement. A mistake is told with its line and "
        "what to do, the other claims and files are still judged, and the exit status is 2.",
        "## `[document]`",
        keys(HEADER),
        "## `[[claim]]`",
        "Required: `id`, `statement`, `expect`; a relation or readings; at least one mutant. `NOT_A_CLAIM` has `kind` "
        'and `reason` instead. `given` and `assume` are tables `{ "name" = "n == m" }` or lists of relations and of '
        "names of the assumptions of a law (see [the language](claim-language.md)).",
        keys(KEYS),
        "## `[[claim.reading]]`",
        "Where a statement can be read in several ways, each reading gets its verdict: proved under all of them it is "
        "PROVED, under some PROVED_IF, under none REFUTED.",
        keys(READING_KEYS),
    )


def _signature(name: str, function: Callable[..., Any]) -> str:
    shown = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    inside = ", ".join("size=..." if p.kind is p.VAR_KEYWORD else p.name.rstrip("_") for p in shown)
    return f"`{name}({inside})`"


def claim_language() -> str:
    """Every function, method and assumption that a relation may speak of."""

    def functions(found: Mapping[str, Callable[..., Any]]) -> list[str]:
        return table(("function", "value"), ((_signature(n, f), summary(f)) for n, f in found.items()))

    methods = (f"### `{name}`\n\n{inspect.getdoc(find(name).establish)}" for name in names())
    return page(
        "The language of claims",
        "Numbers, size symbols, `+ - * / // % **`, one comparison, tuples for shapes, and calls. It is data: none of "
        "it is run as code, and its length, depth, numbers and exponents are bounded. A kernel's sizes are those of "
        "its annotations; `flops(kernel, h=1)` binds one of them, the claim's symbols of the same name bind the rest.",
        "A relation is meant at all sizes that the premises admit, whatever its sign: `n != m` says that they are "
        "equal at none, and `left != right` of arrays that at none are both sides one function of their arrays. A "
        "declared index is any place, as a size is any number. That two things differ at some sizes is a refuted `==`.",
        "## Quantities of kernels",
        functions(Quantities({}).functions),
        "## Functions of arrays",
        "For the methods that compare arrays; every kernel can be called as well (see [kernels](kernels.md)).",
        functions(PLAIN),
        "## Assumptions of the law of random inputs",
        table(("name", "what it says"), ((f"`{n}`", text) for n, text in ASSUMPTIONS.items())),
        "## Methods",
        *methods,
    )


def kernel_list() -> str:
    """Every kernel with its arguments."""
    found = ((n, getattr(kernels, n)) for n in kernels.__all__)
    return page(
        "Kernels",
        "`verifier kernels NAME` shows one with its shapes node by node, its parameters and its FLOPs.",
        table(("kernel", "arguments", "what it computes"), ((f"`{n}`", _arguments(f), summary(f)) for n, f in found)),
    )


def _arguments(function: Callable[..., Any]) -> str:
    return ", ".join(
        f"{a.name} `{' '.join(x.text for x in a.axes)}`" if a.axes else f"{a.name} ({a.kind})"
        for a in arguments_of(function)
    )


def claim_list() -> str:
    """Every claim that ships, with its verdict."""
    parts: list[str | list[str]] = []
    for section, results in by_section(audit().results).items():
        parts.append(f"## {section}")
        rows = ((r.id, r.statement, f"`{r.truth}`", r.agreement.lower(), "; ".join(remarks(r)[:1])) for r in results)
        parts.append(table(("id", "statement", "truth", "page", "needs, or fails at"), rows))
    return page("Claims", "`verifier audit --explain ID` shows one whole.", *parts)


PAGES: Mapping[str, Callable[[], str]] = {
    "claim-file.md": claim_file,
    "claim-language.md": claim_language,
    "kernels.md": kernel_list,
    "claims.md": claim_list,
}


def main() -> None:
    """Writes every page."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, write in PAGES.items():
        (FOLDER / name).write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()
