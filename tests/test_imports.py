"""What is loaded by what, in a child process: sizes and kernels need no SymPy, the package alone needs nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("sympy", "numpy", "jaxtyping", "beartype", "rich", "typer")


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
