"""The kernels on real numbers, against loops that share no code with them; wrong shapes are refused by name."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
from beartype.roar import BeartypeCallHintViolation
from jaxtyping import TypeCheckError

import verifier.kernels as kernels
from verifier.dims.dim import evaluate
from verifier.frontends.numpy import SymbolicArray
from verifier.frontends.signature import arguments_of
from verifier.graph.run import run_nodes
from verifier.prove.search import satisfying, true_at
from verifier.readings import trace

REFUSED = (TypeCheckError, BeartypeCallHintViolation)
SIZES = {"n": 3, "m": 4, "h": 2, "d_model": 5, "d_k": 6, "d_v": 7}


def draw(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


# -- the definitions, by loops over Python floats --------------------------------------------------


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


def softmax_of(row):
    exponentials = [math.exp(x) for x in row]
    return [e / sum(exponentials) for e in exponentials]


def attend(queries, keys, values, mask=None, scale=None):
    scale = 1 / math.sqrt(len(queries[0])) if scale is None else scale
    result = []
    for i, q in enumerate(queries):
        seen = [j for j in range(len(keys)) if mask is None or mask[i][j]]
        weights = softmax_of([scale * sum(a * b for a, b in zip(q, keys[j], strict=True)) for j in seen])
        result.append(
            [sum(w * values[j][c] for w, j in zip(weights, seen, strict=True)) for c in range(len(values[0]))]
        )
    return result


def multi_head(x, y, W_Q, W_K, W_V, W_O, mask=None):
    heads = [attend(times(x, q), times(y, k), times(y, v), mask) for q, k, v in zip(W_Q, W_K, W_V, strict=True)]
    side_by_side = [[value for head in heads for value in head[i]] for i in range(len(x))]
    return times(side_by_side, W_O)


def weights(h=2, d_model=5, d_k=6, d_v=7, seed=0):
    return (
        draw(h, d_model, d_k, seed=seed),
        draw(h, d_model, d_k, seed=seed + 1),
        draw(h, d_model, d_v, seed=seed + 2),
        draw(h * d_v, d_model, seed=seed + 3),
    )


def lists(*arrays):
    return [a.tolist() for a in arrays]


X, Y = draw(3, 5), draw(4, 5, seed=9)
MASK = np.array([[True, False, True, True], [False, False, True, False], [True, True, True, True]])


@pytest.mark.parametrize("mask", [None, MASK], ids=["open", "masked"])
def test_scaled_dot_product_attention(mask):
    q, k, v = draw(3, 6), draw(4, 6), draw(4, 7)
    np.testing.assert_allclose(kernels.scaled_dot_product_attention(q, k, v, mask), attend(*lists(q, k, v), mask))
    np.testing.assert_allclose(
        kernels.scaled_dot_product_attention(q, k, v, mask, 0.25), attend(*lists(q, k, v), mask, 0.25)
    )


@pytest.mark.parametrize("mask", [None, MASK], ids=["open", "masked"])
def test_multi_head_attention(mask):
    expected = multi_head(*lists(X, Y, *weights()), mask)
    np.testing.assert_allclose(kernels.multi_head_attention(X, Y, *weights(), mask), expected)
    np.testing.assert_allclose(kernels.cross_attention(X, Y, *weights(), mask), expected)


def test_self_attention():
    W = weights()
    mask = np.tri(3, dtype=bool)
    np.testing.assert_allclose(kernels.self_attention(X, *W), multi_head(*lists(X, X, *W)))
    np.testing.assert_allclose(kernels.self_attention(X, *W, mask), multi_head(*lists(X, X, *W), mask))


def test_single_head_attention():
    q, k, v, _ = weights(h=1)
    expected = attend(
        times(X.tolist(), q[0].tolist()), times(Y.tolist(), k[0].tolist()), times(Y.tolist(), v[0].tolist())
    )
    np.testing.assert_allclose(kernels.single_head_attention(X, Y, q[0], k[0], v[0]), expected)


def test_decode_step_is_the_last_row_of_causal_attention():
    W = weights()
    whole = multi_head(*lists(Y, Y, *W), np.tri(4, dtype=bool))
    past = Y[:-1]
    keys, values = (np.stack([past @ w for w in W[i]]) for i in (1, 2))
    output, grown_keys, grown_values = kernels.decode_step(Y[-1:], keys, values, *W)
    np.testing.assert_allclose(output[0], whole[-1])
    np.testing.assert_allclose(grown_keys[:, :-1], keys)
    np.testing.assert_allclose(grown_values[1, -1], Y[-1] @ W[2][1])


def test_softmax():
    scores = draw(2, 3, 4)
    expected = [[softmax_of(row) for row in matrix] for matrix in scores.tolist()]
    np.testing.assert_allclose(kernels.softmax(scores), expected)
    np.testing.assert_allclose(kernels.softmax(scores + 1000.0), expected)
    np.testing.assert_allclose(kernels.softmax(np.array([-np.inf, 0.0])), [0.0, 1.0])


def test_attention_scores_and_weighted_values():
    q, k, w, v = draw(2, 3, 6), draw(2, 4, 6), draw(2, 3, 4), draw(2, 4, 7)
    for head in range(2):
        plain = times(q[head].tolist(), k[head].T.tolist())
        np.testing.assert_allclose(kernels.attention_scores(q, k, 1.0)[head], plain)
        np.testing.assert_allclose(kernels.attention_scores(q, k)[head], np.array(plain) / math.sqrt(6))
        np.testing.assert_allclose(kernels.weighted_values(w, v)[head], times(w[head].tolist(), v[head].tolist()))


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 3), (2, 5), (5, 2), (1, 4)])
def test_causal_mask(n, m):
    expected = [[j <= i + m - n for j in range(m)] for i in range(n)]
    np.testing.assert_array_equal(kernels.causal_mask(n, m), expected)


@pytest.mark.parametrize(("n", "d_model"), [(1, 1), (4, 6), (5, 3)])
def test_sinusoidal_positional_encoding(n, d_model):
    expected = [
        [(math.sin if c % 2 == 0 else math.cos)(position / 10_000 ** (2 * (c // 2) / d_model)) for c in range(d_model)]
        for position in range(n)
    ]
    np.testing.assert_allclose(kernels.sinusoidal_positional_encoding(n, d_model), expected, atol=1e-12)


def test_heads_are_cut_joined_added_and_projected():
    heads, W_O, W = draw(2, 3, 7), draw(14, 5), draw(2, 5, 6)
    joined = [[v for head in heads.tolist() for v in head[i]] for i in range(3)]
    np.testing.assert_allclose(kernels.concatenate_heads(heads), joined)
    np.testing.assert_allclose(kernels.output_projection(np.array(joined), W_O), times(joined, W_O.tolist()))
    np.testing.assert_allclose(kernels.project_and_add(heads, W_O), times(joined, W_O.tolist()))
    np.testing.assert_allclose(kernels.sum_heads(heads), heads[0] + heads[1])
    np.testing.assert_allclose(kernels.project_heads(X, W)[1], times(X.tolist(), W[1].tolist()))
    wide = draw(3, 6)
    for i in range(3):
        np.testing.assert_array_equal(kernels.split_heads(wide, 3)[i], wide[:, 2 * i : 2 * i + 2])
    with pytest.raises(ValueError, match="h = 4 does not divide d_model = 6"):
        kernels.split_heads(wide, 4)


# -- gradients, against differences of the loss ------------------------------------------------------


def slope(loss, weights, step=1e-5):
    """The gradient of a loss by one array, by central differences."""
    found = np.empty_like(weights)
    for place in np.ndindex(weights.shape):
        moved = [weights.copy(), weights.copy()]
        moved[0][place] += step
        moved[1][place] -= step
        found[place] = (loss(moved[0]) - loss(moved[1])) / (2 * step)
    return found


def test_softmax_gradient():
    scores, upstream = draw(2, 4), draw(2, 4, seed=1)
    expected = slope(lambda s: np.sum(upstream * kernels.softmax(s)), scores)
    np.testing.assert_allclose(kernels.softmax_gradient(scores, upstream), expected, atol=1e-8)


SEEING = MASK | (np.arange(4) == 1)


@pytest.mark.parametrize("mask", [None, SEEING], ids=["open", "masked"])
def test_head_gradients(mask):
    W, upstream = weights(), draw(3, 5, seed=5)
    found = kernels.head_gradients(X, Y, *W, upstream, mask)

    def loss(place):
        return lambda w: np.sum(upstream * kernels.multi_head_attention(X, Y, *W[:place], w, *W[place + 1 :], mask))

    by_W_Q, by_W_K, by_W_V, by_W_O = (slope(loss(place), W[place]) for place in range(4))
    by_rows = np.swapaxes(np.reshape(by_W_O, (2, 7, 5)), -1, -2)
    expected = np.concatenate([by_W_Q, by_W_K, by_W_V, by_rows], axis=-1)
    np.testing.assert_allclose(found, expected, atol=1e-7)


# -- wrong shapes are refused ----------------------------------------------------------------------


def refusal(function, *arguments):
    with pytest.raises(REFUSED) as caught:
        function(*arguments)
    return str(caught.value)


def test_a_square_mask_does_not_fit_cross_attention():
    text = refusal(kernels.cross_attention, X, Y, *weights(), np.ones((3, 3), bool))
    assert "mask" in text
    assert "m=4" in text.replace("'", "").replace(": ", "=")


def test_a_transposed_mask_is_refused():
    text = refusal(kernels.multi_head_attention, X, Y, *weights(), np.ones((4, 3), bool))
    assert "mask" in text


def test_keys_as_wide_as_values_alone_are_refused():
    q, k, v = draw(3, 6), draw(4, 7), draw(4, 7)
    assert "keys" in refusal(kernels.scaled_dot_product_attention, q, k, v)


def test_values_as_many_as_queries_are_refused():
    assert "values" in refusal(kernels.scaled_dot_product_attention, draw(3, 6), draw(4, 6), draw(3, 7))


@pytest.mark.parametrize("rows", [5, 12, 13, 1])
def test_the_rows_of_the_output_projection_are_all_heads(rows):
    W_Q, W_K, W_V, _ = weights()
    text = refusal(kernels.multi_head_attention, X, Y, W_Q, W_K, W_V, draw(rows, 5))
    assert "W_O" in text
    assert "h*d_v" in text


def test_weights_of_another_width_or_head_count_are_refused():
    W_Q, W_K, W_V, W_O = weights()
    assert "W_K" in refusal(kernels.multi_head_attention, X, Y, W_Q, draw(2, 4, 6), W_V, W_O)
    assert "W_V" in refusal(kernels.multi_head_attention, X, Y, W_Q, W_K, draw(3, 5, 7), W_O)
    assert "y" in refusal(kernels.multi_head_attention, X, draw(4, 4), W_Q, W_K, W_V, W_O)


def test_integers_are_no_activations():
    assert "scores" in refusal(kernels.softmax, np.ones((2, 3), dtype=int))


def test_a_cache_of_other_lengths_is_refused():
    W = weights()
    assert "cached_values" in refusal(kernels.decode_step, Y[:1], draw(2, 3, 6), draw(2, 4, 7), *W)
    assert "token" in refusal(kernels.decode_step, Y[:2], draw(2, 3, 6), draw(2, 3, 7), *W)


# -- what is traced is what runs -------------------------------------------------------------------


def real_argument(argument, sizes):
    if argument.kind == "size":
        return sizes[argument.name]
    if argument.kind == "number":
        return 0.5
    shape = []
    for axis in argument.axes:
        if axis.kind == "variadic":
            continue
        names = {n: sizes[n] for n in axis.expression.names} if axis.expression else {}
        shape.append(axis.size if axis.kind == "fixed" else axis.expression.value(names) if names else sizes[axis.name])
    if argument.dtype == np.bool_:
        return np.arange(math.prod(shape)).reshape(shape) % 3 != 1
    if argument.dtype.kind in "iu":  # places in a table: any that every table has
        return np.arange(math.prod(shape)).reshape(shape) % min(sizes.values())
    return np.random.default_rng(len(argument.name)).normal(size=shape)


KERNELS = [getattr(kernels, name) for name in kernels.__all__]


def choices():
    for kernel in KERNELS:
        optional = [a.name for a in arguments_of(kernel) if a.optional]
        yield kernel, frozenset()
        if optional:
            yield kernel, frozenset(optional)


@pytest.mark.parametrize(
    ("kernel", "present"),
    list(choices()),
    ids=lambda v: "+".join(sorted(v)) if isinstance(v, frozenset) else v.__name__,
)
@pytest.mark.parametrize("first", [2, 1])
def test_the_traced_graph_computes_what_the_kernel_does(kernel, present, first):
    traced = trace(kernel, present)
    names = list(traced.scope.least)
    sizes = {name: first + place for place, name in enumerate(names)} if first > 1 else dict.fromkeys(names, 1)
    conditions = next(p for p in traced.paths if p.error is None).conditions
    if not all(true_at(c, sizes) for c in conditions):  # sizes must divide: the smallest that do
        sizes = satisfying(traced.scope, conditions, lambda s: min(s.values()) >= first)
    arguments = {a.name: real_argument(a, sizes) for a in arguments_of(kernel) if not a.optional or a.name in present}
    with np.errstate(invalid="ignore"):
        expected = kernel(**arguments)
        (path,) = [p for p in traced.paths if all(true_at(c, sizes) for c in p.conditions)]
        values = path.value if isinstance(path.value, tuple) else (path.value,)
        nodes = [v.node for v in values if type(v) is SymbolicArray]
        results = run_nodes(nodes, sizes, arguments)
    expected = expected if isinstance(expected, tuple) else (expected,)
    assert len(results) == len(expected)
    for node, result, wanted in zip(nodes, results, expected, strict=True):
        assert tuple(evaluate(s, sizes) for s in node.shape) == wanted.shape
        assert node.dtype == wanted.dtype
        np.testing.assert_allclose(result, wanted)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.__name__)
def test_every_kernel_is_right_at_every_size(kernel):
    """jaxtyping's own checks hold on every path, so the only exceptions are those that a kernel documents."""
    for path in trace(kernel).paths:
        documented = "Raises:" in (inspect.getdoc(kernel) or "")
        assert path.error is None or documented, path.error
