"""The reference page of codes, made from their docstrings.

`python -m verifier.check.reference > docs/reference/check-findings.md` writes it anew.
"""

from __future__ import annotations

from .catalogue import KINDS
from .finding import Outcome

VERDICTS = {
    Outcome.PROVED: "Right for every size that the annotations, and the premises listed with it, allow.",
    Outcome.PROVED_IF: "Right for every size that meets a requirement which the code needs and does not "
    "declare. Reported as a warning with the line to add.",
    Outcome.BOUNDED: "A size is wanted as a Python number (unpacking, a `while`, a loop of which one iteration cannot "
    "stand for all), so it was tried up to the bound that is named; all other sizes are free. The reason says what "
    "kept a loop from being run for all counts. Also said where not every combination of optional arguments was tried, "
    "or a text that may stand for an array (`str | list[str] | Float[...]`), of which no value is made.",
    Outcome.TESTED: "An operation has no rule on symbolic sizes: the function was run on real arrays at sizes that "
    "bring out mistakes. Never a proof.",
    Outcome.REFUTED: "There are sizes at which it fails, shown smallest first and run on real arrays; or every shape "
    "is right and the values are surely not the intended ones.",
    Outcome.UNDECIDED: "Neither proved nor refuted; the reason says what was left over.",
    Outcome.UNSUPPORTED: "Could be run neither on symbolic sizes nor on real arrays, for instance since a parameter "
    "has no annotation.",
    Outcome.SKIPPED: "Annotated and not checked by itself, for the reason that is named: a function inside "
    "another runs where that one runs, an overload or an abstract method has no body. No failure.",
}


def page() -> str:
    """The whole page."""
    lines = [
        "# Findings of `verifier check`",
        "",
        "This page is generated from `verifier/check/catalogue.py`; a test holds it against its source.",
        "",
        "## Verdicts",
        "",
    ]
    lines += [f"- `{verdict.value}`: {text}" for verdict, text in VERDICTS.items()]
    lines += ["", "## Codes", ""]
    for code, kind in sorted(KINDS.items()):
        first, *rest = kind.text().split("\n")
        lines += [f"### {code}: {kind.title}", "", first]
        lines += rest if rest else []
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    print(page(), end="")
