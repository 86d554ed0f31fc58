"""`verifier check` on JAX code beside `jax.export` on symbolic sizes and `jaxtyc`: `python benchmarks/check_jax.py`.

All see the same functions in one process, after JAX's import; medians in milliseconds a function. jaxtyc is left out
where it is not installed. It takes files, and gives up a file for one annotation that it cannot read: so it gets each
function in a file of its own, below the module's other code.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import tempfile
import time
from collections.abc import Iterator
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


def alone(subjects: list[Subject], folder: Path) -> Iterator[tuple[Subject, Path]]:
    """Each plain function in a file of its own, with the imports and helpers of the programs."""
    body = ast.parse(PROGRAMS.read_text(encoding="utf-8")).body
    judged = {s.name.partition(".")[0] for s in subjects}
    shared = [n for n in body if getattr(n, "name", None) not in judged]
    for subject in subjects:
        node = next((n for n in body if isinstance(n, ast.FunctionDef) and n.name == subject.name), None)
        if node is not None:
            file = folder / f"only_{subject.name}.py"
            file.write_text(ast.unparse(ast.Module([*shared, node], [])), encoding="utf-8")
            yield subject, file


def jaxtyc(subjects: list[Subject]) -> str:
    """What jaxtyc says of the plain functions: those without and with an error, and what it cannot read."""
    from jaxtyc.analyzer.pipeline import analyze_file

    times: list[float] = []
    accepted = refused = right = wrong = unread = 0
    with tempfile.TemporaryDirectory() as folder:
        for subject, file in alone(subjects, Path(folder)):
            is_wrong = subject.name.startswith("b_")
            right, wrong = right + (not is_wrong), wrong + is_wrong
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    spent, result = timed(lambda f=file: analyze_file(str(f)))
            except Exception:  # its own end: an annotation that it does not know
                unread += 1
                continue
            times.append(spent)
            bad = any(str(d.severity).lower().endswith("error") for d in result.diagnostics)
            refused += is_wrong and bad
            accepted += not is_wrong and not bad
    return (
        f"jaxtyc           {median(times):6.1f} ms a function, {len(times)} functions, {unread} that it cannot read\n"
        f"of {right} right and {wrong} wrong ones jaxtyc accepts {accepted} right ones and refuses {refused} wrong ones"
    )


def main() -> None:
    ours, theirs = [], []
    told = {"right, proved": 0, "wrong, found": 0, "right, accepted": 0, "wrong, refused": 0}
    right = wrong = 0
    subjects = subjects_of(Target(PROGRAMS))
    for subject in subjects:
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
    if importlib.util.find_spec("jaxtyc") is not None:
        print(jaxtyc(subjects))


if __name__ == "__main__":
    main()
