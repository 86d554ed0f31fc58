"""`verifier check` measured: on the bug cases, on the kernels, on two hundred functions, and on random programs.

    python benchmarks/check.py             what each way finds, and how long it takes
    python benchmarks/check.py --fuzz 2000 random programs judged and held against real arrays

The rivals on the cases: forty runs at random sizes under the annotation check, one run at the sizes of a test
(those at which the bug hides), and pyrefly where it is installed. A wrong value behind a right shape shows in none.
"""

from __future__ import annotations

import argparse
import ast
import collections
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.check.cases import Case, own, shared  # noqa: E402
from tests.check.programs import disagreement, judge_program, program  # noqa: E402
from verifier.check.arguments import Builder  # noqa: E402
from verifier.check.discovery import Subject, Target, subjects_of  # noqa: E402
from verifier.check.judge import judge  # noqa: E402
from verifier.check.leaves import SizeNames  # noqa: E402
from verifier.check.loading import forget  # noqa: E402
from verifier.check.replay import failure_at  # noqa: E402
from verifier.check.variants import Variant  # noqa: E402

BESIDE = str(Path(sys.executable).parent)
PYREFLY = shutil.which("pyrefly", path=f"{BESIDE}:{os.environ.get('PATH', '')}")
"""Optional: `pip install pyrefly` into the environment that runs this."""


def sizes_of(subject: Subject) -> list[str]:
    maker = SizeNames()
    Builder(Variant(()), maker).call(subject.function, subject.owner)
    return list(maker.names)


def forty_runs(subject: Subject) -> bool:
    draw = random.Random(0)
    names = sizes_of(subject)
    return any(
        failure_at(subject.function, subject.owner, Variant(()), {n: draw.randint(1, 12) for n in names}) is not None
        for _ in range(40)
    )


def one_run(subject: Subject) -> bool:
    return failure_at(subject.function, subject.owner, Variant(()), dict.fromkeys(sizes_of(subject), 4)) is not None


def timed(call: Any, *arguments: Any) -> tuple[Any, float]:
    begun = time.perf_counter()
    value = call(*arguments)
    return value, (time.perf_counter() - begun) * 1000


def pyrefly_lines(case: Case) -> set[int] | None:
    program_ = PYREFLY
    if program_ is None:
        return None
    run = subprocess.run(
        [program_, "check", "--python-interpreter-path", sys.executable, "--output-format", "min-text", str(case.file)],
        capture_output=True,
        text=True,
        check=False,
    )
    return {
        int(line.split(":")[1])
        for line in run.stdout.splitlines()
        if str(case.file.name) in line and line.split(":")[1].isdigit()
    }


def on_cases(cases: list[Case], title: str) -> None:
    found = collections.Counter[str]()
    alarms = collections.Counter[str]()
    spent: dict[str, list[float]] = collections.defaultdict(list)
    for case in cases:
        forget()
        subjects = {s.name: s for s in subjects_of(Target(case.file))}
        lines, milliseconds = timed(pyrefly_lines, case)
        if lines is not None:
            spent["pyrefly"].append(milliseconds)
        for name, counter in (("buggy", found), ("fixed", alarms)):
            subject = subjects[name]
            report, milliseconds = timed(judge, subject)
            spent["verifier check"].append(milliseconds)
            counter["verifier check"] += any(
                f.severity in ("error", "warning") and (name == "buggy" or f.code != "ATT020") for f in report.findings
            )
            for rival, call in (("forty random runs", forty_runs), ("one run, all sizes 4", one_run)):
                failed, milliseconds = timed(call, subject)
                counter[rival] += failed
                spent[rival].append(milliseconds)
            if lines is not None:
                counter["pyrefly"] += bool(lines & set(case.span(name)))
    print(f"\n{title}: {len(cases)} cases")
    print(f"{'':<24}{'bugs found':>12}{'false alarms':>14}{'median ms':>12}{'max ms':>10}")
    for way in ("verifier check", "forty random runs", "one run, all sizes 4", "pyrefly"):
        if way == "pyrefly" and PYREFLY is None:
            continue
        times = spent.get(way, [0.0])
        print(f"{way:<24}{found[way]:>12}{alarms[way]:>14}{statistics.median(times):>12.1f}{max(times):>10.1f}")
    print("(a random run also fails on a fixed function whose requirement the sizes break)")


def command(*arguments: str) -> float:
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", "from verifier.cli import main; main()", "check", "--no-cache", *arguments],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    return time.perf_counter() - begun


def copies(folder: Path, count: int) -> int:
    """Files of honest functions until there are so many."""
    total = number = 0
    sources = sorted((ROOT / "tests" / "data" / "honest").glob("*.py"))
    while total < count:
        source = sources[number % len(sources)]
        text = source.read_text()
        (folder / f"copy_{number}.py").write_text(text)
        total += sum(isinstance(n, ast.FunctionDef) for n in ast.parse(text).body)
        number += 1
    return total


def on_speed() -> None:
    print("\nspeed")
    case = ROOT / "tests" / "data" / "shape_bugs" / "softmax_over_queries.py"
    print(f"first finding, cold start     {command(str(case)):6.2f} s")
    print(f"all kernels, two jobs         {command('-j', '2', 'verifier/kernels'):6.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        total = copies(Path(folder), 200)
        print(f"{total} functions, two jobs      {command('-j', '2', folder):6.2f} s")


def programs(count: int) -> Iterator[tuple[int, str]]:
    seed = found = 0
    while found < count:
        source = program(seed)
        if source is not None:
            yield seed, source
            found += 1
        seed += 1


def fuzz(count: int) -> int:
    """How many verdicts were contradicted by real arrays."""
    verdicts = collections.Counter[str]()
    wrong = 0
    reasons = collections.Counter[str]()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed, source in programs(count):
            report, real = judge_program(source, Path(folder), seed)
            verdicts[str(report.verdict)] += 1
            if report.verdict in ("UNDECIDED", "TESTED", "UNSUPPORTED"):
                reasons[report.reason[:100]] += 1
            bad = disagreement(report, real)
            if bad is not None:
                wrong += 1
                print(f"seed {seed}: {bad}\n{source}")
    print(f"{count} programs in {time.perf_counter() - begun:.0f} s: {dict(verdicts)}; contradicted: {wrong}")
    for reason, times in reasons.most_common(12):
        print(f"  {times:3} open: {reason}")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuzz", type=int, metavar="N", help="judge N random programs instead")
    chosen = parser.parse_args()
    if chosen.fuzz:
        sys.exit(1 if fuzz(chosen.fuzz) else 0)
    on_cases(own(), "our own cases")
    if shared():
        on_cases(shared(), "published cases")
    on_speed()


if __name__ == "__main__":
    main()
