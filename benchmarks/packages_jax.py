"""The table of JAX packages: `python benchmarks/packages_jax.py equinox equimo`, each checked whole."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence

from verifier.check.discovery import targets_of
from verifier.check.finding import Report
from verifier.check.pool import Options, check

SILENT = re.compile(r"annotated|annotation|names no argument|is no attribute|there is no attribute")
"""Reasons that lie in annotations which say nothing of what to pass."""
VERDICTS = ("PROVED", "PROVED_IF", "BOUNDED", "REFUTED", "TESTED", "UNDECIDED", "UNSUPPORTED")


def row(package: str, reports: Sequence[Report]) -> str:
    """One line of the table: the annotated functions by verdict, those that no annotation says how to call apart."""
    silent = [r for r in reports if r.verdict == "UNSUPPORTED" and SILENT.search(r.reason)]
    said = [r for r in reports if r not in silent]
    counts = Counter(str(r.verdict) for r in said)
    decided = sum(counts[v] for v in VERDICTS[:4])
    share = f"{100 * decided // max(len(said), 1)} %"
    cells = [package, len(reports), len(silent), *(counts[v] for v in VERDICTS), share]
    return "| " + " | ".join(map(str, cells)) + " |"


def main(packages: Sequence[str]) -> None:
    print("| package | annotated | not callable from annotations | " + " | ".join(VERDICTS) + " | decided |")
    print("|" + "---|" * (len(VERDICTS) + 4))
    for package in packages:
        reports = check(targets_of(package), Options(timeout=10)).reports
        print(row(package, reports))
        for report in reports:
            if report.verdict in ("REFUTED", "UNDECIDED", "UNSUPPORTED", "TESTED"):
                print(f"<!-- {report.name} {report.verdict}: {report.reason[:100]} -->", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:] or ["equinox"])
