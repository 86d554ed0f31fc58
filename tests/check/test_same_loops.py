"""`same` follows loops: what one iteration makes, written with its number, is what all of them make."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.check.same import same
from verifier.verdict import Truth

FILE = Path(__file__).parent.parent / "data" / "loops" / "pairs.py"


@pytest.mark.parametrize(
    ("loop", "whole"),
    [
        ("slow", "fast"), ("slow2", "fast"), ("slow3", "fast"), ("slow5", "fast"),
        ("merged", "mergedf"), ("merged2", "mergedf"), ("total", "totalf"), ("total2", "totalf"),
    ],
)  # fmt: skip
def test_a_loop_is_the_array_operation_at_every_count(loop: str, whole: str) -> None:
    found = same(f"{FILE}:{loop}", f"{FILE}:{whole}")
    assert (found.verdict, found.reason) == (Truth.PROVED, "one normal form for every size")


@pytest.mark.parametrize(
    ("loop", "whole"),
    [
        ("wrong", "totalf"), ("wrong2", "totalf"), ("srt", "zero"), ("leak", "first"), ("cum", "cumf"),
        ("part", "ident"), ("shift", "flip"), ("double", "dbl"), ("total3", "totalf"),
    ],
)  # fmt: skip
def test_what_one_iteration_does_not_tell_is_not_proved(loop: str, whole: str) -> None:
    assert same(f"{FILE}:{loop}", f"{FILE}:{whole}").verdict is not Truth.PROVED


def test_a_looping_multi_head_attention_is_the_kernel(tmp_path: Path) -> None:
    file = tmp_path / "loop.py"
    file.write_text("""
import numpy as np
from jaxtyping import Float
from numpy import ndarray as A

def attention(
    x: Float[A, "n d_model"], W_Q: Float[A, "h d_model d_k"], W_K: Float[A, "h d_model d_k"],
    W_V: Float[A, "h d_model d_v"], W_O: Float[A, "h d_v d_model"],
) -> Float[A, "n d_model"]:
    out = np.zeros_like(x)
    for q, k, v, o in zip(W_Q, W_K, W_V, W_O):
        scores = (x @ q) @ (x @ k).T / np.sqrt(q.shape[-1])
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        out += e / e.sum(axis=-1, keepdims=True) @ (x @ v) @ o
    return out

def vectorised(
    x: Float[A, "n d_model"], W_Q: Float[A, "h d_model d_k"], W_K: Float[A, "h d_model d_k"],
    W_V: Float[A, "h d_model d_v"], W_O: Float[A, "h d_v d_model"],
) -> Float[A, "n d_model"]:
    scores = np.einsum("hnk,hmk->hnm", x @ W_Q, x @ W_K) / np.sqrt(W_Q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    heads = e / e.sum(axis=-1, keepdims=True) @ (x @ W_V)
    return np.einsum("hnv,hvd->nd", heads, W_O)
""")
    assert same(f"{file}:attention", f"{file}:vectorised").verdict is Truth.PROVED


def test_one_that_fails_where_the_other_returns_is_not_the_same(tmp_path: Path) -> None:
    file = tmp_path / "guards.py"
    file.write_text("""
import numpy as np
from jaxtyping import Float
from numpy import ndarray as A

def free(x: Float[A, "h"]) -> Float[A, "h"]:
    return x

def guarded(x: Float[A, "h"]) -> Float[A, "h"]:
    if len(x) > 60:
        raise ValueError("too long")
    return x + 0

def also(x: Float[A, "h"]) -> Float[A, "h"]:
    if not len(x) <= 60:
        raise ValueError("too long")
    return x

def looped(x: Float[A, "h"]) -> Float[A, "h"]:
    if len(x) > 60:
        raise ValueError("too long")
    return np.stack([r for r in x])

def even(x: Float[A, "n 2*d"], y: Float[A, "d"]) -> Float[A, "n 2*d"]:
    out = np.zeros_like(x)
    for i in range(x.shape[1] // 2):
        out[:, 2 * i : 2 * i + 2] = x[:, 2 * i : 2 * i + 2]
    return out

def whole(x: Float[A, "n 2*d"], y: Float[A, "d"]) -> Float[A, "n 2*d"]:
    return x + 0
""")
    found = {
        (a, b): same(f"{file}:{a}", f"{file}:{b}").verdict
        for a, b in (
            ("guarded", "free"),
            ("free", "guarded"),
            ("looped", "free"),
            ("guarded", "also"),
            ("even", "whole"),
        )
    }
    assert [v is Truth.PROVED for v in found.values()] == [False, False, False, True, True]
