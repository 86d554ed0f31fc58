"""A term in normal form has the value of the expression that it was made from, whatever sizes and entries are.

Expressions are drawn as trees and evaluated twice: here, by plain loops over floats, and by way of the normal
form. Where the expression itself has no finite value, nothing is asked of the normal form.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from verifier.dims import Relation, lookup, symbol
from verifier.terms import Call, Entry, Exponential, Term, as_term, exponential, function, indicator, one, select, zero
from verifier.terms.evaluate import evaluate
from verifier.terms.fold import decided, fold, rename, substitute, sum_over
from verifier.terms.ranges import fresh_index, index_name
from verifier.terms.term import INFINITY, atom_term

FREE = index_name(1, "k")
SIZES = ("n", "m")
EXTENTS = ["n", "m", ("*", "n", "m"), ("-", "n", 1), 2]
FREE_EXTENT = "n"

# -- drawing expressions ---------------------------------------------------------------------------


@st.composite
def places(draw, scope):
    """An index expression: an index in scope, shifted, or a quotient or remainder of one."""
    name = draw(st.sampled_from(scope))
    if draw(st.integers(0, 5)) == 0:
        return ("permuted", name)
    return draw(
        st.sampled_from(
            [name, name, name, 0, ("+", name, 1), ("-", name, 1), ("//", name, "m"), ("%", name, "m"), ("//", name, 2)]
        )
    )


@st.composite
def relations(draw, scope):
    other = draw(st.one_of(places(scope), st.sampled_from(["n", "m", ("-", "n", 1), 0, 1])))
    return (draw(st.sampled_from(["==", "!=", "<", "<="])), draw(places(scope)), other)


@st.composite
def expressions(draw, scope=(FREE,), depth=3):
    kinds = ["number", "entry", "entry", "size", "index", "indicator"]
    if depth:
        kinds += ["add", "sub", "mul", "mul", "div", "power", "exp", "log", "abs", "select", "masked", "max", "any"]
        kinds += ["sum"] * 4
    kind = draw(st.sampled_from(kinds))

    def inner(scope=scope):
        return draw(expressions(scope, depth - 1))

    match kind:
        case "number":
            return ("number", draw(st.sampled_from([-2, -1, 0, 1, 2, 3, Fraction(1, 2), Fraction(-3, 2)])))
        case "entry":
            array = draw(st.sampled_from(["x", "y", "z"]))
            rank = 2 if array == "z" else 1
            return ("entry", array, tuple(draw(places(scope)) for _ in range(rank)))
        case "size":
            return ("size", draw(st.sampled_from(SIZES)))
        case "index":
            return ("size", draw(places(scope)))
        case "indicator":
            return ("indicator", draw(relations(scope)))
        case "add" | "sub" | "mul" | "div":
            return (kind, inner(), inner())
        case "power":
            exponent = draw(st.sampled_from([2, 3, -1, -2, Fraction(1, 2), Fraction(-1, 2), Fraction(3, 2)]))
            return ("power", inner(), exponent)
        case "exp" | "log" | "abs":
            return (kind, inner())
        case "select":
            return ("select", draw(relations(scope)), inner(), inner())
        case "masked":
            return ("select", draw(relations(scope)), inner(), ("infinity", -1))
        case "sum" | "max" | "any":
            name = f"v{len(scope)}"
            body = inner((*scope, name))
            if kind == "any":  # of truth values alone
                body = ("indicator", draw(relations((*scope, name))))
            return (kind, name, draw(st.sampled_from(EXTENTS)), body)


# -- the value, by loops ---------------------------------------------------------------------------

OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}
HOLDS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}


def whole(tree, names):
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return names[tree]
    if tree[0] == "permuted":
        return names["p"](whole(tree[1], names))
    op, a, b = tree
    return OPERATORS[op](whole(a, names), whole(b, names))


def value(tree, names, arrays):
    match tree:
        case ("number", number):
            return np.float64(float(number))
        case ("infinity", sign):
            return np.float64(sign * np.inf)
        case ("entry", array, index):
            place = tuple(whole(i, names) for i in index)
            if not all(0 <= i < size for i, size in zip(place, arrays[array].shape, strict=True)):
                raise IndexError
            return arrays[array][place]
        case ("size", size):
            return np.float64(whole(size, names))
        case ("indicator", (op, a, b)):
            return np.float64(HOLDS[op](whole(a, names), whole(b, names)))
        case ("add", a, b):
            return value(a, names, arrays) + value(b, names, arrays)
        case ("sub", a, b):
            return value(a, names, arrays) - value(b, names, arrays)
        case ("mul", a, b):
            return value(a, names, arrays) * value(b, names, arrays)
        case ("div", a, b):
            return value(a, names, arrays) * nonzero(value(b, names, arrays)) ** -1
        case ("power", a, exponent):
            base = value(a, names, arrays)
            return (base if exponent > 0 else nonzero(base)) ** np.float64(float(exponent))
        case ("exp", a):
            return np.exp(value(a, names, arrays))
        case ("log", a):
            return np.log(value(a, names, arrays))
        case ("abs", a):
            return np.abs(value(a, names, arrays))
        case ("select", (op, a, b), then, otherwise):
            return value(then if HOLDS[op](whole(a, names), whole(b, names)) else otherwise, names, arrays)
        case ("sum" | "max" | "any" as kind, name, extent, body):
            values = [value(body, {**names, name: i}, arrays) for i in range(whole(extent, names))]
            if kind == "any":
                return np.float64(any(values))
            return np.float64(sum(values)) if kind == "sum" else np.max(values)
    raise AssertionError(tree)


def nonzero(number):
    if number == 0:
        raise ZeroDivisionError  # the reals have no such value, and the sign of zero is nobody's law
    return number


# -- the same expression as a term -----------------------------------------------------------------


def term(tree, names, ranges):
    match tree:
        case ("number", number):
            return as_term(number)
        case ("infinity", sign):
            return Term({((INFINITY, 1),): sign})
        case ("entry", array, index):
            return atom_term(Entry(array, tuple(whole(i, names) for i in index)))
        case ("size", size):
            return as_term(whole(size, names))
        case ("indicator", relation):
            return truth(relation, names, ranges)
        case ("add", a, b):
            return term(a, names, ranges) + term(b, names, ranges)
        case ("sub", a, b):
            return term(a, names, ranges) - term(b, names, ranges)
        case ("mul", a, b):
            return term(a, names, ranges) * term(b, names, ranges)
        case ("div", a, b):
            return term(a, names, ranges) / term(b, names, ranges)
        case ("power", a, exponent):
            return term(a, names, ranges) ** exponent
        case ("exp", a):
            return exponential(term(a, names, ranges))
        case ("log" | "abs" as name, a):
            return function(name, term(a, names, ranges))
        case ("select", relation, then, otherwise):
            return select(truth(relation, names, ranges), term(then, names, ranges), term(otherwise, names, ranges))
        case ("sum" | "max" | "any" as kind, name, extent, body):
            index, size = fresh_index(), whole(extent, names)
            inside = term(body, {**names, name: symbol(index)}, {**ranges, index: size})
            return fold(kind, ((index, size),), inside, ranges)
    raise AssertionError(tree)


def truth(relation, names, ranges):
    op, a, b = relation
    return decided(Relation(op, whole(a, names), whole(b, names)), ranges)


SYMBOLS = {**{name: symbol(name) for name in SIZES}, FREE: symbol(FREE)}
SYMBOLS["p"] = lambda place: lookup("p", (place,), symbol("n"))
PERMUTATIONS = {1: [0], 2: [1, 0], 3: [1, 2, 0]}
RANGES = {FREE: symbol(FREE_EXTENT)}
ENTRIES = np.array([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0])


def arrays_from(seed):
    generator = np.random.default_rng(seed)
    return {
        "x": generator.choice(ENTRIES, 16),
        "y": generator.choice(ENTRIES, 16),
        "z": generator.choice(ENTRIES, (9, 9)),
    }


def term_or_nothing(tree):
    try:
        return term(tree, SYMBOLS, RANGES)
    except ZeroDivisionError:
        assume(False)


def value_or_nothing(tree, names, arrays):
    """The finite value of the expression, or None."""
    try:
        with np.errstate(all="ignore"):
            found = value(tree, names, arrays)
    except (IndexError, ValueError, ZeroDivisionError):
        return None
    return float(found) if np.isfinite(found) and abs(found) < 1e9 else None


def same(left, right):
    return math.isclose(left, right, rel_tol=1e-6, abs_tol=1e-6)


def check(normal, tree, sizes, arrays):
    permutation = PERMUTATIONS[sizes["n"]]
    arrays = {**arrays, "p": np.array(permutation)}

    def permuted(place):
        if not 0 <= place < len(permutation):
            raise IndexError
        return permutation[place]

    for place in range(sizes[FREE_EXTENT]):
        expected = value_or_nothing(tree, {**sizes, "p": permuted, FREE: place}, arrays)
        if expected is None:
            continue
        got = evaluate(normal, sizes, arrays, {FREE: place})
        assert math.isnan(got) or same(got, expected), f"{normal} is {got}, not {expected}, at {sizes}, {FREE}={place}"


all_sizes = st.fixed_dictionaries({name: st.integers(1, 3) for name in SIZES})

BOTH = ("sum", "v1", "n", ("sum", "v2", "m", ("mul", ("entry", "z", ("v1", "v2")), ("entry", "y", ("v2",)))))
STRICT = ("sum", "v1", "n", ("mul", ("indicator", ("<", 0, "v1")), ("entry", "x", ("v1",))))
MERGED = ("sum", "v1", ("*", "n", "m"), ("entry", "z", (("//", "v1", "m"), ("%", "v1", "m"))))
NEAR = ("sum", "v1", "n", ("mul", ("indicator", ("==", "v1", ("+", FREE, 1))), ("entry", "x", ("v1",))))
MASKED = ("select", ("<", "v1", FREE), ("entry", "x", ("v1",)), ("infinity", -1))
SOFTMAX = ("div", ("exp", MASKED), ("sum", "v2", "n", ("exp", MASKED)))
NEGATIVE = ("power", ("mul", ("number", -2), ("entry", "x", (FREE,))), Fraction(1, 2))


@given(expressions(), all_sizes, st.integers(0, 10**6))
@example(BOTH, {"n": 2, "m": 3}, 0)
@example(("sum", "v1", "n", ("entry", "x", (("permuted", "v1"),))), {"n": 3, "m": 3}, 0)
@example(
    ("sum", "v1", "n", ("mul", ("entry", "x", (("permuted", "v1"),)), ("entry", "y", ("v1",)))), {"n": 3, "m": 3}, 0
)
@example(STRICT, {"n": 2, "m": 3}, 0)
@example(MERGED, {"n": 2, "m": 3}, 0)
@example(NEAR, {"n": 3, "m": 1}, 0)
@example(("sum", "v1", "n", SOFTMAX), {"n": 3, "m": 1}, 0)
@example(NEGATIVE, {"n": 3, "m": 1}, 0)
@example(("power", ("power", ("entry", "x", (FREE,)), 2), Fraction(1, 2)), {"n": 3, "m": 1}, 1)
@example(("any", "v1", ("-", "n", 1), ("number", 1)), {"n": 1, "m": 1}, 0)
@example(("exp", ("mul", ("entry", "x", (FREE,)), ("infinity", -1))), {"n": 3, "m": 1}, 0)
@example(
    ("power", ("div", ("sub", ("size", FREE), ("number", 1)), ("sub", ("size", FREE), ("number", 1))), -1),
    {"n": 3, "m": 1},
    0,
)
@example(("div", ("number", 1), ("mul", ("indicator", ("<", FREE, "m")), BOTH)), {"n": 3, "m": 1}, 0)
def test_the_normal_form_has_the_value_of_the_expression(tree, sizes, seed):
    check(term_or_nothing(tree), tree, sizes, arrays_from(seed))


@given(expressions(), all_sizes, st.integers(0, 10**6))
def test_substituted_sizes_give_the_value_at_those_sizes(tree, sizes, seed):
    normal = term_or_nothing(tree)
    try:
        bound = substitute(normal, sizes, {FREE: sizes[FREE_EXTENT]})
    except ZeroDivisionError:
        assume(False)
    check(bound, tree, sizes, arrays_from(seed))


@given(expressions(), all_sizes, st.integers(0, 10**6))
def test_renaming_a_free_index_changes_no_value(tree, sizes, seed):
    """The names that bound indices get by themselves are tried too: nothing is caught."""
    normal = term_or_nothing(tree)
    arrays = {**arrays_from(seed), "p": np.array(PERMUTATIONS[sizes["n"]])}
    for name in (index_name(1), index_name(2), fresh_index()):
        try:
            renamed = rename(normal, {FREE: name})
        except ZeroDivisionError:  # undefined wherever the index is
            assume(False)
        for place in range(sizes[FREE_EXTENT]):
            before, after = evaluate_or_none(normal, sizes, arrays, {FREE: place}), None
            if before is None or not np.isfinite(before):
                continue
            after = evaluate(renamed, sizes, arrays, {name: place})
            assert math.isnan(after) or same(before, after), f"{normal} became {renamed}"


def evaluate_or_none(normal, sizes, arrays, indices):
    try:
        return evaluate(normal, sizes, arrays, indices)
    except (IndexError, ValueError, ZeroDivisionError):
        return None


@given(expressions(), expressions(), all_sizes, st.integers(0, 10**6))
def test_sums_are_linear(left, right, sizes, seed):
    a, b = term_or_nothing(left), term_or_nothing(right)
    index, size = fresh_index(), symbol("n")
    a, b = (rename(t, {FREE: index}) for t in (a, b))
    try:
        whole_sum = sum_over(((index, size),), a + b, {})
    except ZeroDivisionError:  # somewhere it divides by what simplifies to 0: it has no value to speak of
        return
    parts = sum_over(((index, size),), a, {}) + sum_over(((index, size),), b, {})
    assert whole_sum.same(parts)


# -- laws that the rest relies on ------------------------------------------------------------------


def entry(name, *index):
    return atom_term(Entry(name, index))


X = entry("x", symbol(FREE))


def test_roots_are_not_taken_out_of_what_may_be_negative():
    for base in (X, X * X, -X, X * entry("y", 0), X + 1, as_term(symbol("n") - symbol("m"))):
        root = base ** Fraction(1, 2)
        for x, y in itertools.product((-2.0, 0.0, 3.0), repeat=2):
            arrays = {"x": np.array([x]), "y": np.array([y])}
            with np.errstate(invalid="ignore"):
                expected = np.sqrt(np.float64(evaluate(base, {"n": 1, "m": 3}, arrays, {FREE: 0})))
            got = evaluate(root, {"n": 1, "m": 3}, arrays, {FREE: 0})
            assert np.isnan(expected) == np.isnan(got)
            assert np.isnan(got) or same(got, expected)
    assert not (X**2**1 * 1).same(X)
    assert not ((X**2) ** Fraction(1, 2)).same(X)


def test_roots_of_sizes_come_apart():
    d = as_term(symbol("d"))
    assert ((d**2) ** Fraction(1, 2)).same(d)
    assert (d ** Fraction(1, 2) * d ** Fraction(1, 2)).same(d)
    assert (d ** Fraction(-1, 2) * d).same(d ** Fraction(1, 2))


@pytest.mark.parametrize("number", [2, 3, 4, 6, 8, 12, 45, 49, 10_007**2, Fraction(1, 2), Fraction(8, 9), 1_000_003])
@pytest.mark.parametrize("exponent", [Fraction(1, 2), Fraction(-1, 2), Fraction(1, 3), Fraction(3, 2)])
def test_roots_of_numbers_are_exact(number, exponent):
    root = as_term(number) ** exponent
    assert same(evaluate(root, {}, {}), float(number) ** float(exponent))
    assert (root**exponent.denominator).number == Fraction(number) ** exponent.numerator


def test_equal_roots_have_one_form():
    half = Fraction(1, 2)
    root = {k: as_term(k) ** half for k in (2, 3, 6, 8)}
    assert (root[2] * root[3]).same(root[6])
    assert root[8].same(2 * root[2])
    assert (1 / root[2]).same(root[2] / 2)


def test_zero_to_a_power():
    assert (zero ** Fraction(1, 2)).same(zero)
    assert (zero**7).same(zero)
    with pytest.raises(ZeroDivisionError):
        zero**-1


def test_exponentials_of_infinity():
    minus = Term({((INFINITY, 1),): -1})
    assert exponential(minus).same(zero)
    assert not exponential(minus * X).same(zero)
    assert not exponential(-minus).same(zero)
    masked = exponential(select(indicator(Relation("<", symbol(FREE), symbol("m"))), X, minus))
    assert masked.same(indicator(Relation("<", symbol(FREE), symbol("m"))) * exponential(X))


def test_a_symbolic_power_of_what_may_be_negative_keeps_its_value():
    squared = as_term(X) ** entry("y", 0)
    assert same(evaluate(squared, {}, {"x": np.array([-2.0]), "y": np.array([2.0])}, {FREE: 0}), 4.0)


def test_an_unknown_index_may_be_zero():
    index = symbol(index_name(3, "k"))
    assert decided(Relation("<", 0, index), {}).number is None
    assert decided(Relation("<=", 0, index), {}).number == 1
    assert decided(Relation("<", 0, symbol("n")), {}).number == 1


def test_a_relation_of_every_kind_is_decided_rightly():
    index, size = symbol(FREE), symbol("n")
    ranges = {FREE: size}
    cases = {("<", index, size): 1, ("<=", size, index): 0, ("!=", index, size): 1, ("==", index, size): 0}
    for (op, left, right), expected in cases.items():
        assert decided(Relation(op, left, right), ranges).number == expected


def test_an_index_named_like_a_bound_one_is_not_caught():
    free, bound = symbol(index_name(1)), fresh_index()
    inner = sum_over(((bound, symbol("m")),), entry("z", free, symbol(bound)), {})
    array = np.arange(6.0).reshape(2, 3)
    assert evaluate(inner, {"m": 3}, {"z": array}, {index_name(1): 1}) == array[1].sum()


def test_division_by_an_indicator_ends():
    mask = indicator(Relation("<", symbol(FREE), symbol("m")))
    assert (
        evaluate(1 / (mask * X + mask * entry("y", 0)), {"m": 1}, {"x": np.ones(1), "y": np.ones(1)}, {FREE: 0}) == 0.5
    )


def test_opaque_functions_and_exponentials_evaluate():
    assert same(evaluate(atom_term(Call("tanh", (one,))), {}, {}), math.tanh(1))
    assert same(evaluate(atom_term(Exponential(one)), {}, {}), math.e)
    with pytest.raises(ValueError, match="no value is known"):
        evaluate(atom_term(Call("no such function", (one,))), {}, {})


def test_an_entry_outside_its_array_has_one_value_of_no_meaning():
    outside = evaluate(entry("x", -1), {}, {"x": np.ones(3)})
    assert math.isfinite(outside)
    assert outside != 1
    assert evaluate(entry("x", -1) - entry("x", -1), {}, {"x": np.ones(3)}) == 0
