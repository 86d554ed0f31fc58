"""Times of `verifier check` on PyTorch code beside other tools: `python benchmarks/check_torch.py`.

The others are `torch.export` with dynamic sizes, and jaxtyping with beartype while the function runs at one size, all
sizes 4. All see the same functions in one process, after PyTorch's import; medians in milliseconds a function.
A folder of further files may be named. Functions whose names begin with `bad` are wrong, all others right.
"""

from __future__ import annotations

import argparse
import logging
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import torch
from beartype import beartype
from jaxtyping import jaxtyped

from verifier.check.annotated import hints_of, is_array_hint, words_of
from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge
from verifier.check.loading import forget

PROGRAMS = Path(__file__).parent.parent / "tests" / "data" / "torch_programs"
SIZE = 4


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    value = run()
    return (time.perf_counter() - started) * 1_000, value


def arrays_of(subject: Subject) -> tuple[list[Any], list[dict[int, Any]]] | None:
    """Arrays for a function whose arguments are all plain arrays, and their axes as export's dynamic sizes."""
    hints = {n: h for n, h in hints_of(subject.function).items() if n != "return"}
    if subject.owner is not None or not hints or not all(map(is_array_hint, hints.values())):
        return None
    known: dict[str, Any] = {}
    arrays: list[Any] = []
    dynamic: list[dict[int, Any]] = []
    for hint in hints.values():
        words = words_of(hint.dim_str)
        if not all(w.isidentifier() or w.isdigit() for w in words):
            return None
        shape = [int(w) if w.isdigit() else SIZE for w in words]
        integers = "Int" in hint.__name__
        arrays.append(torch.zeros(shape, dtype=torch.int64) if integers else torch.randn(shape))
        if "Bool" in hint.__name__:
            arrays[-1] = arrays[-1] > 0
        dynamic.append({i: known.setdefault(w, torch.export.Dim(w)) for i, w in enumerate(words) if not w.isdigit()})
    return arrays, dynamic


class _Module(torch.nn.Module):
    """A function as what `torch.export` takes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *arrays: Any) -> Any:
        return self.function(*arrays)


def exported(subject: Subject, arrays: list[Any], dynamic: list[dict[int, Any]]) -> bool:
    try:
        torch.export.export(_Module(subject.function), tuple(arrays), dynamic_shapes=(tuple(dynamic),))
    except Exception:
        return False
    return True


def runs(subject: Subject, arrays: list[Any]) -> bool:
    try:
        jaxtyped(subject.function, typechecker=beartype)(*arrays)
    except Exception:
        return False
    return True


def subjects(folders: list[Path]) -> list[Subject]:
    found: list[Subject] = []
    for file in sorted(f for folder in folders for f in folder.rglob("*.py") if "torch" in f.read_text()):
        forget()
        found += subjects_of(Target(file))
    return found


class Tool:
    """What one tool said of the functions that it can be asked about."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.times: list[float] = []
        self.right = self.wrong = self.accepted = self.refused = 0

    def told(self, spent: float, wrong: bool, accepts: bool) -> None:
        self.times.append(spent)
        self.right, self.wrong = self.right + (not wrong), self.wrong + wrong
        self.accepted += accepts and not wrong
        self.refused += wrong and not accepts

    def line(self, base: float) -> str:
        middle = median(self.times)
        return (
            f"{self.name:26} {middle:8.1f} {max(self.times):8.0f} {middle / base:7.2f} x   "
            f"{self.accepted:3} of {self.right:3} right   {self.refused:3} of {self.wrong:3} wrong"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[PROGRAMS])
    folders = parser.parse_args().folders
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    whole, ours, theirs, once = (
        Tool(n) for n in ("verifier check, all", "verifier check, the same", "torch.export", "jaxtyping at one size")
    )
    for subject in subjects(folders):
        spent, report = timed(lambda s=subject: judge(s))
        wrong = subject.name.lower().startswith(("bad", "buggy"))
        accepts = report.verdict in ("PROVED", "PROVED_IF", "BOUNDED")
        whole.told(spent, wrong, accepts)
        asked = arrays_of(subject)
        if asked is None:
            continue
        ours.told(spent, wrong, accepts)
        spent, answer = timed(lambda s=subject, a=asked: exported(s, *a))
        theirs.told(spent, wrong, answer)
        spent, answer = timed(lambda s=subject, a=asked: runs(s, a[0]))
        once.told(spent, wrong, answer)
    print(f"{'':26} {'median':>8} {'max ms':>8}")
    base = median(ours.times)
    for tool in (whole, ours, theirs, once):
        if tool.times:
            print(tool.line(base))


if __name__ == "__main__":
    main()
