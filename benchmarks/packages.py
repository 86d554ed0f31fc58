"""Whole annotated packages checked file by file: what becomes of each function, counted in a Markdown table.

    python benchmarks/packages.py transformer_lens llamascopium equimo equinox --keep reports > table.md

The packages must be installed. `projects/PACKAGE/` beside this file says how to make what annotations cannot
(`[tool.verifier.make]`). A run that is stopped goes on where it was: `--keep FOLDER` holds one line of JSON a file that
is done. What came of a look at each refuted function stands in docs/reference/packages.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median

from verifier.check.discovery import Target, targets_of
from verifier.check.finding import Report
from verifier.check.pool import Options, Unread, check
from verifier.check.settings import settings_near

DECIDED = ("PROVED", "PROVED_IF", "BOUNDED", "REFUTED")
VERDICTS = (*DECIDED, "TESTED", "UNDECIDED", "UNSUPPORTED", "SKIPPED")
PROJECTS = Path(__file__).parent / "projects"


@dataclass
class Package:
    """What was found in one package, or in one module of it."""

    name: str
    reports: list[Report] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def title(self) -> str:
        distribution = self.name.partition(".")[0].replace("_", "-")
        return f"{self.name} {version(distribution)}"

    @property
    def speaking(self) -> list[Report]:
        """The functions whose annotations name a size; of the others nothing about shapes is said."""
        return [r for r in self.reports if r.names_sizes]


def measured(name: str, options: Options, keep: Path | None) -> Package:
    """Every annotated function of a package, each file in a process of its own, the largest files first."""
    package = Package(name)
    project = PROJECTS / name.partition(".")[0]
    if project.is_dir():
        settings = settings_near(project)
        options = replace(options, make=settings.make, folder=settings.folder)
    kept = keep / f"{name}.jsonl" if keep is not None else None
    done = _done(kept)
    begun = time.monotonic()
    targets = sorted(targets_of(name), key=lambda t: -(t.file.stat().st_size if t.file is not None else 0))
    todo = [t for t in targets if t.key not in done]
    with ThreadPoolExecutor(options.jobs) as threads:
        for target, line in zip(todo, threads.map(lambda t: _one(t, options, kept), todo), strict=True):
            done[target.key] = line
    for target in targets_of(name):
        line = done[target.key]
        package.reports += [Report.from_dict(r) for r in line["reports"]]
        package.unread += [Unread(**u) for u in line["unread"]]
    package.seconds = time.monotonic() - begun
    return package


def _done(kept: Path | None) -> dict[str, dict]:
    if kept is None or not kept.is_file():
        return {}
    lines = kept.read_text(encoding="utf-8").splitlines()
    return {line["target"]: line for line in map(json.loads, lines)}


def _one(target: Target, options: Options, kept: Path | None) -> dict:
    alone = replace(options, jobs=1)
    checked = check([target], alone, lambda r: print(f"{r.seconds:6.2f} s  {r.verdict:<11} {r.name}", file=sys.stderr))
    line = {
        "target": target.key,
        "reports": [r.as_dict() for r in checked.reports],
        "unread": [asdict(u) for u in checked.unread],
    }
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    return line


def share(reports: Sequence[Report]) -> str:
    """How many are decided of those that are judged; what runs only as a part of another is not."""
    judged = [r for r in reports if r.verdict != "SKIPPED"]
    decided = sum(r.verdict in DECIDED for r in judged)
    return f"{100 * decided / len(judged):.0f} %" if judged else "-"


def table(packages: Iterable[Package]) -> list[str]:
    """A row a package, of the functions whose annotations name a size; the others have a column of their own."""
    heads = ["package", "annotated", "no sizes named", *VERDICTS, "decided", "decided of all", "median ms"]
    rows = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for package in packages:
        count = Counter(str(r.verdict) for r in package.speaking)
        milliseconds = median([1000 * r.seconds for r in package.reports] or [0])
        cells = [package.title, len(package.reports), len(package.reports) - len(package.speaking)]
        cells += [count[v] for v in VERDICTS]
        cells += [share(package.speaking), share(package.reports), f"{milliseconds:.0f}"]
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    return rows


def details(package: Package) -> list[str]:
    """Why functions are not decided, by number, and each refuted one with its lines."""
    open_ones = [r for r in package.reports if r.verdict not in DECIDED]
    reasons = Counter(f"{r.verdict}: {r.reason}" for r in open_ones)
    lines = [f"- {package.name}: {n} x {text}" for text, n in reasons.most_common()]
    lines += [f"- {package.name}: not read: {u.file}:{u.line} {u.fact}" for u in package.unread]
    for report in package.reports:
        found = [f for f in report.findings if f.severity == "error"] if report.verdict == "REFUTED" else []
        lines += [f"- {package.name}: REFUTED {report.name}:{f.line} {f.code} {f.message} {f.sizes}" for f in found]
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--timeout", type=float, default=60, help="seconds a function, after which it is ended")
    parser.add_argument("--effort", type=float, default=8, help="seconds of the processor for the paths of a function")
    parser.add_argument("--memory", type=int, default=8000, help="megabytes a process")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="folder for what is done: a second run goes on from there")
    told = parser.parse_args(arguments)
    options = Options(annotated=True, timeout=told.timeout, effort=told.effort, memory=told.memory, jobs=told.jobs)
    packages = [measured(p, options, told.keep) for p in told.packages]
    today = datetime.now(UTC).date()
    seconds = sum(p.seconds for p in packages)
    print(f"Measured {today}, {told.effort:g} s of the processor a function, {seconds:.0f} s in all.\n")
    print("\n".join(table(packages)))
    for package in packages:
        print("\n" + "\n".join(details(package)))


if __name__ == "__main__":
    main()
