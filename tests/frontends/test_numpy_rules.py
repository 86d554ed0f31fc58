"""Every rule is held against NumPy itself: at each size both have one shape and element type, or both raise."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest

from verifier.dims import Scope
from verifier.dims.dim import evaluate, is_dim
from verifier.errors import NeedsConcreteSize, Unsupported
from verifier.frontends.explorer import explore
from verifier.frontends.numpy.array import SymbolicArray
from verifier.frontends.recording import current_graph
from verifier.graph.ops import Input
from verifier.prove.search import true_at

ROWS = """
x.T | x: n d
x @ y | x: n d; y: d m
x @ y | x: n d; y: m d
x @ v | x: n d; v: d
v @ v | v: n
np.dot(x, y) | x: n d; y: m d n
np.inner(x, y) | x: n d; y: m d
np.outer(v, x) | v: n; x: n m
np.vdot(v, w) | v: n; w: m
np.kron(x, y) | x: n d; y: m n
np.tensordot(x, y, axes=1) | x: n d; y: d m
np.tensordot(x, y, axes=([0], [1])) | x: n d; y: m n
np.einsum('ij,jk->ik', x, y) | x: n d; y: m n
np.einsum('...i,...i->...', x, y) | x: n d; y: m d
np.einsum('ij,kj', x, y) | x: n d; y: m d
np.einsum('ii->i', x) | x: n m
x + y | x: n d; y: m d
x + v | x: n d; v: m
x * v[:, None] | x: n d; v: n
x > y | x: n d; y: n 1
x / 2 | x: n d
i / 2 | i: n int
i // 2 + True | i: n int
np.divmod(x, 2)[0] | x: n d
x.sum(0) | x: n d
x.sum(axis=(0, 1), keepdims=True) | x: n d
x.mean(-1) | x: n d
i.mean() | i: n int
i.sum() | i: n int
x.max(axis=1) | x: n d
x.var(axis=0, keepdims=True) | x: n d
x.std() | x: n d
x.argmax(axis=0) | x: n d
np.argmin(x) | x: n d
np.argmax(x, axis=1, keepdims=True) | x: n d
np.cumsum(x, axis=1) | x: n d
np.cumsum(x) | x: n d
np.cumprod(i) | i: n int
np.sort(x, axis=0) | x: n d
np.argsort(x) | x: n d
np.diff(x, axis=0) | x: n d
np.median(x, axis=0) | x: n d
np.ptp(x, axis=1) | x: n d
np.count_nonzero(x > 0, axis=0) | x: n d
np.average(x, axis=0, weights=v) | x: n d; v: m
np.take_along_axis(x, np.argsort(x, axis=1), axis=1) | x: n d
np.nan_to_num(x) | x: n d
np.round(x, 2) | x: n d
x.reshape(d, n) | x: n d
x.reshape(n, 2, -1) | x: n d
x.reshape(-1) | x: n d
x.reshape(n * d, 1) | x: n d
x.reshape(n, d // 2, 2) | x: n d
np.ravel(x) | x: n d
np.swapaxes(x, 0, 1) | x: n d
np.moveaxis(x, 0, -1) | x: n d m
np.rollaxis(x, 2) | x: n d m
np.transpose(x, (2, 0, 1)) | x: n d m
np.expand_dims(x, (0, 2)) | x: n d
np.squeeze(x) | x: n d 1
np.squeeze(x, axis=0) | x: n d
np.broadcast_to(x, (m, n, d)) | x: n d
np.broadcast_to(v, (n, m)) | v: d
np.atleast_2d(v) | v: n
np.concatenate([x, y]) | x: n d; y: m d
np.concatenate([x, y], axis=1) | x: n d; y: m d
np.concatenate([x, y], axis=None) | x: n d; y: m d
np.stack([x, y], axis=1) | x: n d; y: m d
np.vstack([x, v]) | x: n d; v: d
np.hstack([x, y]) | x: n d; y: n m
np.column_stack([v, x]) | v: n; x: n d
np.append(x, y, axis=0) | x: n d; y: m d
np.split(x, 2, axis=1)[1] | x: n d
np.split(x, [1, 2])[1] | x: n d
np.array_split(x, 3)[0] | x: n d
np.array_split(x, 3)[2] | x: n d
np.hsplit(x, 2)[0] | x: n d
np.tile(x, (2, 1)) | x: n d
np.tile(v, (m, 1)) | v: n
np.tile(x, 2) | x: n d
np.repeat(x, 3, axis=0) | x: n d
np.repeat(x, m) | x: n d
np.pad(x, 1) | x: n d
np.pad(x, ((1, 0), (0, 2))) | x: n d
np.pad(x, ((0, m), (0, 0)), constant_values=1) | x: n d
np.pad(v, 2, mode='reflect') | v: n+2
np.roll(x, 1, axis=0) | x: n d
np.flip(x, axis=1) | x: n d
np.fliplr(x) | x: n d
np.diagonal(x) | x: n n
np.diagonal(x, 1) | x: n m
np.diag(v) | v: n
np.trace(x) | x: n n
np.meshgrid(v, w)[0] | v: n; w: m
np.meshgrid(v, w, indexing='ij')[1] | v: n; w: m
np.broadcast_arrays(x, v)[1] | x: n d; v: d
np.where(x > 0, x, 0) | x: n d
np.where(x > 0, x, y) | x: n d; y: m 1
np.where(b, 1, 2.5) | b: n bool
np.clip(x, 0, None) | x: n d
np.triu(x) | x: n d
np.tril(x, -1) | x: n m d
np.eye(n, m) | x: n m
np.arange(n) | x: n
np.arange(1, n, 2) | x: n
np.arange(n, dtype=float) | x: n
np.zeros((n, d)) | x: n d
np.ones_like(x, dtype=int) | x: n d
np.full((n, 2), 3) | x: n
np.linspace(0, 1, n) | x: n
np.indices((n, m)) | x: n m
np.random.default_rng(0).normal(size=(n, d)) | x: n d
np.random.rand(n, 2) | x: n
np.array([x, x]) | x: n d
np.asarray(x) | x: n d
np.argwhere(b).T[:, :0] | b: 3 bool
np.nonzero(x)[0][:0] | x: n d
np.flatnonzero(x)[:0] | x: n d
np.unique(x)[:0] | x: n d
np.compress(v > 9, x, axis=1)[:, :0] | v: d; x: n d
np.around(x, 1) | x: n d
np.atleast_1d(v) | v: n
np.linalg.cholesky(9 * np.eye(n) + 0 * x @ x.T) | x: n d
np.linalg.eigh(x + x.T)[1] | x: n n
np.linalg.multi_dot([x, y, x]) | x: n d; y: d n
np.linalg.matrix_norm(x, keepdims=True) | x: n d
np.linalg.vector_norm(x, axis=0) | x: n d
np.digitize(v, np.sort(w)) | v: n; w: m
np.searchsorted(np.sort(v), w) | v: n; w: m
np.digitize(v, x) | v: m; x: n d
np.searchsorted(x, v) | x: n d; v: m
np.searchsorted(v, x) | v: m; x: n d
np.searchsorted(np.sort(v), w, sorter=i) | v: n; w: m; i: d int
np.searchsorted(v, w, sorter=x) | v: n; w: m; x: n
x.searchsorted(v) | x: n d; v: m
np.interp(v, x, w) | v: m; x: n d; w: n
np.interp(v, w, x) | v: m; w: n; x: n d
np.compress(x > 9, x) | x: n d
np.diff(x, n=-1) | x: n d
np.argmax(x, axis=(0, 1)) | x: n d
np.nonzero(x.sum())[0] | x: n d
np.dsplit(x, 2)[0] | x: n d m
np.vsplit(x, 2)[0] | x: n d
np.flipud(x) | x: n d
np.flip(x) | x: n d
np.interp(v, w, w) | v: n; w: m
np.isclose(x, y) | x: n d; y: m d
np.nanmean(x, axis=0) | x: n d
np.nanmedian(x, axis=0) | x: n d
np.nanstd(x, axis=1) | x: n d
np.nanvar(x) | x: n d
np.nansum(x, axis=0) | x: n d
np.nanmax(x, axis=0, keepdims=True) | x: n d
np.nanmin(x) | x: n d
np.empty_like(x) | x: n d
np.permute_dims(x, (1, 0)) | x: n d
np.concat([x, y]) | x: n d; y: m d
x[0] | x: n d
x[-1] | x: n d
x[:2] | x: n d
x[1:-1] | x: n d
x[::2] | x: n d
x[1::2] | x: n d
x[::-1] | x: n d
x[-3:] | x: n d
x[:m] | x: n d
x[m:] | x: n d
x[..., 0] | x: n d
x[:, None] | x: n d
x[None, ..., 1:] | x: n d
x[d // 2:, :] | x: n d
x[i] | x: 9 d; i: n int
x[:, i] | x: n 9; i: m int
x[i, i] | x: 9 9; i: m int
x[i, :, i] | x: 9 d 9; i: m int
x[np.arange(n)] | x: n d
x[np.arange(m)] | x: n d
np.take(x, np.arange(m), axis=1) | x: n d
np.take(x, i, axis=1) | x: n 9; i: m int
np.linalg.norm(x) | x: n d
np.linalg.norm(x, axis=-1, keepdims=True) | x: n d
np.linalg.norm(x, ord=1, axis=0) | x: n d
np.linalg.inv(x + 9 * np.eye(x.shape[0], x.shape[1])) | x: n n
np.linalg.solve(x + 9 * np.eye(n), y) | x: n n; y: m d
np.linalg.pinv(x) | x: n d
np.linalg.svd(x)[0] | x: n d
np.linalg.svd(x, full_matrices=False)[2] | x: n d
np.linalg.svd(x, compute_uv=False) | x: n d
np.linalg.qr(x)[0] | x: n d
np.linalg.qr(x)[1] | x: n d
np.linalg.det(x) | x: n n
x.astype(np.float32) + 1 | x: n d
x.astype(int) | x: n d
np.exp(i) | i: n int
~b & b | b: n bool
x * d ** 0.5 | x: n d
x / np.sqrt(n) | x: n d
""".strip().splitlines()

IN_PLACE = """
x[0] = 1 | x: n d
x[:, 0] = v | x: n d; v: m
x[1:] = y | x: n d; y: m d
x[::2] = 0 | x: n d
x[..., 1::2] = y | x: n d; y: n m
x[x > 0] = 0 | x: n d
x[b] = 0 | x: n d; b: m bool
x[b] = v | x: n d; b: n bool; v: m
x += v | x: n d; v: m
x += y | x: n d; y: m n d
x *= y | x: n 1; y: n d
i += 1.5 | i: n int
i //= 2 | i: n int
x[i] = v | x: 9 d; i: n int; v: m
x[m] = 0 | x: n d
x[:, None] = y | x: n d; y: n 1 d
np.add(x, v, out=x) | x: n d; v: m
""".strip().splitlines()
DTYPES = {"int": np.int64, "bool": np.bool_}
GRID = [dict(zip("nmd", s, strict=True)) for s in itertools.product((1, 2, 3, 4), repeat=3)]
WITH_ZERO = [dict(zip("nmd", s, strict=True)) for s in itertools.product((0, 1, 3), repeat=3) if 0 in s]


def parse(row: str) -> tuple[str, dict[str, tuple[list[str], Any]]]:
    text, _, given = row.partition(" | ")
    arrays: dict[str, tuple[list[str], Any]] = {}
    for part in given.split(";"):
        name, _, words = part.partition(":")
        axes = words.split()
        dtype = DTYPES.get(axes[-1], np.float64)
        arrays[name.strip()] = ([a for a in axes if a not in DTYPES], dtype)
    return text.strip(), arrays


def run(text: str, names: dict[str, Any], in_place: bool) -> Any:
    space = {"np": np, **names}
    if in_place:
        exec(compile(text, "<row>.py", "exec"), space)
        return space[text.split("[")[0].split(" ")[0] if not text.startswith("np.") else "x"]
    return eval(compile(text, "<row>.py", "eval"), space)


def symbolic_paths(text: str, arrays: dict[str, Any], least: int, in_place: bool) -> list[Any]:
    scope = Scope.of("n m d", least)

    def body() -> Any:
        values: dict[str, Any] = dict(scope.names)
        for name, (axes, dtype) in arrays.items():
            shape = tuple(eval(a, {}, dict(scope.names)) for a in axes)
            values[name] = SymbolicArray(current_graph().add(Input(name, shape), dtype=dtype))
        return run(text, values, in_place)

    return explore(body, scope)


def real_outcome(text: str, arrays: dict[str, Any], sizes: dict[str, int], in_place: bool) -> Any:
    draw = np.random.default_rng(0)
    values: dict[str, Any] = dict(sizes)
    for name, (axes, dtype) in arrays.items():
        shape = tuple(eval(a, {}, dict(sizes)) for a in axes)
        values[name] = (draw.standard_normal(shape) if dtype is np.float64 else np.zeros(shape)).astype(dtype)
        if dtype is np.bool_:
            values[name] = np.ones(shape, bool)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return run(text, values, in_place)


def hold(text: str, arrays: dict[str, Any], least: int, grid: list[dict[str, int]], in_place: bool = False) -> None:
    paths = symbolic_paths(text, arrays, least, in_place)
    for path in paths:
        assert not isinstance(path.error, Unsupported), path.error
    for sizes in grid:
        taken = [p for p in paths if all(true_at(c, sizes) for c in p.conditions)]
        assert len(taken) == 1, f"{text} at {sizes}: {len(taken)} paths"
        (path,) = taken
        try:
            real = real_outcome(text, arrays, sizes, in_place)
        except Exception as error:
            assert path.error is not None, f"{text} at {sizes}: NumPy raises {error!r}, we have {path.value}"
            continue
        assert path.error is None, f"{text} at {sizes}: NumPy has {np.shape(real)}, we raise {path.error!r}"
        shape = tuple(evaluate(s, sizes) if is_dim(s) else s for s in path.value.shape)
        assert shape == np.shape(real), f"{text} at {sizes}"
        assert path.value.dtype == np.asarray(real).dtype, f"{text}: {path.value.dtype} and {np.asarray(real).dtype}"


@pytest.mark.parametrize("row", ROWS)
def test_numpy_has_the_same_shape_or_raises_too(row: str) -> None:
    text, arrays = parse(row)
    hold(text, arrays, 1, GRID)


@pytest.mark.parametrize("row", IN_PLACE)
def test_writing_into_an_array_keeps_its_shape_or_raises_as_numpy_does(row: str) -> None:
    text, arrays = parse(row)
    hold(text, arrays, 1, GRID, in_place=True)


# Of nothing, NumPy asks less: it takes an index outside where no element is picked, and collapses axes of 0 and 1.
LENIENT = ("np.take(x, np.arange(m)", "einsum('ii->i'")
WITHOUT = (
    "linalg",
    "median",
    "average",
    "default_rng",
    "hsplit",
    "reshape(n, 2",
    "+2",
    "nan",
    "cholesky",
    "interp",
    *LENIENT,
)
EMPTY = [r for r in ROWS if not any(w in r for w in WITHOUT)]


@pytest.mark.parametrize("row", EMPTY)
def test_numpy_has_the_same_shape_where_an_axis_is_empty(row: str) -> None:
    text, arrays = parse(row)
    try:
        hold(text, arrays, 0, WITH_ZERO)
    except NeedsConcreteSize:
        pytest.skip("wants a number")
