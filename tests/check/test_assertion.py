"""Proofs inside tests: `verifier.assert_shapes` and `pytest --verifier-check`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from jaxtyping import Float

import verifier
from verifier.errors import VerifierError


def right(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d n"]:
    return x.T


def wrong(x: Float[np.ndarray, "n d"], y: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "n d"]:
    return x + y


def test_a_right_function_passes() -> None:
    verifier.assert_shapes(right)
    verifier.assert_shapes(wrong, "n == m")


def test_a_wrong_function_fails_with_its_report() -> None:
    with pytest.raises(AssertionError, match="wrong is REFUTED") as error:
        verifier.assert_shapes(wrong)
    assert "breaks at" in str(error.value)


def test_a_function_without_annotations_is_wrong_use() -> None:
    with pytest.raises(VerifierError):
        verifier.assert_shapes(test_a_right_function_passes)


def test_pytest_collects_annotated_functions(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(
        'import numpy as np\nfrom jaxtyping import Float\n\n\ndef good(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d n"]:\n'
        '    return x.T\n\n\ndef bad(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n n"]:\n    return x @ x\n'
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "verifier.pytest_plugin", "--verifier-check", str(tmp_path), "-rA"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    assert "1 failed, 1 passed" in run.stdout, run.stdout + run.stderr
    assert "ATT002" in run.stdout and "breaks at" in run.stdout


def test_importing_verifier_stays_light() -> None:
    code = "import sys, verifier; print([m for m in ('numpy', 'sympy', 'jaxtyping') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
