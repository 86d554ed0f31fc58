"""What NumPy refuses, at some sizes or at all: ranks, places outside an axis, options that it does not know."""

from __future__ import annotations

import pytest

from .test_numpy_rules import GRID, WITH_ZERO, hold, parse

ROWS = """
np.searchsorted(x, v) | x: n d; v: m
np.searchsorted(x, x) | x: n d
np.searchsorted(v, w, sorter=i) | v: n; w: m; i: d int
np.searchsorted(v, w, sorter=x) | v: n; w: m; x: n n int
np.searchsorted(v, w, sorter=f) | v: n; w: m; f: n
np.digitize(v, x) | v: m; x: n d
np.interp(v, x, w) | v: m; x: n d; w: n
np.interp(v, x, x) | v: m; x: n d
np.interp(v, w, x) | v: m; w: n; x: n d
np.interp(x, v, v) | x: n d; v: m
np.interp(x, w, w) | x: n d; w: 0
np.compress(x > 0, y) | x: n d; y: n d
np.compress(c, x, axis=1) | c: m n bool; x: n d
np.diagonal(x, 0, 0, 0) | x: n d
np.vsplit(v, 2) | v: n
np.vsplit(v, 1) | v: n
np.pad(x, m - 2, mode='edge') | x: n d
np.pad(x, (1, 2, 3)) | x: n d
np.pad(x, 1, mode='nosuch') | x: n d
np.pad(x, 1, mode='edge') | x: n d
np.pad(x, 1, mode='mean') | x: n d
np.pad(x, ((0, 1, 2), (0, 1, 2))) | x: n d
np.roll(x, (1, 2, 3), axis=(0, 1)) | x: n d
np.rollaxis(x, 0, 3) | x: n d
np.rollaxis(x, 0, -3) | x: n d
np.broadcast_to(v, -1) | v: n
np.broadcast_to(v, (n, -1)) | v: n
np.take(x, f) | x: n d; f: m
np.take_along_axis(x, i, axis=None) | x: n d; i: m int
np.diff(x, n=-1) | x: n d
np.quantile(x, 2.0) | x: n d
np.quantile(x, 0.5, axis=0) | x: n d
np.percentile(x, 101) | x: n d
np.percentile(x, [50, 20], axis=0) | x: n d
np.quantile(b, 0.5) | b: n d bool
np.average(x, axis=0, weights=y) | x: n d; y: 1 d
np.argmax(x, axis=(0, 1)) | x: n d
np.linalg.multi_dot([x]) | x: n d
np.linalg.multi_dot([x, v, y]) | x: n d; v: d; y: n d
np.linalg.multi_dot([x, t, y]) | x: n d; t: m d n; y: n d
np.linalg.norm(v, ord='fro') | v: n
np.linalg.norm(x, ord='fro', axis=0) | x: n d
np.linalg.norm(v, ord='nuc') | v: n
np.linalg.norm(x, ord=3) | x: n d
np.linalg.norm(x, ord=3, axis=(0, 1)) | x: n d
np.linalg.norm(x, ord=0) | x: n d
np.linalg.norm(t, axis=(0, 1, 2)) | t: n m d
np.linalg.matrix_norm(x, ord=3) | x: n d
np.linalg.matrix_power(e, 1.5) | e: n n
np.linspace(0, 1, n - 2) | x: n
np.eye(n - 2) | x: n
np.eye(n, m - 2) | x: n
np.identity(n - 2) | x: n
np.random.default_rng(0).normal(size=(n - 2,)) | x: n
np.random.default_rng(0).choice(v, 2) | v: n
np.random.default_rng(0).choice(n, m, replace=False) | x: n
np.random.default_rng(0).integers(0, n - 2, (m,)) | x: n
np.random.default_rng(0).normal(v, 1.0, (m,)) | v: n
np.random.default_rng(0).uniform(size=n - 2) | v: n
np.random.rand(n - 2) | x: n
np.random.randn(n, m - 2) | x: n
x[[0, m]] | x: n d
""".strip().splitlines()


@pytest.mark.parametrize("row", ROWS)
def test_what_numpy_refuses_is_refused(row: str) -> None:
    text, arrays = parse(row)
    hold(text, arrays, 0, WITH_ZERO + GRID)
