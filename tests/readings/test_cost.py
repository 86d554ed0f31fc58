"""Costs and parameters read off the kernels, against counts by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import verifier.kernels as kernels
from verifier.dims.dim import evaluate
from verifier.errors import VerifierError
from verifier.readings import cost_of, parameters_of, trace
from verifier.readings.trace import at, summary

POINTS = [dict(zip(("n", "m", "h", "d_model", "d_k", "d_v"), p, strict=True)) for p in [(2, 3, 5, 7, 11, 13), (1,) * 6]]
POINTS += [{"n": 4, "m": 1, "h": 2, "d_model": 1, "d_k": 3, "d_v": 1}]


def product_flops(rows, inner, columns):
    """A multiplication and an addition for each entry of each row against each column."""
    return sum(2 for _ in itertools.product(range(rows), range(inner), range(columns)))


@pytest.mark.parametrize("s", POINTS, ids=str)
def test_scaled_dot_product_attention(s):
    cost = cost_of(trace(kernels.scaled_dot_product_attention))
    n, m = s["n"], s["m"]
    assert evaluate(cost.matmul, s) == product_flops(n, s["d_k"], m) + product_flops(n, m, s["d_v"])
    # scale; then maximum, difference, exponential, sum and quotient of the softmax: one each an entry
    assert evaluate(cost.other, s) == 6 * n * m


@pytest.mark.parametrize("s", POINTS, ids=str)
def test_multi_head_attention(s):
    cost = cost_of(trace(kernels.multi_head_attention))
    n, m, h, d, d_k, d_v = (s[k] for k in ("n", "m", "h", "d_model", "d_k", "d_v"))
    one_head = product_flops(n, d, d_k) + product_flops(m, d, d_k) + product_flops(m, d, d_v)
    one_head += product_flops(n, d_k, m) + product_flops(n, m, d_v)
    assert evaluate(cost.matmul, s) == h * one_head + product_flops(n, h * d_v, d)
    assert evaluate(cost.other, s) == h * 6 * n * m


@pytest.mark.parametrize("s", POINTS, ids=str)
def test_parameters_are_the_elements_of_the_weights(s):
    h, d, d_k, d_v = s["h"], s["d_model"], s["d_k"], s["d_v"]
    arrays = {"W_Q": (h, d, d_k), "W_K": (h, d, d_k), "W_V": (h, d, d_v), "W_O": (h * d_v, d)}
    found = parameters_of(kernels.multi_head_attention)
    assert {n: evaluate(v, s) for n, v in found.items()} == {n: np.zeros(shape).size for n, shape in arrays.items()}
    assert list(parameters_of(kernels.multi_head_attention, ["W_K"])) == ["W_K"]


def test_a_node_that_two_outputs_need_counts_once():
    whole = cost_of(trace(kernels.decode_step)).total
    outputs = trace(kernels.decode_step).outputs
    apart = sum(evaluate(cost_of(trace(kernels.decode_step), (o,)).total, sizes) for o in outputs for sizes in [DECODE])
    assert evaluate(whole, DECODE) < apart


DECODE = {"h": 2, "t": 3, "d_model": 5, "d_k": 7, "d_v": 11}


def test_a_trace_knows_its_arguments_and_premises():
    traced = trace(kernels.multi_head_attention, frozenset({"mask"}), ("n == m",))
    assert traced.name == "multi_head_attention"
    assert [a.text for a in traced.scope.assumptions] == ["n == m"]
    assert [str(s) for s in traced.input("mask").shape] == ["n", "m"]
    with pytest.raises(VerifierError, match="no array argument 'bias'"):
        traced.input("bias")
    with pytest.raises(VerifierError, match="has no argument bias"):
        trace(kernels.multi_head_attention, frozenset({"bias"}))


def test_two_ways_are_no_single_reading():
    with pytest.raises(VerifierError, match="takes different ways") as caught:
        _ = trace(two_ways).path
    assert "assumption" in caught.value.remedy
    assert trace(two_ways, frozenset(), ("n > 3",)).path.value.shape[0] == 1
    with pytest.raises(VerifierError, match="returns at no size"):
        _ = trace(never).path


def two_ways(n: int):
    return np.zeros((1, n)) if n > 3 else np.zeros((2, n))


def never(n: int):
    raise ValueError("no")


def test_small_readings():
    assert summary(kernels.softmax).startswith("Each row's exponentials")
    traced = trace(kernels.softmax)
    assert at({"m": 5}, traced.scope["m"] * 2) == 10
