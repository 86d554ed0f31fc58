from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from verifier.dims import polynomial

monomials = st.dictionaries(st.sampled_from("xyz"), st.integers(1, 3), max_size=3).map(
    lambda powers: tuple(sorted(powers.items(), key=lambda item: polynomial.atom_key(item[0])))
)
polynomials = st.dictionaries(monomials, st.integers(-5, 5).filter(bool), max_size=4)


def value(terms, at):
    total = Fraction(0)
    for monomial, coefficient in terms.items():
        product = Fraction(coefficient)
        for atom, power in monomial:
            product *= Fraction(at[atom]) ** power
        total += product
    return total


points = st.fixed_dictionaries({name: st.integers(-4, 4) for name in "xyz"})


@given(polynomials, polynomials, points)
def test_sums_and_products_have_the_values_of_both(left, right, at):
    assert value(polynomial.add(left, right), at) == value(left, at) + value(right, at)
    assert value(polynomial.add(left, right, Fraction(-1, 2)), at) == value(left, at) - value(right, at) / 2
    assert value(polynomial.multiply(left, right), at) == value(left, at) * value(right, at)
    assert all(polynomial.multiply(left, right).values())


@given(polynomials, polynomials.filter(bool), points)
def test_division_ends_and_adds_up(left, right, at):
    quotient, remainder = polynomial.divide(left, right)
    assert value(left, at) == value(quotient, at) * value(right, at) + value(remainder, at)
    assert all(type(c) is int for c in quotient.values())


@given(polynomials)
def test_text_is_python_that_gives_the_value(terms):
    at = {"x": 2, "y": 3, "z": 5}
    assert eval(polynomial.render(terms), {}, at) == value(terms, at)


def test_people_read_it_so():
    assert polynomial.render({(("d_k", 1), ("n", 2)): 2, (("n", 1),): -1, (): 3}) == "2*d_k*n**2 - n + 3"
    assert polynomial.render({(("n", 1),): -1, (): 3}) == "3 - n"
    assert polynomial.render({(("n", 1),): Fraction(1, 2)}) == "(1/2)*n"
    assert polynomial.render({}) == "0"
