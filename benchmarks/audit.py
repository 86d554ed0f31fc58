"""Times of the audit and of what it stands on: `python benchmarks/audit.py`. Medians of several runs, and ratios.

Every process is started afresh. Ratios are of figures of the same run, so that they mean the same on any machine.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from verifier import kernels
from verifier.dims import Relation, Scope
from verifier.dims.expression import parse
from verifier.prove.identity import prove_equal

RUNS = 5
CALLS = 50


def seconds(run: Callable[[], Any], runs: int = RUNS) -> float:
    """The median time of a call."""
    found: list[float] = []
    for _ in range(runs):
        started = time.perf_counter()
        run()
        found.append(time.perf_counter() - started)
    return median(found)


def process(*arguments: str) -> Callable[[], Any]:
    """A fresh interpreter with these arguments, its cache in a folder of this run."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def proof(size: int) -> Callable[[], Any]:
    """A proof about heads whose width is this number."""
    scope = Scope.of("n h d_k d_model").assuming("h*d_k == d_model").assuming(f"d_model == {size}*h")
    relation = parse("2*n*h*d_k**2 == 2*n*d_model*d_k").value(scope.names)
    assert isinstance(relation, Relation)
    return lambda: prove_equal(relation.left, relation.right, scope)


def annotations(name: str, *arrays: np.ndarray) -> tuple[float, float]:
    """Microseconds of a call of a kernel as it is, and without its annotations being checked."""
    checked = getattr(kernels, name)
    plain = checked.__wrapped__
    times: dict[Any, list[float]] = {checked: [], plain: []}
    for _ in range(RUNS * 3):  # by turns, so that both meet the same neighbours on the machine
        for function, found in times.items():
            found.append(seconds(lambda function=function: [function(*arrays) for _ in range(CALLS)], 1) / CALLS * 1e6)
    return median(times[checked]), median(times[plain])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        audit = ("-m", "verifier", "audit")
        empty = seconds(process("-c", "pass"))
        cold = seconds(process(*audit, "--no-cache"), 3)
        process(*audit)()
        cached = seconds(process(*audit))
        report = Path(folder) / "report.json"
        report.write_bytes(process(*audit, "--format", "json")().stdout)
        again = seconds(process("-m", "verifier", "recheck", str(report)), 3)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        core = seconds(process("-c", "import verifier.cli"))
    print(f"{'an empty Python process':44} {empty:8.3f} s")
    print(f"{'import verifier.cli':44} {core:8.3f} s   {core / empty:6.1f} x an empty process")
    print(f"{'audit, every claim judged, cold process':44} {cold:8.3f} s")
    print(f"{'audit, nothing changed, cold process':44} {cached:8.3f} s   {cold / cached:6.1f} x faster")

    print(f"{'recheck of its report, cold process':44} {again:8.3f} s")
    print(f"{'the most memory that any of these took':44} {peak:8.0f} MiB")

    small, large = seconds(proof(512), 15), seconds(proof(10**30), 15)
    print(f"{'a proof with a width of 512':44} {small * 1e3:8.2f} ms")
    print(f"{'the same with a width of 10**30':44} {large * 1e3:8.2f} ms  {large / small:6.2f} x")

    for label, n, width in (("toy", 8, 16), ("layer", 128, 64)):
        scores, vectors = np.ones((n, n)), np.ones((n, width))
        for name, arrays in (("softmax", (scores,)), ("attention_scores", (vectors, vectors))):
            checked, plain = annotations(name, *arrays)
            said = f"{name}, {label} size: annotations"
            print(
                f"{said:44} {checked - plain:8.1f} us  {checked / plain:6.2f} x the call without them ({plain:.1f} us)"
            )


if __name__ == "__main__":
    main()
