"""The square brackets, held against NumPy's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.frontends.differential import agree, paths_of
from verifier.errors import NeedsConcreteSize, Unsupported

PLACES = {
    "first": lambda x, n, m: x[0],
    "last": lambda x, n, m: x[-1],
    "third": lambda x, n, m: x[2],
    "by a size": lambda x, n, m: x[m],
    "by a negative size": lambda x, n, m: x[-m],
    "by a difference": lambda x, n, m: x[n - m],
    "two places": lambda x, n, m: x[0, -1],
    "too many": lambda x, n, m: x[0, 0, 0],
    "numpy integer": lambda x, n, m: x[np.int64(1)],
    "none": lambda x, n, m: x[:, None],
    "none first": lambda x, n, m: x[None],
    "ellipsis": lambda x, n, m: x[..., 0],
    "ellipsis alone": lambda x, n, m: x[...],
    "ellipsis none": lambda x, n, m: x[..., None, 0],
    "two ellipses": lambda x, n, m: x[..., ...],
    "empty": lambda x, n, m: x[()],
    "list": lambda x, n, m: x[:, [0, 1, 0]],
    "list of negatives": lambda x, n, m: x[:, [-1]],
    "array": lambda x, n, m: x[:, np.array([[0, 1], [1, 0]])],
    "array after a place": lambda x, n, m: x[0, [0, 1]],
    "array after none": lambda x, n, m: x[:, None, [0, 1]],
    "arange of sizes": lambda x, n, m: x[np.arange(n)],
    "float": lambda x, n, m: x[1.0],
}


@pytest.mark.parametrize("name", PLACES)
def test_place(name):
    agree(PLACES[name], ["n 2"], sizes=["n", "m"])


BOUNDS = [None, 0, 1, 2, 5, -1, -2, -5]


@pytest.mark.parametrize("step", [None, 1, 2, 3, -1, -2])
def test_slices_with_numbers(step):
    for start, stop in itertools.product(BOUNDS, repeat=2):
        agree(lambda x, start=start, stop=stop: x[start:stop:step], ["n"], names="n", highest=6)


SYMBOLIC = {
    "up to a size": lambda x, n, m: x[:m],
    "from a size": lambda x, n, m: x[m:],
    "between": lambda x, n, m: x[m:n],
    "from behind": lambda x, n, m: x[-m:],
    "up to behind": lambda x, n, m: x[:-m],
    "halves": lambda x, n, m: x[: n // 2],
    "other half": lambda x, n, m: x[n // 2 :],
    "every other": lambda x, n, m: x[m::2],
    "backwards": lambda x, n, m: x[::-1],
    "backwards from a size": lambda x, n, m: x[m::-1],
    "backwards to a size": lambda x, n, m: x[:m:-1],
    "backwards by two": lambda x, n, m: x[::-2],
    "one behind": lambda x, n, m: x[m - 1 : m],
    "shifted": lambda x, n, m: x[1:] - x[:-1],
    "beyond": lambda x, n, m: x[n:],
    "difference": lambda x, n, m: x[n - m :],
    "sum": lambda x, n, m: x[: n + m],
}


@pytest.mark.parametrize("name", SYMBOLIC)
@pytest.mark.parametrize("least", [0, 1])
def test_slices_with_sizes(name, least):
    agree(SYMBOLIC[name], ["n"], sizes=["n", "m"], least=least, highest=4)


ends = st.sampled_from([None, "n", "m", "-m", "n - m", "m - 1", "n // 2", "m + n", 0, 1, -1, 3])


@given(ends, ends, st.sampled_from([None, 1, 2, -1, -3]))
def test_any_slice(start, stop, step):
    def function(x, n, m):
        names = {"n": n, "m": m}
        low, high = (eval(e, {}, names) if isinstance(e, str) else e for e in (start, stop))  # our own texts
        return x[low:high:step]

    agree(function, ["n"], sizes=["n", "m"], highest=3)


def test_two_axes_at_once():
    agree(lambda x, n, m: x[1:, : m // 2], ["n m"], sizes=["n", "m"])
    agree(lambda x, n, m: x[0, ::2], ["n m"], sizes=["n", "m"])
    agree(lambda x, n, m: x[..., -1:, :], ["2 n m"], sizes=["n", "m"])


def test_what_has_no_rule_is_named_with_its_line():
    (path,) = paths_of(lambda x: x[x[:, 0] > 0, [0]], ["n 2"])
    assert isinstance(path.error, Unsupported)
    assert "a boolean mask among other indices" in str(path.error)
    assert f"{__file__}:" in str(path.error)


def test_a_symbolic_step_asks_for_a_number():
    with pytest.raises(NeedsConcreteSize):
        paths_of(lambda x: x[:: x.shape[0]], ["n 2"])


def test_iteration_over_symbolic_rows_asks_for_a_number():
    for loop in (lambda x: list(x), lambda x: len(x), lambda x: [r for r in range(x.shape[0])]):  # noqa: C416
        with pytest.raises(NeedsConcreteSize) as caught:
            paths_of(loop, ["n 2"])
        assert str(caught.value.size) == "n"
