"""Whole annotated packages checked: what becomes of each annotated function, as a Markdown table.

    python benchmarks/packages.py transformer_lens flow_matching > table.md

The packages must be installed. What was found REFUTED is listed with its lines, to be looked at by hand: the notes
that came of it stand in docs/reference/packages.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from importlib.metadata import version

DECIDED = ("PROVED", "PROVED_IF", "BOUNDED", "REFUTED")
VERDICTS = (*DECIDED, "TESTED", "UNDECIDED", "UNSUPPORTED")


def checked(package: str, timeout: float, memory: int) -> dict:
    command = [sys.executable, "-m", "verifier", "check", package, "--format", "json", "--no-cache"]
    command += ["--timeout", str(timeout), "--memory", str(memory), "--jobs", "2"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if not result.stdout.strip():
        sys.exit(f"{package}: {result.stderr}")
    return json.loads(result.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--memory", type=int, default=8000)
    parser.add_argument("--json", help="keep the reports in this file too")
    options = parser.parse_args()
    print(f"| package | functions | {' | '.join(VERDICTS)} | decided | median ms |")
    print("|---" * (len(VERDICTS) + 4) + "|")
    details: list[str] = []
    kept = {}
    for package in options.packages:
        report = kept[package] = checked(package, options.timeout, options.memory)
        functions = report["functions"]
        count = Counter(f["verdict"] for f in functions)
        decided = sum(count[v] for v in DECIDED) / max(len(functions), 1)
        times = sorted(f["seconds"] for f in functions)
        median = 1000 * times[len(times) // 2] if times else 0
        name = package.partition(".")[0].replace("_", "-")
        numbers = " | ".join(str(count[v]) for v in VERDICTS)
        print(f"| {name} {version(name)} | {len(functions)} | {numbers} | {decided:.0%} | {median:.0f} |")
        reasons = Counter(f.get("reason", "") for f in functions if f["verdict"] not in DECIDED)
        details += [f"- {name}: {n} x {text}" for text, n in reasons.most_common()]
        for function in functions:
            if function["verdict"] == "REFUTED":
                lines = [f for f in function["findings"] if f["severity"] == "error"]
                details += [
                    f"- {name}: REFUTED {function['name']}:{f['line']} {f['code']} {f['message']}" for f in lines
                ]
    print("\n" + "\n".join(details))
    if options.json:
        with open(options.json, "w") as file:  # noqa: PTH123  a path of the user's
            json.dump(kept, file, indent=1)


if __name__ == "__main__":
    main()
