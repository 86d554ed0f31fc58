"""What stands for the many cases of a function of whole numbers is true of each of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from verifier.dims import Scope, symbol
from verifier.frontends.explorer import explore
from verifier.frontends.summary import exactly, is_summary, summed
from verifier.prove.search import true_at


def nearest(dim, most):
    power = found = 1
    while power <= most:
        if dim % power == 0:
            found = power
        power *= 2
    return found


def at_least(n, floor):
    if n < 4:
        return floor
    if n < 9:
        return 2 * floor
    return 3 * floor


def within(n, m):
    if n < m:
        return n
    if n == m:
        return m
    return m + 0 * n


def rounded_up(n, to):
    if n % to == 0:
        return n
    if n < to:
        return to
    return (n // to + 1) * to


def signed(n):
    if n < 3:
        return -1
    if n < 6:
        return 0
    return 1


FUNCTIONS: list[tuple[Callable[..., int], tuple[object, ...]]] = [
    (nearest, ("d", 32)),
    (nearest, ("d", 8)),
    (at_least, ("n", 3)),
    (within, ("n", "m")),
    (rounded_up, ("n", 8)),
]


def symbolic(function, args):
    names = [a for a in args if isinstance(a, str)]
    passed = [symbol(a) if isinstance(a, str) else a for a in args]
    return names, explore(lambda: summed(function)(*passed), Scope.of(names))


@pytest.mark.parametrize(("function", "args"), FUNCTIONS, ids=lambda v: getattr(v, "__name__", str(v)))
def test_what_is_known_of_the_result_holds_of_every_real_one(function: Callable[..., int], args) -> None:
    names, (path,) = symbolic(function, args)
    made = next(n for n in path.value.terms)[0][0]
    assert is_summary(made) and path.assumed
    for sizes in itertools.product(range(1, 49 if len(names) == 1 else 13), repeat=len(names)):
        known = dict(zip(names, sizes, strict=True))
        real = function(*(known[a] if isinstance(a, str) else a for a in args))
        assert all(true_at(fact, {**known, made: real}) for fact in path.assumed), (known, real)


def test_a_divisor_is_known_to_divide_and_to_be_bounded():
    d = symbol("d")

    def groups():
        size = summed(nearest)(d, 32)
        return d % size == 0, size <= 32, size >= 1, (d // size) * size == d

    (path,) = explore(lambda: [bool(v) for v in groups()], Scope.of("d"))
    assert path.value == [True, True, True, True]


def test_each_case_is_a_path_of_its_own_where_that_is_asked_for():
    with exactly():
        _, paths = symbolic(nearest, ("d", 32))
    assert {p.value for p in paths} == {1, 2, 4, 8, 16, 32}


def test_what_may_be_negative_is_told_case_by_case():
    _, paths = symbolic(signed, ("n",))
    assert {p.value for p in paths} == {-1, 0, 1}


def test_two_functions_of_one_name_return_two_sizes():
    def make(factor):
        def grown(n):
            if n < 3:
                return factor
            if n < 6:
                return 2 * factor
            return 3 * factor

        return summed(grown)

    small, large = make(1), make(100)
    n = symbol("n")
    (path,) = explore(lambda: (str(small(n)), str(large(n)), str(small(n))), Scope.of("n"))
    assert path.value[0] == path.value[2] != path.value[1]


def test_numbers_are_what_the_function_makes_of_them():
    (path,) = explore(lambda: (summed(nearest)(24, 32), summed(nearest)(3, most=32)), Scope.of("d"))
    assert path.value == (8, 1)
