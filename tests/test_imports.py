"""What is loaded by what, in a child process: sizes and kernels need no SymPy, the package alone needs nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

FRAMEWORKS = ("jax", "torch")
HEAVY = ("sympy", "numpy", "jaxtyping", "beartype", "rich", "typer", *FRAMEWORKS)


def loaded_after(code):
    program = f"import sys\n{code}\nprint(*(name for name in {HEAVY!r} if name in sys.modules))"
    result = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


def test_the_package_alone_loads_nothing():
    assert loaded_after("import verifier") == set()


@pytest.mark.parametrize("module", ["verdict", "errors", "dims"])
def test_sizes_load_no_library(module):
    assert loaded_after(f"import verifier.{module}") == set()


@pytest.mark.parametrize("module", ["terms", "graph", "frontends", "kernels", "readings"])
def test_no_sympy(module):
    assert "sympy" not in loaded_after(f"import verifier.{module}")


def test_tracing_every_kernel_loads_no_sympy():
    code = """
import verifier.kernels as kernels
from verifier.readings import cost_of, parameters_of, trace
for name in kernels.__all__:
    traced = trace(getattr(kernels, name))
    assert traced.paths
    if name != "split_heads":
        cost_of(traced)
    parameters_of(getattr(kernels, name)) if name != "split_heads" else None
"""
    assert "sympy" not in loaded_after(code)


@pytest.mark.parametrize(
    "code",
    [
        "from verifier.audit.run import audit; audit(use_cache=False, only=['TF1.a'])",
        "from verifier.check.discovery import subjects_of, targets_of\n"
        "from verifier.check.judge import judge\n"
        "(subject,) = subjects_of(targets_of('examples/attention.py:attend')[0])\njudge(subject)",
        "from verifier.config import load; load({'model_type': 'gpt2'})",
    ],
    ids=["audit", "check", "config"],
)
def test_no_framework_is_imported_that_the_code_did_not_import(code, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "attention.py").write_text(
        "import numpy as np\nfrom jaxtyping import Float\n\n\n"
        'def attend(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n n"]:\n    return x @ x.T\n'
    )
    assert not loaded_after(code) & set(FRAMEWORKS)
