"""Loops over sizes: right for every count where they are, and never said to be where a later iteration breaks them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge
from verifier.check.replay import failure_at
from verifier.check.variants import Variant

FOLDER = Path(__file__).parent.parent / "data" / "loops"


def judged(file: Path) -> dict[str, Report]:
    return {s.name: judge(s) for s in subjects_of(Target(file))}


RIGHT = [s for name in ("right.py", "attention.py") for s in subjects_of(Target(FOLDER / name))]


@pytest.mark.parametrize("subject", RIGHT, ids=lambda s: s.name)
def test_a_loop_that_is_right_for_every_count_is_proved(subject) -> None:
    report = judge(subject)
    assert (report.verdict, report.findings) == ("PROVED", []), report.reason


@pytest.mark.parametrize("subject", subjects_of(Target(FOLDER / "hidden.py")), ids=lambda s: s.name)
def test_what_a_later_iteration_does_is_not_passed_over(subject) -> None:
    assert judge(subject).verdict in ("BOUNDED", "REFUTED", "UNDECIDED", "UNSUPPORTED", "TESTED")


@pytest.mark.parametrize("subject", subjects_of(Target(FOLDER / "late.py")), ids=lambda s: s.name)
def test_a_failure_beyond_the_bound_is_found_and_replayed(subject) -> None:
    report = judge(subject)
    assert report.verdict == "REFUTED"
    sizes = report.findings[0].sizes
    assert max(sizes.values()) > 4
    assert failure_at(subject.function, subject.owner, Variant(()), sizes) is not None


def test_a_bound_says_what_kept_the_loop_from_all_counts() -> None:
    reports = judged(FOLDER / "hidden.py")
    assert "(break in a loop)" in reports["brk"].reason
    assert "a list_iterator remembers how far it was read" in reports["generator"].reason


def test_a_guard_beyond_the_bound_is_a_premise(tmp_path: Path) -> None:
    file = tmp_path / "guards.py"
    file.write_text("""
import numpy as np
from jaxtyping import Float
from numpy import ndarray as A

def inside(x: Float[A, "h d"]) -> Float[A, "d"]:
    a = x[0]
    for i in range(len(x)):
        if i == 6:
            raise ValueError("too many")
        a = a + x[i]
    return a

def after(x: Float[A, "h d"]) -> Float[A, "d"]:
    a = x[0]
    for y in x:
        a = a + y
    if len(x) > 8:
        raise ValueError("too many")
    return a
""")
    assumed = {n: (r.verdict, r.assumptions) for n, r in judged(file).items()}
    assert assumed == {"inside": ("PROVED", ["i₁ != 6 in every iteration"]), "after": ("PROVED", ["h <= 8"])}


def test_rows_written_by_another_mask_than_they_were_read_by_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "experts.py"
    file.write_text("""
import numpy as np
from jaxtyping import Float
from numpy import ndarray as A

def experts(x: Float[A, "n d"], gate: Float[A, "d e"], W: Float[A, "e d d"]) -> Float[A, "n d"]:
    chosen = np.argmax(x @ gate, axis=-1)
    y = np.zeros_like(x)
    for e in range(gate.shape[1]):
        y[chosen == e] = x[chosen != e] @ W[e]
    return y
""")
    (finding,) = judged(file)["experts"].findings
    assert finding.severity == "error" and "one mask" in finding.fix


STATEMENTS = (
    "a = a + x[{i}]",
    "a = x[{i}] * 2",
    "b = a",
    "a = b + x[0]",
    "b = x[{i}]",
    "b = b[:1] if {i} == {k} else b",
    "k = {i}",
    "k = min(k + 1, {k})",
    "c = k",
    "if {i} > {k}:\n    a = a + y",
    "if {i} == {k}:\n    b = b[1:]",
    "if {i} < {k}:\n    c = 1",
    "out[{i}] = a",
    "out[{i}] = x[k]",
    "out[min({i}, {k})] = b",
    "rows.append(a)",
    "rows.append(a if {i} < {k} else b)",
    "rows.append(x[{i}][: {k}])",
    "for j in range(2):\n    a = a + x[j - j]",
    "for z in y:\n    a = a + z",
    "seen[{i} % 2] = a",
    "todo.pop()",
    "box.append({i})",
)
HEADS = (
    "for i in range(len(x)):",
    "for i in range(1, len(x)):",
    "for i, r in enumerate(x):",
    "for i in range(0, len(x), 2):",
    "for i, r in zip(range(len(x)), x):",
)
ENDS = (
    "return a",
    "return b",
    "return x[0][: x.shape[1] - c]",
    "return x[min(k, 3)]",
    "return out[-1]",
    "return np.stack(rows)[0]",
    "return np.concatenate(rows)[: x.shape[1]]",
    "return sum(rows)",
    "return x[0] if len(rows) != 6 else y",
    "return a if len(box) < 7 else y",
)


def loop_program(seed: int) -> str:
    draw = random.Random(seed)
    body = [s.format(i="i", k=draw.choice((0, 1, 4, 5, 6))) for s in draw.sample(STATEMENTS, draw.randint(1, 4))]
    end = draw.choice(ENDS)
    lines = [
        "import numpy as np",
        "from jaxtyping import Float",
        "",
        "",
        'def f(x: Float[np.ndarray, "h d"], y: Float[np.ndarray, "e"]) -> Float[np.ndarray, "d"]:',
        "    a = b = x[0]",
        "    k = c = 0",
        "    out = np.zeros_like(x)",
        "    seen, todo, box = {}, [0] * 6, []",
        "    rows = []",
        f"    {draw.choice(HEADS)}",
        *(f"        {line}" for statement in body for line in statement.split("\n")),
        f"    {end}",
        "",
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("block", range(10))
def test_no_loop_is_proved_that_fails_at_some_count(block: int, tmp_path: Path) -> None:
    for seed in range(block * 40, block * 40 + 40):
        file = tmp_path / f"loop_{seed}.py"
        file.write_text(loop_program(seed))
        (subject,) = subjects_of(Target(file))
        report = judge(subject)
        if report.verdict != "PROVED":
            continue
        for h in range(1, 9):
            for d, e in ((1, 1), (2, 3), (3, 3), (5, 2)):
                error = failure_at(subject.function, None, Variant(()), {"h": h, "d": d, "e": e})
                assert error is None, f"seed {seed}, h={h} d={d} e={e}: {error}\n{loop_program(seed)}"
