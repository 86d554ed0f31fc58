"""Whole annotated packages checked: what becomes of each annotated function, as a Markdown table.

    python benchmarks/packages.py transformer_lens llamascopium --keep reports > table.md

The packages must be installed. `projects/PACKAGE/` beside this file says how to make what annotations cannot
(`[tool.verifier.make]`). With `--keep`, a package's report is kept in that folder and not made again, so that a run
that was stopped goes on. What was found REFUTED is listed with its lines, to be looked at by hand: the notes that came
of it stand in docs/reference/packages.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

DECIDED = ("PROVED", "PROVED_IF", "BOUNDED", "REFUTED")
VERDICTS = (*DECIDED, "TESTED", "UNDECIDED", "UNSUPPORTED")
PROJECTS = Path(__file__).parent / "projects"


def checked(package: str, options: argparse.Namespace) -> dict[str, Any]:
    """The report of a package, from the folder of kept ones or made now."""
    kept = options.keep / f"{package}.json" if options.keep is not None else None
    if kept is not None and kept.is_file():
        return json.loads(kept.read_text())
    command = [sys.executable, "-m", "verifier", "check", package, "--format", "json"]
    command += ["--timeout", str(options.timeout), "--memory", str(options.memory), "--jobs", str(options.jobs)]
    command += [] if options.cache else ["--no-cache"]
    project = PROJECTS / package.partition(".")[0]
    result = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=project if project.is_dir() else None
    )
    if not result.stdout.strip():
        sys.exit(f"{package}: {result.stderr}")
    report = json.loads(result.stdout)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(report, indent=1))
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--timeout", type=float, default=30, help="seconds a function")
    parser.add_argument("--memory", type=int, default=8000, help="megabytes a process")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a folder of reports, which are not made again")
    parser.add_argument("--cache", action="store_true", help="take what the command keeps of unchanged files")
    options = parser.parse_args()
    print(f"| package | functions | {' | '.join(VERDICTS)} | decided | median ms |")
    print("|---" * (len(VERDICTS) + 4) + "|", flush=True)
    details: list[str] = []
    for package in options.packages:
        report = checked(package, options)
        functions = report["functions"]
        count = Counter(f["verdict"] for f in functions)
        decided = sum(count[v] for v in DECIDED) / max(len(functions), 1)
        times = sorted(f["seconds"] for f in functions)
        median = 1000 * times[len(times) // 2] if times else 0
        name = package.partition(".")[0].replace("_", "-")
        numbers = " | ".join(str(count[v]) for v in VERDICTS)
        print(f"| {name} {version(name)} | {len(functions)} | {numbers} | {decided:.0%} | {median:.0f} |", flush=True)
        details += [f"- {name}: not read: {error}" for error in report.get("errors", ())]
        reasons = Counter(f.get("reason", "") for f in functions if f["verdict"] not in DECIDED)
        details += [f"- {name}: {n} x {text}" for text, n in reasons.most_common()]
        for function in functions:
            if function["verdict"] == "REFUTED":
                lines = [f for f in function["findings"] if f["severity"] == "error"]
                details += [
                    f"- {name}: REFUTED {function['name']}:{f['line']} {f['code']} {f['message']}" for f in lines
                ]
    print("\n" + "\n".join(details))


if __name__ == "__main__":
    main()
