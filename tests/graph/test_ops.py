"""Every primitive against NumPy: shape, value and meaning at drawn sizes, zeros and ones too; cost against a count."""

from __future__ import annotations

import inspect
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier.graph.ops as ops
from verifier.dims import symbol
from verifier.dims.dim import evaluate as number
from verifier.dims.relation import deciding
from verifier.graph.node import Graph, ShapeMismatch
from verifier.graph.ops import (
    Broadcast,
    Concatenate,
    Constant,
    Contraction,
    Each,
    Elementwise,
    Gather,
    Input,
    Iota,
    Reduction,
    Reshape,
    Slice,
    Transpose,
)
from verifier.graph.primitive import Primitive, element_term
from verifier.graph.run import run_nodes
from verifier.prove.search import true_at
from verifier.terms import as_term
from verifier.terms.evaluate import evaluate
from verifier.terms.ranges import index_name

A, B, C = (symbol(name) for name in "abc")
sizes_drawn = st.fixed_dictionaries({name: st.sampled_from([0, 1, 1, 2, 3]) for name in "abc"})
extents = st.sampled_from([A, B, C, A, B, 1, 2, A + 1, A * B])
shapes_drawn = st.lists(extents, max_size=3).map(tuple)
DTYPES = (np.float64, np.int64, np.bool_)


def at(shape, sizes):
    return tuple(number(s, sizes) for s in shape)


def real(shape, dtype=np.float64, seed=0):
    generator = np.random.default_rng(seed)
    return generator.integers(-3, 4, shape).astype(dtype)


def attempt(call):
    """The result, or the kind of exception: ours is a ValueError too."""
    try:
        return call()
    except (ValueError, IndexError) as error:
        return ValueError if isinstance(error, ValueError) else type(error)


def check(op, shapes, sizes, reference, dtypes=None, result_dtype=None, meaning=True, seed=0):
    """The primitive on inputs of these shapes against a NumPy function, at these sizes."""
    dtypes = dtypes or [np.float64] * len(shapes)
    arrays = [real(at(s, sizes), d, seed + i) for i, (s, d) in enumerate(zip(shapes, dtypes, strict=True))]
    expected = attempt(lambda: np.asarray(reference(*arrays)))
    token = deciding.set(lambda relation: true_at(relation, sizes))
    try:
        graph = Graph()
        nodes = [graph.add(Input(f"x{i}", s), dtype=d) for i, (s, d) in enumerate(zip(shapes, dtypes, strict=True))]
        dtype = result_dtype or (expected.dtype if isinstance(expected, np.ndarray) else float)
        node = attempt(lambda: graph.add(op, *nodes, dtype=dtype))
        if expected is ValueError:
            assert node is ValueError, f"NumPy refuses what was recorded as {getattr(node, 'shape', None)}"
            return None
        assert node is not ValueError, f"NumPy gives shape {expected.shape} where the rule refuses"
        assert at(node.shape, sizes) == expected.shape
        inputs = {f"x{i}": a for i, a in enumerate(arrays)}
        (ran,) = run_nodes([node], sizes, inputs)
        np.testing.assert_allclose(ran, expected)
        if meaning and all(sizes.values()):
            check_meaning(node, sizes, inputs, expected)
        return node
    finally:
        deciding.reset(token)


def check_meaning(node, sizes, inputs, expected):
    names = [index_name(axis + 1, "k") for axis in range(len(node.shape))]
    ranges = dict(zip(names, node.shape, strict=True))
    term = element_term(node, tuple(map(symbol, names)), dict(ranges))
    for place in itertools.product(*map(range, expected.shape)):
        value = evaluate(term, sizes, inputs, dict(zip(names, place, strict=True)))
        assert value == pytest.approx(float(expected[place])), f"{term} at {sizes}, {place}"


@given(shapes_drawn, sizes_drawn)
def test_input(shape, sizes):
    graph = Graph()
    node = graph.add(Input("x", shape), dtype=float)
    array = real(at(shape, sizes))
    assert at(node.shape, sizes) == array.shape
    check_meaning(node, sizes, {"x": array}, array)
    with pytest.raises(TypeError, match="no value of its own"):
        node.op.run()


@given(st.sampled_from([2, -1.5, True, A, A * B + 1, as_term(A) / 2, as_term(2)]), sizes_drawn)
def test_constant(value, sizes):
    def numeric():
        if type(value) in (int, float, bool):
            return value
        return evaluate(as_term(value), sizes, {})

    check(Constant(value), (), sizes, numeric)


@pytest.mark.parametrize(
    "array", [np.arange(6.0).reshape(2, 3), np.zeros((2, 2)), np.ones((0, 3)), np.array([True, False])]
)
def test_constant_array(array):
    node = check(Constant(array), (), {"a": 1}, lambda: array, meaning=False)
    name = Constant(array).name
    check_meaning(node, {"a": 1}, {name: array}, array)
    assert Constant(array.copy()).name == name
    assert Constant(array + 1).name != name or not array.size


@given(st.sampled_from([A, B, A * B, A + 1, 3, 0]), sizes_drawn)
def test_iota(size, sizes):
    check(Iota(size), (), sizes, lambda: np.arange(number(size, sizes)))


@given(shapes_drawn, st.data(), sizes_drawn)
def test_transpose(shape, data, sizes):
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    check(Transpose(order), [shape], sizes, lambda x: np.transpose(x, order))


@given(shapes_drawn, shapes_drawn, sizes_drawn)
def test_reshape_to_anything(shape, target, sizes):
    check(Reshape(target), [shape], sizes, lambda x: x.reshape(at(target, sizes)), meaning=False)


MERGES = [
    ((A, B), (A * B,)),
    ((A * B,), (A, B)),
    ((A * B, C), (A, B, C)),
    ((A, B, C), (A, B * C)),
    ((A, B, C), (A * B, C)),
    ((A, B), (A, 1, B)),
    ((A, 1, B), (A, B)),
    ((A, B), (B, A)),
    ((A, B, C), (C, B, A)),
    ((A * B,), (B, A)),
    ((2 * A,), (A, 2)),
    ((2 * A,), (2, A)),
    ((1,), ()),
    ((), (1, 1)),
    ((A, 2 * B), (2 * A, B)),
    ((A + 1, B), ((A + 1) * B,)),
]


@pytest.mark.parametrize(("shape", "target"), MERGES, ids=str)
def test_reshape_meaning(shape, target):
    for values in itertools.product([1, 2, 3], repeat=3):
        sizes = dict(zip("abc", values, strict=True))
        check(Reshape(target), [shape], sizes, lambda x, sizes=sizes: x.reshape(at(target, sizes)))


@given(shapes_drawn, st.lists(extents, max_size=2), st.data(), sizes_drawn)
def test_broadcast(target, mine, data, sizes):
    """An array whose axes are the target's, or one where they stretch."""
    rank = data.draw(st.integers(0, len(target)))
    stretched = tuple(data.draw(st.booleans()) for _ in range(rank))
    kept = target[len(target) - rank :]
    shape = tuple(
        1 if s else data.draw(st.sampled_from([size, size, *mine])) for s, size in zip(stretched, kept, strict=True)
    )

    def reference(x):
        for axis, repeats in enumerate(stretched):
            if not repeats and x.shape[axis] != at(kept, sizes)[axis]:
                raise ValueError  # NumPy would stretch a 1 here too: the front end records which axes stretch
        return np.broadcast_to(x, at(target, sizes))

    check(Broadcast(target, stretched), [shape], sizes, reference)


@given(st.lists(shapes_drawn.filter(bool), min_size=1, max_size=3), st.data(), sizes_drawn)
def test_concatenate_anything(shapes, data, sizes):
    axis = data.draw(st.integers(0, min(map(len, shapes)) - 1))
    check(Concatenate(axis), shapes, sizes, lambda *xs: np.concatenate(xs, axis=axis))


@given(shapes_drawn.filter(bool), st.lists(extents, min_size=2, max_size=3), st.data(), sizes_drawn)
def test_concatenate_of_parts(shape, parts, data, sizes):
    axis = data.draw(st.integers(0, len(shape) - 1))
    shapes = [(*shape[:axis], part, *shape[axis + 1 :]) for part in parts]
    check(Concatenate(axis), shapes, sizes, lambda *xs: np.concatenate(xs, axis=axis))


@given(st.lists(extents, min_size=1, max_size=2).map(tuple), st.data(), sizes_drawn)
def test_slice(shape, data, sizes):
    start, extent, step = [], [], []
    for size in at(shape, sizes):
        stride = data.draw(st.sampled_from([1, 1, 2, -1, -2]))
        places = range(size)[::stride] if size else range(0)
        count = data.draw(st.integers(0, len(places)))
        start.append(places[0] if count else 0)
        extent.append(count)
        step.append(stride)
    op = Slice(tuple(start), tuple(extent), tuple(step))

    def reference(x):
        for axis, (s, n, d) in enumerate(zip(start, extent, step, strict=True)):
            x = np.take(x, [s + i * d for i in range(n)], axis=axis)
        return x

    check(op, [shape], sizes, reference)


def test_slice_with_symbolic_start():
    for a, b in itertools.product([1, 2, 3], repeat=2):
        sizes = {"a": a, "b": b}
        check(Slice((A,), (B,), (1,)), [(A + B,)], sizes, lambda x, a=a: x[a:])
        check(Slice((A + B - 1,), (A + B,), (-1,)), [(A + B,)], sizes, lambda x: x[::-1])


REDUCTIONS = {"sum": np.sum, "product": np.prod, "max": np.max, "min": np.min, "any": np.any, "all": np.all}


@given(shapes_drawn, st.sampled_from(list(REDUCTIONS)), st.data(), sizes_drawn, st.sampled_from(DTYPES))
def test_reduction(shape, kind, data, sizes, dtype):
    axes = tuple(sorted(data.draw(st.sets(st.integers(0, max(len(shape) - 1, 0)), max_size=len(shape)))))
    if not shape or not axes:
        return
    seed = data.draw(st.integers(0, 9))
    check(Reduction(kind, axes), [shape], sizes, lambda x: REDUCTIONS[kind](x, axis=axes), [dtype], seed=seed)


def test_any_and_all_of_numbers_ask_whether_they_are_zero():
    for kind in ("any", "all"):
        check(Reduction(kind, (0,)), [(A, 2)], {"a": 3}, lambda x, kind=kind: REDUCTIONS[kind](x, axis=0), seed=3)


LABELS = ["ij,jk->ik", "ij,kj->ik", "ij->ji", "ij->i", "ij->", "ii->i", "ii->", "i,i->", "i,j->ij", "bij,bjk->bik"]


@pytest.mark.parametrize("labels", [*LABELS, "ij,jk,kl->il", "ij,ij->ij", "i,ij->j", "ijk->jk"])
@given(st.lists(extents, min_size=8, max_size=8), st.booleans(), sizes_drawn)
def test_contraction(labels, drawn, matching, sizes):
    left, _, result = labels.partition("->")
    operands = tuple(tuple(part) for part in left.split(","))
    every = sorted({label for operand in operands for label in operand})
    by_label = dict(zip(every, drawn, strict=False))
    flat = iter(drawn)
    shapes = [tuple(by_label[s] if matching else next(flat) for s in operand) for operand in operands]

    def reference(*xs):
        for label in every:  # einsum stretches axes of 1; a contraction needs equal sizes
            found = {x.shape[i] for x, o in zip(xs, operands, strict=True) for i, s in enumerate(o) if s == label}
            if len(found) > 1:
                raise ValueError
        return np.einsum(labels, *xs)

    check(Contraction(operands, tuple(result)), shapes, sizes, reference)


NUMBERS = [
    "add",
    "subtract",
    "multiply",
    "maximum",
    "minimum",
    "negative",
    "abs",
    "sign",
    "square",
    "exp",
    "tanh",
    "sin",
]
NUMBERS += ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "true_divide", "sqrt", "isnan"]
NUMBERS += [
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "copy",
    "floor",
    "hypot",
    "floor_divide",
    "remainder",
]
NUMBERS += ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "power", "positive", "reciprocal", "arctan2"]


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_elementwise(name, dtype):
    function = np.copy if name == "copy" else getattr(np, name)
    arity = 1 if name == "copy" else function.nin
    by_zero = name in ("floor_divide", "remainder", "reciprocal")
    tolerance = 2e-3 if dtype is np.bool_ else 1e-9  # booleans go to half precision
    for a, b in itertools.product([0, 1, 3], repeat=2):
        arrays = [real((a, b), dtype, seed) for seed in range(arity)]
        with np.errstate(all="ignore"):
            try:
                expected = np.asarray(function(*arrays))
            except (TypeError, ValueError):  # not of this type: the front end asks NumPy and raises the same
                return
            graph = Graph()
            nodes = [graph.add(Input(f"x{i}", (A, B)), dtype=dtype) for i in range(arity)]
            node = graph.add(Elementwise(name), *nodes, dtype=expected.dtype)
            inputs = {f"x{i}": x for i, x in enumerate(arrays)}
            (ran,) = run_nodes([node], {"a": a, "b": b}, inputs)
            np.testing.assert_array_equal(ran, expected)
            term = element_term(node, (symbol(index_name(1, "k")), symbol(index_name(2, "k"))))
            for i, j in np.ndindex(a, b):
                value = evaluate(term, {"a": a, "b": b}, inputs, {index_name(1, "k"): i, index_name(2, "k"): j})
                if by_zero and arrays[-1][i, j] == 0:  # NumPy's integers have a value there, numbers have none
                    continue
                wanted = float(expected[i, j])
                if np.isfinite(wanted):
                    assert value == pytest.approx(wanted, rel=tolerance, abs=tolerance), f"{term} at {inputs}"


def test_elementwise_on_places():
    """Comparisons and quotients of indices are indicators and quotients of sizes."""
    graph = Graph()
    iota = graph.add(Iota(A), dtype=np.int64)
    for name in ("equal", "less", "less_equal", "greater", "greater_equal", "not_equal", "floor_divide", "remainder"):
        other = graph.add(Constant(B), dtype=np.int64)
        stretched = graph.add(Broadcast((A,), ()), other, dtype=np.int64)
        expected_type = np.int64 if name in ("floor_divide", "remainder") else bool
        node = graph.add(Elementwise(name), iota, stretched, dtype=expected_type)
        for a, b in itertools.product([1, 2, 4], repeat=2):
            expected = getattr(np, name)(np.arange(a), b)
            check_meaning(node, {"a": a, "b": b}, {}, expected)


def test_elementwise_needs_one_shape():
    def shapes(left, right):
        return Elementwise("add").shape(left, right)

    assert shapes((2, A), (2, A)) == (2, A)
    with pytest.raises(ShapeMismatch, match="add of arrays of one shape"):
        shapes((2,), (3,))
    with pytest.raises(ShapeMismatch, match="different rank"):
        shapes((2,), (2, 2))


@pytest.mark.parametrize("before", DTYPES)
@pytest.mark.parametrize("after", [*DTYPES, np.float32])
def test_casts(before, after):
    graph = Graph()
    values = np.array([-1.5, -0.5, 0, 0.5, 1, 2.75]).astype(before)
    node = graph.add(Elementwise("cast"), graph.add(Input("x", (A,)), dtype=before), dtype=after)
    expected = values.astype(after)
    (ran,) = run_nodes([node], {"a": 6}, {"x": values})
    np.testing.assert_array_equal(ran, expected)
    check_meaning(node, {"a": 6}, {"x": values}, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_select_asks_whether_a_number_is_zero(dtype):
    check(Elementwise("select"), [(A,), (A,), (A,)], {"a": 4}, np.where, [dtype, np.float64, np.float64])


@given(
    st.lists(extents, min_size=1, max_size=2).map(tuple), st.data(), sizes_drawn, st.sampled_from([np.int64, np.uint8])
)
def test_gather(shape, data, sizes, dtype):
    axis = data.draw(st.integers(0, len(shape) - 1))
    extent = at(shape, sizes)[axis]
    if not extent:
        return
    low = 0 if dtype is np.uint8 else -extent
    places = np.array(data.draw(st.lists(st.integers(low, extent - 1), max_size=3)), dtype=dtype)
    array = real(at(shape, sizes))
    graph = Graph()
    inputs = {"x": array, "places": places}
    node = graph.add(
        Gather(axis),
        graph.add(Input("x", shape), dtype=float),
        graph.add(Input("places", (len(places),)), dtype=dtype),
        dtype=float,
    )
    expected = np.take(array, places, axis=axis)
    assert at(node.shape, sizes) == expected.shape
    (ran,) = run_nodes([node], sizes, inputs)
    np.testing.assert_array_equal(ran, expected)
    if all(sizes.values()):
        check_meaning(node, sizes, inputs, expected)


@pytest.mark.parametrize("places", [[0, 1], [-1, -2, 0], [[0, 1], [1, 0]]])
def test_gather_at_known_places(places):
    graph = Graph()
    constant = Constant(np.array(places))
    node = graph.add(
        Gather(1), graph.add(Input("x", (A, 2)), dtype=float), graph.add(constant, dtype=np.int64), dtype=float
    )
    array = real((3, 2))
    check_meaning(node, {"a": 3}, {"x": array, constant.name: np.array(places)}, np.take(array, places, axis=1))


# -- cost, against counts by hand ------------------------------------------------------------------


def counted(labels, sizes):
    """Multiply-adds of the loops that the einsum stands for, counted one by one."""
    operands, _, result = labels.partition("->")
    every = sorted(set(operands) - {","})
    count = 0
    for _place in itertools.product(*(range(sizes[s]) for s in every)):
        count += len(operands.split(",")) - 1
    summed = set(every) - set(result)
    return (2 * count, 0) if summed else (0, count)


@pytest.mark.parametrize("labels", ["ij,jk->ik", "bij,bjk->bik", "i,j->ij", "ij,ij->ij", "i,i->", "ij,jk,kl->il"])
def test_cost_of_products(labels):
    extent = {"i": A, "j": B, "k": C, "l": 2, "b": 3}
    sizes = {"a": 2, "b": 3, "c": 4}
    left, _, result = labels.partition("->")
    operands = tuple(tuple(part) for part in left.split(","))
    graph = Graph()
    inputs = [graph.add(Input("x", tuple(extent[s] for s in o)), dtype=float) for o in operands]
    cost = (node := graph.add(Contraction(operands, tuple(result)), *inputs, dtype=float)).op.cost(node)
    expected = counted(labels, {label: number(size, sizes) for label, size in extent.items()})
    assert (number(cost.matmul, sizes), number(cost.other, sizes)) == expected


def cost_of(op, *shapes, dtype=float, result=None):
    graph = Graph()
    nodes = [graph.add(Input("x", s), dtype=dtype) for s in shapes]
    node = graph.add(op, *nodes, dtype=result or dtype)
    return op.cost(node)


def test_cost_of_the_rest():
    sizes = {"a": 3, "b": 5, "c": 7}
    assert number(cost_of(Elementwise("exp"), (A, B)).total, sizes) == 15
    assert number(cost_of(Elementwise("add"), (A, B), (A, B)).total, sizes) == 15
    assert number(cost_of(Reduction("sum", (1,)), (A, B)).total, sizes) == 15
    assert number(cost_of(Contraction((("i", "j"),), ("i",)), (A, B)).total, sizes) == 15
    assert number(cost_of(Elementwise("less"), (A,), (A,), result=bool).total, sizes) == 3
    assert number((cost_of(Elementwise("exp"), (A,)) + cost_of(Elementwise("exp"), (B,))).total, sizes) == 8


def test_rearranging_choosing_and_integers_cost_nothing():
    free = [
        cost_of(Reshape((A * B,)), (A, B)),
        cost_of(Transpose((1, 0)), (A, B)),
        cost_of(Contraction((("i", "j"),), ("j", "i")), (A, B)),
        cost_of(Broadcast((A, B), (False,)), (B,)),
        cost_of(Concatenate(0), (A,), (B,)),
        cost_of(Slice((0,), (1,), (1,)), (A,)),
        cost_of(Elementwise("cast"), (A,)),
        cost_of(Elementwise("select"), (A,), (A,), (A,)),
        cost_of(Elementwise("add"), (A,), (A,), dtype=np.int64),
        cost_of(Reduction("sum", (0,)), (A,), dtype=np.int64),
        cost_of(Contraction((("i",), ("i",)), ()), (A,), (A,), dtype=np.int64),
        cost_of(Elementwise("logical_and"), (A,), (A,), dtype=bool),
    ]
    assert [cost.total for cost in free] == [0] * len(free)


@pytest.mark.parametrize("axis", [0, 1])
@given(sizes=sizes_drawn)
def test_each_iteration_side_by_side(axis, sizes):
    """`stack([sin(x[i]) for i in range(a)], axis)`, one iteration of which is in the graph."""
    number_of_iteration = index_name(1, "loop_i")
    token = deciding.set(lambda relation: relation.op in ("<=", "!="))
    try:
        graph = Graph()
        x = graph.add(Input("x", (A, B)), dtype=np.float64)
        row = graph.add(Slice((symbol(number_of_iteration), 0), (1, B), (1, 1)), x, dtype=np.float64)
        made = graph.add(Elementwise("sin"), graph.add(Reshape((B,)), row, dtype=np.float64), dtype=np.float64)
        each = graph.add(Each(number_of_iteration, A, axis), made, dtype=np.float64)
    finally:
        deciding.reset(token)
    values = real((sizes["a"], sizes["b"]))
    expected = np.stack([np.sin(row) for row in values], axis) if sizes["a"] else np.zeros(at(each.shape, sizes))
    assert at(each.shape, sizes) == expected.shape
    names = [index_name(k, "o") for k in (1, 2)]
    term = element_term(each, tuple(map(symbol, names)), dict(zip(names, each.shape, strict=True)))
    for place in itertools.product(*map(range, expected.shape)):
        assert evaluate(term, {**sizes, **dict(zip(names, place, strict=True))}, {"x": values}) == expected[place]


def test_every_primitive_is_tested_here():
    tested = {name for name, value in globals().items() if inspect.isclass(value) and issubclass(value, Primitive)}
    assert tested - {"Primitive"} == set(ops.__all__) - {"Opaque", "Update"}  # no rule of their own: tests/frontends
