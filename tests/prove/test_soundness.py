"""Whatever `decide` says is so at every size: the promise that everything else rests on."""

from __future__ import annotations

from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.sizes import COMPARISONS, grid, relation_of, trees, true_of_numbers
from verifier.dims import Scope
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


@given(least_values, st.lists(written, max_size=3), st.lists(comparison, min_size=1, max_size=4))
@example({"a": 1, "b": 1, "c": 1}, [("==", ("%", "a", ("-", "b", 5)), 0)], [("<", ("//", "a", ("-", "b", 5)), 0)])
@example({"a": 1, "b": 1, "c": 1}, [], [(">=", ("//", ("//", ("-", "a", "b"), 2), 3), 0)])
@example({"a": 0, "b": 0, "c": 0}, [("==", ("*", "a", "b"), ("*", "a", "c"))], [("==", "b", "c")])
@example({"a": 1, "b": 1, "c": 1}, [], [("<=", ("*", ("//", "a", ("-", 0, "b")), ("-", 0, "b")), "a")])
def test_what_is_decided_holds_at_every_model(least, premises, questions):
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


@given(least_values, st.lists(written, min_size=1, max_size=3))
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
    listed = []
    for sizes in models(scope):
        listed.append(sizes)
        if len(listed) > 400:
            break
    if len(listed) <= 400:
        assert all(sizes in listed for sizes in wanted)
