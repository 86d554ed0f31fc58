"""Programs whose result is decided by what a size is, by what is caught, or by an earlier call: none is proved.

Each is wrong at some size or after some call, and is held against plain Python where a verdict says that it is right.
"""

from __future__ import annotations

import itertools
import random
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from verifier.check.discovery import Target, subjects_of
from verifier.check.judge import judge
from verifier.check.loading import forget

DATA = Path(__file__).parent.parent / "data" / "hidden_decisions.txt"
HEAD = """import collections, contextlib, dataclasses, enum, functools, io, math, operator, random
import numpy as np
from jaxtyping import Float


"""


def programs() -> dict[str, str]:
    parts = DATA.read_text().split("\n== ")[1:]
    return {name: body for name, _, body in (p.partition("\n") for p in parts)}


def report_of(source: str, folder: Path) -> Any:
    file = folder / "program.py"
    file.write_text(HEAD + source)
    forget()
    (subject,) = subjects_of(Target(file))
    return judge(subject, axes=False)


def failing_sizes(report: Any, source: str) -> list[dict[str, int]]:
    """Sizes at which plain Python contradicts a verdict that the program is right there."""
    told = re.findall(r"(\w+) <= (\d+)", report.reason) if report.verdict == "BOUNDED" else []
    bounds = {name: int(bound) for name, bound in told}
    found: list[dict[str, int]] = []
    module = ModuleType("plain_program")
    sys.modules["plain_program"] = module  # where dataclasses look for it
    exec(HEAD + source, vars(module))
    for n, d in itertools.product([*range(1, 10), 12, 30], [*range(1, 6), 9]):
        sizes = {"n": n, "d": d}
        if any(sizes[k] > b for k, b in bounds.items()) or not all(eval(a, {}, sizes) for a in report.assumptions):
            continue
        try:
            right = module.f(np.zeros((n, d))).shape == (d, n)
        except Exception:
            right = False
        if not right:
            found.append(sizes)
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", programs())
def test_what_a_size_is_decides_nothing_unnoticed(name: str, tmp_path: Path) -> None:
    source = programs()[name]
    state = random.getstate()
    report = report_of(source, tmp_path)
    random.setstate(state)
    if name.endswith("[PROVED]"):
        assert report.verdict == "PROVED", report.reason
    else:
        assert report.verdict != "PROVED"
    if report.verdict in ("PROVED", "PROVED_IF", "BOUNDED"):
        assert not failing_sizes(report, source)
