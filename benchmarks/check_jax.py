"""Times of `verifier check` on JAX code, beside `jax.export` on symbolic sizes: `python benchmarks/check_jax.py`.

Both see the same functions in one process, after JAX's import; medians in milliseconds a function.
"""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median
from typing import Any

import jax

from verifier.check.annotated import hints_of, is_array_hint, words_of
from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge

PROGRAMS = Path(__file__).parent.parent / "tests" / "data" / "jax" / "programs.py"


def timed(run: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    value = run()
    return (time.perf_counter() - started) * 1_000, value


def exported(subject: Subject) -> str:
    """Whether jax.export takes the function on symbolic sizes; "-" where its arguments are not all plain arrays."""
    hints = {n: h for n, h in hints_of(subject.function).items() if n != "return"}
    words = [w for h in hints.values() if is_array_hint(h) for w in words_of(h.dim_str)]
    if not all(map(is_array_hint, hints.values())) or not all(w.isidentifier() or w.isdigit() for w in words):
        return "-"
    scope = jax.export.SymbolicScope()
    arrays = []
    for hint in hints.values():
        shape = jax.export.symbolic_shape(", ".join(words_of(hint.dim_str)) or "", scope=scope)
        kind = "int32" if "Int" in hint.__name__ else "bool" if "Bool" in hint.__name__ else "float32"
        arrays.append(jax.ShapeDtypeStruct(shape, kind))
    try:
        jax.export.export(jax.jit(subject.function))(*arrays)
    except Exception:
        return "refused"
    return "accepted"


def main() -> None:
    ours, theirs = [], []
    told = {"right, proved": 0, "wrong, found": 0, "right, accepted": 0, "wrong, refused": 0}
    right = wrong = 0
    for subject in subjects_of(Target(PROGRAMS)):
        spent, report = timed(lambda s=subject: judge(s))
        ours.append(spent)
        is_wrong = subject.name.startswith("b_")
        found = report.verdict == "REFUTED" or any(f.code == "ATT020" for f in report.findings)
        told["wrong, found"] += is_wrong and found
        told["right, proved"] += (not is_wrong) and report.verdict == "PROVED" and not found
        spent, answer = timed(lambda s=subject: exported(s))
        if answer == "-":
            continue
        theirs.append(spent)
        right, wrong = right + (not is_wrong), wrong + is_wrong
        told["wrong, refused"] += is_wrong and answer == "refused"
        told["right, accepted"] += (not is_wrong) and answer == "accepted"
    print(f"verifier check   {median(ours):6.1f} ms a function, {len(ours)} functions")
    print(f"jax.export       {median(theirs):6.1f} ms a function, {len(theirs)} functions that it can be asked about")
    print(f"of those {right} right and {wrong} wrong ones jax.export accepts {told['right, accepted']} right ones")
    print(f"and refuses {told['wrong, refused']} wrong ones")
    print(
        f"verifier check proves {told['right, proved']} right ones and finds {told['wrong, found']} wrong ones of all"
    )


if __name__ == "__main__":
    main()
