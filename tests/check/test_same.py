"""`verifier same`: equal for every size, different at a witness, bounded by a loop, and what is said of wrong use."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from verifier.check.same import same
from verifier.cli import app
from verifier.errors import VerifierError
from verifier.verdict import Truth

OURS = """
import numpy as np
from jaxtyping import Float


def mine(a: Float[np.ndarray, "h n v"], W_O: Float[np.ndarray, "h*v d"]) -> Float[np.ndarray, "n d"]:
    h, n, v = a.shape
    return np.einsum("hnv,hvd->nd", a, W_O.reshape(h, v, -1))


def swapped(a: Float[np.ndarray, "h n v"], W_O: Float[np.ndarray, "h*v d"]) -> Float[np.ndarray, "n d"]:
    h, n, v = a.shape
    return np.einsum("hnv,vhd->nd", a, W_O.reshape(v, h, -1))


def loop(a: Float[np.ndarray, "h n v"], W_O: Float[np.ndarray, "h*v d"]) -> Float[np.ndarray, "n d"]:
    h, n, v = a.shape
    total = np.zeros((n, W_O.shape[1]))
    for i in range(h):
        total = total + a[i] @ W_O[i * v : (i + 1) * v]
    return total
"""
THEIRS = "verifier.kernels:project_and_add"


@pytest.fixture
def ours(tmp_path: Path) -> str:
    path = tmp_path / "ours.py"
    path.write_text(OURS, encoding="utf-8")
    return str(path)


def test_equal_for_every_size(ours: str) -> None:
    found = same(f"{ours}:mine", THEIRS, ["a=heads"])
    assert found.verdict is Truth.PROVED
    assert found.witness is None
    assert found.term


def test_another_order_of_factors_is_shown_at_a_witness(ours: str) -> None:
    found = same(f"{ours}:swapped", THEIRS, ["a=heads"])
    assert found.verdict is Truth.REFUTED
    assert found.witness is not None
    assert found.witness["sizes"]["h"] > 1


def test_a_loop_is_equal_at_every_count(ours: str) -> None:
    assert same(f"{ours}:loop", THEIRS, ["a=heads"]).verdict is Truth.PROVED


@pytest.mark.parametrize(
    ("bind", "said"),
    [([], "nothing stands for it"), (["a=head"], "did you mean heads"), (["b=heads"], "no argument 'b'")],
)
def test_wrong_use_is_told(ours: str, bind: list[str], said: str) -> None:
    with pytest.raises(VerifierError, match=r".") as caught:
        same(f"{ours}:mine", THEIRS, bind)
    assert said in str(caught.value)


def test_exit_statuses(ours: str) -> None:
    def status(*arguments: str) -> int:
        return CliRunner().invoke(app, ["same", *arguments]).exit_code

    assert status(f"{ours}:mine", THEIRS, "--bind", "a=heads") == 0
    assert status(f"{ours}:swapped", THEIRS, "--bind", "a=heads", "--format", "json") == 1
    assert status(f"{ours}:none", THEIRS) == 2


def test_small_integers_are_said_not_to_wrap_around(tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_text(
        "import numpy as np\nfrom jaxtyping import Float, Int8, Int64\n\n\n"
        'def twice(x: Int8[np.ndarray, "n"]):\n    return x.astype(np.float32) * 2\n\n\n'
        'def added(x: Int8[np.ndarray, "n"]):\n    return (x + x).astype(np.float32)\n\n\n'
        'def wide(x: Int64[np.ndarray, "n"]):\n    return x + x\n',
        encoding="utf-8",
    )
    found = same(f"{path}:twice", f"{path}:added")
    assert found.verdict is Truth.PROVED
    assert found.assumptions == ["no int8 overflows"]
    assert same(f"{path}:wide", f"{path}:wide").assumptions == []
