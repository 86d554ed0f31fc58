"""Whatever `decide` says is so at every size: the promise that everything else rests on."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.sizes import COMPARISONS, grid, relation_of, trees, true_of_numbers
from verifier.dims import Scope, symbol
from verifier.prove import search
from verifier.prove.decide import decide
from verifier.prove.facts import Facts
from verifier.prove.search import models, satisfying

NAMES = "abc"
HIGHEST = 6

small = trees(NAMES, leaves=3)
simple = st.one_of(st.sampled_from(NAMES), st.integers(0, 4))
product = st.tuples(st.just("*"), simple, simple)
side = st.one_of(simple, product, small)
comparison = st.tuples(st.sampled_from(list(COMPARISONS)), side, side)
# What people write of sizes: products that are equal, what divides what, what is at most what.
written = st.one_of(
    st.tuples(st.just("=="), product, product),
    st.tuples(st.just("=="), st.sampled_from(NAMES), product),
    st.tuples(st.just("=="), st.tuples(st.just("%"), side, side), st.just(0)),
    st.tuples(st.just("!="), st.sampled_from(NAMES), simple),
    st.tuples(st.just("<="), side, side),
    comparison,
)


@st.composite
def about_quotients(draw, divided=None):
    """What is nearly true of x // y and x % y, off by little: x - y*(x // y) < y, x // y >= 1, ..."""
    x, y = divided or (draw(side), draw(st.one_of(side, st.tuples(st.just("-"), simple, st.integers(1, 5)))))
    quotient, off = ("//", x, y), draw(st.integers(-2, 2))
    low, high = draw(
        st.sampled_from(
            [
                (("*", y, quotient), x),
                (x, ("*", y, ("+", quotient, 1))),
                (0, quotient),
                (quotient, x),
                (("%", x, y), y),
                (0, ("%", x, y)),
                (("*", y, quotient), draw(side)),
                (quotient, draw(side)),
            ]
        )
    )
    return (draw(st.sampled_from(["<", "<=", "==", ">", "!="])), ("+", low, off), high)


@st.composite
def situations(draw):
    """Premises and questions; what a premise divides is asked about too."""
    premises = draw(st.lists(written, max_size=3))
    divided = [p[1][1:] for p in premises if isinstance(p[1], tuple) and p[1][0] == "%"]
    kinds = [comparison, about_quotients(), *(about_quotients(d) for d in divided)]
    return premises, draw(st.lists(st.one_of(kinds), min_size=1, max_size=6))


least_values = st.fixed_dictionaries({name: st.sampled_from([0, 1, 1, 1, 2]) for name in NAMES})


def scope_with(least, premises):
    scope = Scope(least)
    try:
        for premise in premises:
            scope = scope.given(relation_of(premise, scope))
    except ZeroDivisionError:
        assume(False)
    return scope


def models_on_grid(least, premises):
    """By Python's arithmetic alone: nothing of ours is asked."""
    return [
        sizes
        for sizes in grid(NAMES, 0, HIGHEST)
        if all(sizes[n] >= least[n] for n in NAMES) and all(true_of_numbers(p, sizes) for p in premises)
    ]


@given(least_values, situations())
@example({"a": 1, "b": 1, "c": 1}, ([("==", ("%", "a", ("-", "b", 5)), 0)], [("<", ("//", "a", ("-", "b", 5)), 0)]))
@example({"a": 1, "b": 1, "c": 1}, ([], [(">=", ("//", ("//", ("-", "a", "b"), 2), 3), 0)]))
@example({"a": 0, "b": 0, "c": 0}, ([("==", ("*", "a", "b"), ("*", "a", "c"))], [("==", "b", "c")]))
@example({"a": 1, "b": 1, "c": 1}, ([], [("<=", ("*", ("-", "b", 5), ("//", "a", ("-", "b", 5))), "a")]))
@example({"a": 0, "b": 1, "c": 1}, ([("==", ("%", "a", "b"), 0)], [("<=", 1, ("//", "a", "b"))]))
@example({"a": 1, "b": 1, "c": 1}, ([], [("<=", "a", ("+", ("*", "b", ("//", "a", "b")), ("-", "b", 2)))]))
@settings(max_examples=4 * settings.default.max_examples)
def test_what_is_decided_holds_at_every_model(least, situation):
    premises, questions = situation
    scope = scope_with(least, premises)
    facts = Facts.of(scope)
    points = models_on_grid(least, premises)
    if facts.contradictory:
        assert not points
    for question in questions:
        try:
            relation = relation_of(question, scope)
        except ZeroDivisionError:
            continue
        answer = decide(relation, facts)
        if answer is None:
            continue
        for sizes in points:
            truth = true_of_numbers(question, sizes)
            assert truth is None or truth == answer, f"{relation} was called {answer} and is {truth} at {sizes}"


def test_enough_is_decided_for_the_above_to_say_something():
    """What the field relies on is decided: a decider that never knows would be sound too."""
    scope = Scope.of("d h k n m").assuming("d % h == 0").assuming("k == d // h").assuming("n <= m")
    facts = Facts.of(scope)
    d, h, k, n, m = scope.names.values()
    for relation in (
        h * k == d,
        d // h == k,
        d % h == 0,
        n < m + 1,
        h * k <= d,
        n // 2 <= n,
        n % 3 < 3,
        d >= 1,
        d >= h,
    ):
        assert relation is True or decide(relation, facts) is True, relation
    for relation in (n > m, d < h, n % h >= h, n == n + m, d == d + 1):
        assert relation is False or decide(relation, facts) is False, relation
    a, b = symbol("a"), symbol("b")
    solved = Facts.of(Scope.of("a b").given(a == b - 2))
    assert decide(b >= 3, solved) is True  # since a is at least 1
    divided = Facts.of(Scope.of("d h n").given((d * n) % (h * n) == 0))
    assert decide(d % h == 0, divided) is True
    for relation in (n == m, d == n, n // 2 == 1, n % 3 == 0):
        assert decide(relation, facts) is None, relation


@pytest.fixture(scope="module", autouse=True)
def shorter_search():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(search, "MAX_POINTS", 12_000)
        yield


@given(least_values, st.lists(written, min_size=1, max_size=3))
@example(
    {"a": 1, "b": 1, "c": 1},
    [("==", ("*", "a", "b"), ("*", "c", "c")), ("==", ("*", "a", "c"), ("*", "b", "b")), ("==", "a", 1)],
)
@example({"a": 0, "b": 1, "c": 2}, [("==", ("+", "a", "b"), 9)])
def test_models_are_models_and_none_is_missed(least, premises):
    scope = scope_with(least, premises)
    points = models_on_grid(least, premises)
    found = satisfying(scope)
    if found is not None:
        assert all(true_of_numbers(p, found) is not False for p in premises)
        assert all(found[n] >= least[n] for n in NAMES)
    if points:
        assert found is not None, f"{points[0]} satisfies {scope.assumptions}"
        assert max(found.values()) <= min(max(p.values()) for p in points)


@given(least_values, st.lists(written, max_size=2))
def test_every_model_in_a_small_box_is_listed(least, premises):
    scope = scope_with(least, premises)
    wanted = [p for p in models_on_grid(least, premises) if max(p.values()) <= 3]
    listed = list(itertools.islice(models(scope), 400))
    if len(listed) < 400:
        assert all(sizes in listed for sizes in wanted)
