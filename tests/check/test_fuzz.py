"""Random programs: PROVED is true on a grid of sizes, and whatever is refuted fails on real arrays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.programs import disagreement, judge_program, program

PROGRAMS = 220
"""Seeds; about half of them give a program. `benchmarks/check.py --fuzz 2000` runs more."""


@pytest.mark.parametrize("block", range(11))
def test_no_verdict_is_contradicted_by_real_arrays(block: int, tmp_path: Path) -> None:
    judged = 0
    for seed in range(block * PROGRAMS // 11, (block + 1) * PROGRAMS // 11):
        source = program(seed)
        if source is None:
            continue
        report, real = judge_program(source, tmp_path, seed)
        wrong = disagreement(report, real)
        assert wrong is None, f"seed {seed}: {wrong}\n{source}"
        judged += 1
    assert judged >= 5
