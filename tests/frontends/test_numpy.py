"""Every row of NumPy's table, held against NumPy at a grid of sizes, zeros and ones included."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frontends.differential import agree
from verifier.frontends.numpy import creation, functions

F, F32, I, B = np.float64, np.float32, np.int64, np.bool_  # noqa: E741  element types, in a table

FUNCTIONS = {
    # reductions
    "sum": (lambda x: np.sum(x, axis=1), ["n m"]),
    "sum all": (lambda x: np.sum(x), ["n m"]),
    "sum keepdims by a number": (lambda x: np.sum(x, 0, None, None, 1), ["n m"]),
    "sum keepdims": (lambda x: np.sum(x, axis=-1, keepdims=True), ["n m"]),
    "sum two axes": (lambda x: np.sum(x, axis=(0, 2)), ["n m 2"]),
    "sum all keepdims": (lambda x: np.sum(x, keepdims=True), ["n m"]),
    "sum wrong axis": (lambda x: np.sum(x, axis=2), ["n m"]),
    "sum twice an axis": (lambda x: np.sum(x, axis=(0, 0)), ["n m"]),
    "sum no axis": (lambda x: np.sum(x, axis=()), ["n m"]),
    "sum as float32": (lambda x: np.sum(x, axis=0, dtype=np.float32), ["n m"]),
    "prod": (lambda x: np.prod(x, axis=0), ["n m"]),
    "max": (lambda x: np.max(x, axis=1), ["n m"]),
    "max keepdims": (lambda x: np.max(x, axis=1, keepdims=True), ["n m"]),
    "max of all": (lambda x: np.max(x), ["n m"]),
    "amax": (lambda x: np.amax(x, 0), ["n m"]),
    "min": (lambda x: np.min(x, axis=(0, 1)), ["n m"]),
    "amin": (lambda x: np.amin(x, axis=0, keepdims=True), ["n m"]),
    "any": (lambda x: np.any(x > 0, axis=0), ["n m"]),
    "all": (lambda x: np.all(x, axis=1), ["n m"]),
    "mean": (lambda x: np.mean(x, axis=1), ["n m"]),
    "mean keepdims": (lambda x: np.mean(x, axis=0, keepdims=True), ["n m"]),
    "mean of all": (lambda x: np.mean(x), ["n m"]),
    "var": (lambda x: np.var(x, axis=1), ["n m"]),
    "var of all": (lambda x: np.var(x), ["n m"]),
    "std": (lambda x: np.std(x, axis=0, keepdims=True), ["n m"]),
    "std ddof": (lambda x: np.std(x, axis=0, ddof=1), ["4 m"]),
    # rearranging
    "reshape": (lambda x: np.reshape(x, (x.shape[1], x.shape[0])), ["n m"]),
    "reshape flat": (lambda x: np.reshape(x, -1), ["n m"]),
    "reshape an int": (lambda x: np.reshape(x, x.shape[0] * x.shape[1]), ["n m"]),
    "reshape unknown": (lambda x: np.reshape(x, (2, -1)), ["n m"]),
    "reshape unknown by a size": (lambda x: np.reshape(x, (x.shape[0], -1)), ["n m"]),
    "reshape wrong": (lambda x: np.reshape(x, (x.shape[0], x.shape[0])), ["n m"]),
    "reshape two unknown": (lambda x: np.reshape(x, (-1, -1)), ["n m"]),
    "ravel": (lambda x: np.ravel(x), ["n m"]),
    "transpose": (lambda x: np.transpose(x), ["n m 2"]),
    "transpose order": (lambda x: np.transpose(x, (2, 0, 1)), ["n m 2"]),
    "transpose negative": (lambda x: np.transpose(x, (-1, 0, 1)), ["n m 2"]),
    "transpose too few": (lambda x: np.transpose(x, (1, 0)), ["n m 2"]),
    "transpose repeated": (lambda x: np.transpose(x, (0, 0, 1)), ["n m 2"]),
    "matrix transpose": (lambda x: np.matrix_transpose(x), ["n m 2"]),
    "swapaxes": (lambda x: np.swapaxes(x, 0, -1), ["n m 2"]),
    "swapaxes wrong": (lambda x: np.swapaxes(x, 0, 3), ["n m 2"]),
    "moveaxis": (lambda x: np.moveaxis(x, 0, -1), ["n m 2"]),
    "moveaxis many": (lambda x: np.moveaxis(x, (0, 1), (2, 0)), ["n m 2"]),
    "moveaxis wrong": (lambda x: np.moveaxis(x, (0, 1), (2,)), ["n m 2"]),
    "expand_dims": (lambda x: np.expand_dims(x, 1), ["n m"]),
    "expand_dims many": (lambda x: np.expand_dims(x, (0, -1)), ["n m"]),
    "squeeze": (lambda x: np.squeeze(x), ["n 1 m"]),
    "squeeze axis": (lambda x: np.squeeze(x, axis=0), ["n m"]),
    "squeeze axes": (lambda x: np.squeeze(x, axis=(0, 2)), ["1 n 1"]),
    "broadcast_to": (lambda x: np.broadcast_to(x, (2, x.shape[0], 3)), ["n m"]),
    "broadcast_to more": (lambda x, y: np.broadcast_to(x, y.shape), ["n", "m n"]),
    "broadcast_to wrong": (lambda x, y: np.broadcast_to(x, y.shape), ["n", "m"]),
    "broadcast_to fewer": (lambda x: np.broadcast_to(x, (3,)), ["n m"]),
    "concatenate": (lambda x, y: np.concatenate([x, y]), ["n 2", "m 2"]),
    "concatenate axis": (lambda x, y: np.concatenate((x, y), axis=-1), ["n m", "n 2"]),
    "concatenate other sizes": (lambda x, y: np.concatenate([x, y], axis=1), ["n m", "m n"]),
    "concatenate flat": (lambda x, y: np.concatenate([x, y], axis=None), ["n m", "m"]),
    "concatenate ranks": (lambda x, y: np.concatenate([x, y]), ["n m", "m"]),
    "concatenate nothing": (lambda x: np.concatenate([]) + x, ["n"]),
    "concatenate wrong axis": (lambda x: np.concatenate([x, x], axis=1), ["n"]),
    "concatenate points": (lambda x: np.concatenate([x.sum(), x.sum()]), ["n"]),
    "stack": (lambda x, y: np.stack([x, y]), ["n m", "n m"]),
    "stack last": (lambda x, y: np.stack([x, y], axis=-1), ["n m", "n m"]),
    "stack other sizes": (lambda x, y: np.stack([x, y]), ["n", "m"]),
    "stack wrong axis": (lambda x: np.stack([x, x], axis=2), ["n"]),
    # products
    "matmul": (lambda x, y: np.matmul(x, y), ["n m", "m 2"]),
    "matmul wrong": (lambda x, y: x @ y, ["n m", "n m"]),
    "matmul batch": (lambda x, y: x @ y, ["2 n m", "m 3"]),
    "matmul batches": (lambda x, y: x @ y, ["n 1 2 m", "3 m 2"]),
    "matmul batch clash": (lambda x, y: x @ y, ["n 2 2", "m 2 2"]),
    "matmul vector": (lambda x, y: x @ y, ["n m", "m"]),
    "matmul vector left": (lambda x, y: x @ y, ["n", "n m"]),
    "matmul vectors": (lambda x, y: x @ y, ["n", "m"]),
    "matmul batch vector": (lambda x, y: x @ y, ["2 n m", "m"]),
    "matmul vector batch": (lambda x, y: x @ y, ["n", "2 n m"]),
    "matmul scalar": (lambda x: x @ 3.0, ["n m"]),
    "matmul point": (lambda x: x @ x.sum(), ["n m"]),
    "dot": (lambda x, y: np.dot(x, y), ["n m", "m 2"]),
    "dot vectors": (lambda x, y: np.dot(x, y), ["n", "n"]),
    "dot many": (lambda x, y: np.dot(x, y), ["2 n m", "3 m 2"]),
    "dot many vector": (lambda x, y: np.dot(x, y), ["2 n m", "m"]),
    "dot scalar": (lambda x: np.dot(x, 2.0), ["n m"]),
    "outer": (lambda x, y: np.outer(x, y), ["n", "m 2"]),
    "einsum": (lambda x, y: np.einsum("ij,jk->ik", x, y), ["n m", "m 2"]),
    "einsum no arrow": (lambda x, y: np.einsum("ij,jk", x, y), ["n m", "m 2"]),
    "einsum trace": (lambda x: np.einsum("ii", x), ["n n"]),
    "einsum diagonal": (lambda x: np.einsum("ii->i", x), ["n n"]),
    "einsum sum": (lambda x: np.einsum("ij->j", x), ["n m"]),
    "einsum ellipsis": (lambda x, y: np.einsum("...ij,...jk->...ik", x, y), ["2 n m", "m 2"]),
    "einsum ellipsis no arrow": (lambda x: np.einsum("...i", x), ["2 n m"]),
    "einsum wrong": (lambda x, y: np.einsum("ij,jk->ik", x, y), ["n m", "n m"]),
    "einsum ones": (lambda x, y: np.einsum("ij,jk->ik", x, y), ["n 1", "m 2"]),
    "einsum blanks": (lambda x, y: np.einsum("i j, j k -> i k", x, y), ["n m", "m 2"]),
    "einsum ranks": (lambda x: np.einsum("ijk->i", x), ["n m"]),
    "einsum unknown label": (lambda x: np.einsum("ij->k", x), ["n m"]),
    # choosing
    "where": (lambda x: np.where(x > 0, x, -np.inf), ["n m"]),
    "where mask": (lambda x, y: np.where(x > 0, y, 0), ["n m", "m"]),
    "where number": (lambda x: np.where(x, 1, 2), ["n m"]),
    "where shapes": (lambda x, y: np.where(x > 0, x, y), ["n", "m"]),
    "clip": (lambda x: np.clip(x, -1, 1), ["n m"]),
    "clip low": (lambda x: np.clip(x, 0, None), ["n m"]),
    "clip by name": (lambda x: np.clip(x, min=0, max=2), ["n m"]),
    "take": (lambda x: np.take(x, [0, 0], axis=0), ["2 m"]),
    "take flat": (lambda x: np.take(x, [[0], [1]]), ["2 2"]),
    "take last": (lambda x: np.take(x, 1, axis=-1), ["n 2"]),
    "tril": (lambda x: np.tril(x), ["n m"]),
    "triu": (lambda x: np.triu(x, 1), ["n m"]),
    "tril below": (lambda x: np.tril(x, k=-1), ["2 n m"]),
    "triu batch": (lambda x: np.triu(x, k=-1), ["2 n m"]),
    # what an array knows
    "shape": (lambda x: np.shape(x), ["n m"]),
    "ndim": (lambda x: np.ndim(x), ["n m"]),
    "copy": (lambda x: np.copy(x), ["n m"]),
    "zeros_like": (lambda x: np.zeros_like(x), ["n m"]),
    "empty_like": (lambda x: np.empty_like(x).shape, ["n m"]),
    "ones_like": (lambda x: np.ones_like(x, dtype=int), ["n m"]),
    "full_like": (lambda x: np.full_like(x, 2.5), ["n m"]),
    "full_like shape": (lambda x: np.full_like(x, 7, shape=x.shape[:1]), ["n m"]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", [F, I, B], ids=["float", "int", "bool"])
def test_function(name, dtype):
    function, shapes = FUNCTIONS[name]
    agree(function, shapes, [dtype] * len(shapes))


CREATION = {
    "zeros": lambda n, m: np.zeros((n, m)),
    "zeros int": lambda n, m: np.zeros(n, dtype=int),
    "zeros list": lambda n, m: np.zeros([n, 2], bool),
    "zeros of a plain size": lambda n, m: np.zeros(2) + n,
    "empty": lambda n, m: np.empty((n, m)).shape,
    "ones": lambda n, m: np.ones((n, m), dtype=np.float32),
    "full": lambda n, m: np.full((n, m), -np.inf),
    "full int": lambda n, m: np.full(n, 3),
    "full of sizes": lambda n, m: np.full((2,), n),
    "full row": lambda n, m: np.full((2, n), np.arange(n)),
    "full true": lambda n, m: np.full((n, m), True),
    "arange": lambda n, m: np.arange(n),
    "arange start": lambda n, m: np.arange(m, n),
    "arange step": lambda n, m: np.arange(0, n, 2),
    "arange down": lambda n, m: np.arange(n, 0, -1),
    "arange start step": lambda n, m: np.arange(1, n + m, 3),
    "arange float": lambda n, m: np.arange(n, dtype=float),
    "arange plain": lambda n, m: np.arange(5) + n,
    "arange plain float": lambda n, m: np.arange(0, 1, 0.25) + n,
    "tri": lambda n, m: np.tri(n),
    "tri rectangle": lambda n, m: np.tri(n, m, k=m - n, dtype=bool),
    "tri below": lambda n, m: np.tri(n, m, -1),
    "eye": lambda n, m: np.eye(n),
    "eye rectangle": lambda n, m: np.eye(n, m, k=1),
    "identity": lambda n, m: np.identity(n),
    "array": lambda n, m: np.array([n, m, 1]),
    "array nested": lambda n, m: np.array([[n, 1], [2, m]]),
    "array plain": lambda n, m: np.array([1.0, 2.0]) * n,
    "asarray": lambda n, m: np.asarray(n),
    "asarray float": lambda n, m: np.asarray([n, m], dtype=float),
    "array ndmin": lambda n, m: np.array([1, 2], ndmin=2) * n,
    "linspace plain": lambda n, m: np.linspace(0, 1, 3) * n,
    "sqrt of a size": lambda n, m: np.zeros(n) + np.sqrt(m),
    "size ** 0.5": lambda n, m: np.zeros(n) + m**0.5,
    "numpy integer times size": lambda n, m: np.zeros(np.int64(2) * n),
    "quotient": lambda n, m: np.zeros((n // 2, m % 2)),
    "quotient of sizes": lambda n, m: np.zeros(n // m),
    "negative": lambda n, m: np.zeros(n - m),
    "loop over sizes' range": lambda n, m: np.zeros(n)[: m // 2],
}


@pytest.mark.parametrize("name", CREATION)
def test_creation(name):
    agree(CREATION[name], sizes=["n", "m"])


METHODS = {
    "T": lambda x: x.T,
    "mT": lambda x: x.mT,
    "shape": lambda x: x.shape,
    "ndim": lambda x: x.ndim,
    "size": lambda x: x.size,
    "nbytes": lambda x: x.nbytes,
    "reshape": lambda x: x.reshape(x.shape[1], -1),
    "reshape tuple": lambda x: x.reshape((x.size,)),
    "transpose": lambda x: x.transpose(1, 0),
    "transpose tuple": lambda x: x.transpose((1, 0)),
    "transpose none": lambda x: x.transpose(),
    "astype": lambda x: x.astype(np.float32),
    "astype bool": lambda x: x.astype(bool),
    "astype int": lambda x: (x / 2).astype(int),
    "copy": lambda x: x.copy(),
    "dot": lambda x: x.dot(x.T),
    "flatten": lambda x: x.flatten(),
    "ravel": lambda x: x.ravel(),
    "sum": lambda x: x.sum(-1),
    "sum keepdims": lambda x: x.sum(axis=0, keepdims=True),
    "mean": lambda x: x.mean(axis=-1, keepdims=True),
    "max": lambda x: x.max(axis=1),
    "min": lambda x: x.min(0),
    "prod": lambda x: x.prod(),
    "any": lambda x: x.any(axis=0),
    "all": lambda x: x.all(),
    "var": lambda x: x.var(axis=0),
    "std": lambda x: x.std(),
    "squeeze": lambda x: x[:, None].squeeze(1),
    "swapaxes": lambda x: x.swapaxes(0, 1),
    "take": lambda x: x[:2].take([], axis=0),
    "clip": lambda x: x.clip(-1, 1),
    "real": lambda x: x.real,
    "len": lambda x: len(np.zeros((3, x.shape[0]))) + x,
    "iteration": lambda x: sum(row.sum() for row in np.stack([x, x])),
    "operators": lambda x: -x + 1 - 2 * x,
    "divide": lambda x: x / 2 + 1 / (x + 10),
    "floor": lambda x: x // 2 + x % 3,
    "power": lambda x: x**2 + 2.0**x,
    "abs": lambda x: abs(x) + (+x),
    "comparisons": lambda x: (x > 0) & (x <= 2) | (x == 1) ^ (x != 3),
    "invert": lambda x: ~(x < 0),
    "reversed comparison": lambda x: np.int64(0) < x,
    "size times array": lambda x: x.shape[0] * x,
    "array divided by a root": lambda x: x / np.sqrt(x.shape[1] + 1),
    "array times a root's inverse": lambda x: x * (1 / np.sqrt(x.shape[1] + 1)),
    "array by a negated root": lambda x: x * -np.sqrt(x.shape[1] + 1),
    "array by a numpy scalar of a size": lambda x: x * (np.float64(0.5) * (x.shape[1] + 1) ** 0.5),
    "array by a size and a numpy scalar": lambda x: x * ((x.shape[1] + 1) * np.float64(0.5)),
    "array by a plain root": lambda x: x * (2 * (x.shape[1] + 1) ** -0.5),
    "array divided by a power": lambda x: x / (x.shape[1] + 1) ** 0.5,
    "size times point": lambda x: x.shape[0] * x.sum(),
    "point times size": lambda x: x.sum() * x.shape[0],
    "size minus point": lambda x: x.shape[0] - x.sum(),
    "size against point": lambda x: x.shape[0] < x.sum(),
    "numpy scalar": lambda x: np.float32(2) * x,
    "numpy array left": lambda x: np.ones((1, 1)) * x,
    "numpy row left": lambda x: np.arange(2.0) + x[:, :2],
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("dtype", [F, F32, I, B], ids=["float", "single", "int", "bool"])
def test_method(name, dtype):
    agree(METHODS[name], ["n m"], [dtype])


UNARY = ["exp", "log", "sqrt", "tanh", "sin", "cos", "negative", "positive", "absolute", "fabs", "square", "reciprocal"]
UNARY += [
    "floor",
    "ceil",
    "rint",
    "trunc",
    "sign",
    "isnan",
    "isinf",
    "isfinite",
    "logical_not",
    "invert",
    "exp2",
    "log1p",
]
BINARY = ["add", "subtract", "multiply", "divide", "true_divide", "floor_divide", "remainder", "power", "maximum"]
BINARY += ["minimum", "fmax", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and"]
BINARY += ["logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "hypot", "arctan2", "float_power"]


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", [F, F32, I, B], ids=["float", "single", "int", "bool"])
def test_unary(name, dtype):
    defined = name != "reciprocal" or dtype in (F, F32)  # the integers' reciprocal of 0 is whatever the machine has
    agree(getattr(np, name), ["n 2"], [dtype], names="n", highest=2, values=defined)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtypes", [(F, F), (I, I), (B, B), (F32, I), (I, B)], ids=str)
def test_binary(name, dtypes):
    if name == "power" and dtypes == (I, I):
        return  # a negative exponent is an error of values, which no shape shows
    agree(getattr(np, name), ["n", "m"], dtypes, highest=2)


SHAPES = [
    ("n", "n"),
    ("n m", "m"),
    ("n 1", "m"),
    ("n m", "m n"),
    ("n m", "1 m"),
    ("", "n"),
    ("n", "2"),
    ("n m", "n"),
    ("n+1", "m"),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_broadcasting(shapes):
    agree(lambda x, y: x + y, shapes, highest=4)


def test_broadcasting_three():
    agree(lambda x, y, z: np.where(x > 0, y, z), ["n 1", "m", "2 1 m"])


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum", "logical_or", "logical_and"])
def test_ufunc_reduce(name):
    ufunc = getattr(np, name)
    agree(lambda x: ufunc.reduce(x), ["n m"])
    agree(lambda x: ufunc.reduce(x, axis=1, keepdims=True), ["n m"])
    agree(lambda x: ufunc.reduce(x, axis=None), ["n m"])
    agree(lambda x: ufunc.reduce(x, axis=(0, 1)), ["n m"])


def test_ufunc_outer():
    agree(lambda x, y: np.add.outer(x, y), ["n", "m 2"])
    agree(lambda x, y: np.less.outer(x, y), ["n 2", "m"])


def test_every_row_is_tested():
    """A row without a case here is a row that nobody has held against NumPy."""
    rows = {of.__name__ for of, row in functions.TABLE.items() if row.__module__ == functions.__name__}
    rows -= {"inv"}  # of an argument alone, whose product with it is tested with the meaning reading
    spoken = " ".join(FUNCTIONS)
    missing = {name for name in rows if name not in spoken and name.replace("_", " ") not in spoken}
    assert not missing
    tested_apart = {"asanyarray", "ascontiguousarray", "linspace", "indices"}
    assert set(creation.REPLACED) - tested_apart <= {n.split()[0] for n in CREATION}
