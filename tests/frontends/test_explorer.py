from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.frontends.differential import paths_of
from tests.sizes import COMPARISONS, build, trees
from verifier.dims import Scope, symbol
from verifier.errors import NeedsConcreteSize, UndecidedSize, Unsupported
from verifier.frontends import explore
from verifier.frontends.explorer import MAX_PATHS
from verifier.frontends.numpy import creation
from verifier.frontends.recording import current_graph
from verifier.prove.search import true_at


def held(paths, sizes):
    return [p for p in paths if all(true_at(c, sizes) for c in p.conditions)]


def test_every_path_is_found():
    def function(n, m):
        if n == m:
            return "equal"
        if n < m:
            return "less"
        return "more"

    paths = paths_of(function, sizes=["n", "m"])
    assert sorted(p.value for p in paths) == ["equal", "less", "more"]
    for n, m in itertools.product(range(4), repeat=2):
        (path,) = held(paths, {"n": n, "m": m})
        assert path.value == function(n, m)


comparison = st.tuples(st.sampled_from(list(COMPARISONS)), trees("ab", leaves=3), trees("ab", leaves=3))


@given(st.lists(comparison, min_size=1, max_size=3))
def test_the_conditions_of_the_paths_part_the_sizes(questions):
    """At each point exactly one path holds, and it is the one that plain numbers take."""

    def function(a, b):
        return [COMPARISONS[op](build(x, {"a": a, "b": b}), build(y, {"a": a, "b": b})) for op, x, y in questions]

    def decided(a, b):
        return [bool(answer) for answer in function(a, b)]

    scope = Scope.of("a b", least=0)
    paths = explore(lambda: decided(symbol("a"), symbol("b")), scope)
    for a, b in itertools.product(range(5), repeat=2):
        holding = held(paths, {"a": a, "b": b})
        assert len(holding) == 1, f"{len(holding)} paths hold at {a}, {b}"
        try:
            expected = decided(a, b)
        except ZeroDivisionError:
            assert isinstance(holding[0].error, ZeroDivisionError)
            continue
        assert holding[0].error is None
        assert holding[0].value == expected


def test_what_the_scope_decides_does_not_fork():
    scope = Scope.of("d h").assuming("d % h == 0")
    (path,) = explore(lambda: "whole" if symbol("d") % symbol("h") == 0 else "rest", scope)
    assert path.value == "whole"
    assert path.conditions == ()


def test_a_decision_is_remembered_along_its_path():
    def function(n, m):
        return (n == m, m == n, n != m, n - m == 0, 2 * n == 2 * m)

    paths = paths_of(lambda n, m: tuple(map(bool, function(n, m))), sizes=["n", "m"], least=1)
    assert sorted(p.value for p in paths) == [(False, False, True, False, False), (True, True, False, True, True)]


def test_an_exception_is_the_outcome_of_its_path_with_its_line():
    def function(n):
        if n > 2:
            raise KeyError("too large")
        return n

    paths = paths_of(function, sizes=["n"], names="n")
    (bad,) = [p for p in paths if p.error is not None]
    assert isinstance(bad.error, KeyError)
    assert bad.source is not None
    assert bad.source.file == __file__
    assert bad.source.text == 'raise KeyError("too large")'
    assert str(bad.conditions[0]) == "2 < n"
    assert bad.decisions[0].source.text == "if n > 2:"


def test_a_shape_mismatch_points_at_the_code_under_test():
    def function(x, y):
        return x @ y

    paths = paths_of(function, ["n m", "n m"], least=1)
    (bad,) = [p for p in paths if p.error is not None]
    assert bad.source.text == "return x @ y"
    (good,) = [p for p in paths if p.error is None]
    assert good.value.node.source.text == "return x @ y"
    assert [str(o.relation) for o in good.value.node.obligations] == ["m == n"]


def test_a_needed_number_stops_the_exploration():
    with pytest.raises(NeedsConcreteSize) as caught:
        paths_of(lambda n: range(n + 1), sizes=["n"])
    assert str(caught.value.size) == "n + 1"


def test_code_cannot_swallow_the_need_for_a_number():
    def function(n):
        try:
            return int(n)
        except Exception:
            return 0

    with pytest.raises(NeedsConcreteSize):
        paths_of(function, sizes=["n"])


def test_too_many_paths_stop_with_advice():
    def function(n):
        return sum(1 for k in range(10) if n * n % (k + 2) == 1)

    with pytest.raises(Unsupported, match=f"more than {MAX_PATHS} paths") as caught:
        paths_of(function, sizes=["n"], names="n")
    assert "assumptions" in caught.value.remedy


def test_no_rule_is_named_with_file_and_line():
    cases = {
        "numpy.apply_over_axes": lambda x: np.apply_over_axes(np.sum, x, 0),
        "numpy.lexsort": lambda x: np.lexsort(x),
        "numpy.add with where": lambda x: np.add(x, x, where=x > 0),
        "values of an array": lambda x: 1 if x.sum() else 2,
        "Python number": lambda x: float(x.sum()),
    }
    for name, function in cases.items():
        (path,) = paths_of(function, ["n n"])
        assert isinstance(path.error, Unsupported), name
        assert name in str(path.error)
        assert f"{__file__}:" in str(path.error)


def test_options_that_a_row_would_ignore_are_refused():
    """An option without a rule is never passed over in silence."""
    cases = [
        lambda x: np.sum(x, out=np.zeros(3)),
        lambda x: np.sum(x, initial=3.0),
        lambda x: np.sum(x, where=x > 0),
        lambda x: np.max(x, initial=3.0),
        lambda x: np.mean(x, where=x > 0),
        lambda x: np.mean(x, out=np.zeros(3)),
        lambda x: np.var(x, where=x > 0),
        lambda x: np.std(x, mean=x),
        lambda x: np.std(x, correction=1),
        lambda x: np.reshape(x, (-1,), order="F"),
        lambda x: np.concatenate([x, x], out=np.zeros(3)),
        lambda x: np.stack([x, x], out=np.zeros(3)),
        lambda x: np.einsum("ij->i", x, out=np.zeros(3)),
        lambda x: np.clip(x, 0, 1, out=x),
        lambda x: np.take(x, [0, 5], axis=0, mode="clip"),
        lambda x: np.take(x, [0], axis=0, out=x),
        lambda x: np.dot(x, x, out=x),
        lambda x: np.outer(x, x, out=x),
        lambda x: np.add.reduce(x, initial=3.0),
        lambda x: x.flatten(order="F"),
        lambda x: x.reshape(-1, order="F"),
        lambda x: np.copy(x, order="F") + np.array(x, ndmin=5),
    ]
    for number, function in enumerate(cases):
        (path,) = paths_of(function, ["n n"], least=1)
        assert isinstance(path.error, Unsupported), f"case {number} gave {path.value}"


def test_numpy_is_restored_whatever_happens():
    before = {name: getattr(np, name) for name in creation.REPLACED}

    def fails(n):
        assert np.zeros is not before["zeros"]
        raise RuntimeError

    def needs(n):
        return int(n)

    paths_of(fails, sizes=["n"])
    assert {name: getattr(np, name) for name in creation.REPLACED} == before
    with pytest.raises(NeedsConcreteSize):
        paths_of(needs, sizes=["n"])
    assert {name: getattr(np, name) for name in creation.REPLACED} == before

    class Stop(BaseException):
        pass

    def stops(n):
        raise Stop

    with pytest.raises(Stop):
        paths_of(stops, sizes=["n"])
    assert {name: getattr(np, name) for name in creation.REPLACED} == before


def test_nested_runs_restore_numpy_too():
    before = np.zeros

    def outer(n):
        paths_of(lambda m: np.zeros(m), sizes=["m"])
        return np.zeros(n)

    (path, *_) = paths_of(outer, sizes=["n"], least=1)
    assert path.error is None
    assert np.zeros is before


def test_outside_a_run_nothing_is_recorded_or_decided():
    with pytest.raises(RuntimeError, match="outside"):
        current_graph()
    paths_of(lambda n: n, sizes=["n"])
    with pytest.raises(RuntimeError, match="outside"):
        current_graph()
    with pytest.raises(UndecidedSize):
        bool(symbol("n") == symbol("m"))


def test_real_arrays_stay_real_inside_a_run():
    def function(x):
        table = np.zeros((2, 3))
        table[0] = 1  # plain sizes make plain arrays
        return table.sum() + x

    (path,) = paths_of(function, ["n"], least=1)
    assert path.error is None
