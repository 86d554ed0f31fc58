"""The expression language: what it computes, and that no text gets anything else out of it."""

from __future__ import annotations

import ast
import builtins
import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sizes import build, trees
from verifier.dims import Relation, symbol
from verifier.dims.expression import MAX_LENGTH, holds, parse, relation
from verifier.errors import ExpressionError, NeedsConcreteSize
from verifier.terms import as_term

HOSTILE = {
    "attribute": "n.__class__",
    "method": "n.bit_length()",
    "import": "__import__('os').system('true')",
    "lambda": "(lambda: 1)()",
    "string": "'a' * 100000000",
    "bytes": "b'a'",
    "f-string": "f'{n}'",
    "walrus": "(n := 3)",
    "comprehension": "[x for x in (1, 2)]",
    "generator": "sum(x for x in (1, 2))",
    "dict": "{1: 2}",
    "set": "{1, 2}",
    "list": "[1, 2]",
    "subscript": "(1, 2)[0]",
    "conditional": "1 if n else 2",
    "and": "n and 3",
    "not": "not n",
    "is": "n is 3",
    "in": "n in (1, 2)",
    "matrix product": "n @ n",
    "bits": "n << 100",
    "invert": "~n",
    "star": "f(*n)",
    "double star": "f(**n)",
    "call of a call": "f(1)(2)",
    "keyword twice": "f(a=1, a=2)",
    "ellipsis": "...",
    "none": "None",
    "true": "True + 1",
    "complex": "1j",
    "infinity": "1e999",
    "many digits": "9" * 41,
    "hexadecimal": "0x" + "f" * 1_000,
    "huge exponent": "2 ** 1000",
    "tower": "9**9**9**9",
    "tower on the left": "((((2**64)**64)**64)**64)**64",
    "symbolic exponent": "2 ** n",
    "power of a sum": "((n + m + 1)**60)**60",
    "parentheses": "(" * 500 + "n" + ")" * 500,
    "signs": "-" * 1_500 + "n",
    "deep sum": "+".join(["n"] * 200),
    "long": "n + " * MAX_LENGTH + "n",
    "null byte": "n\0m",
    "surrogate": "\ud800",
    "newline": "n\nm",
    "statement": "import os",
    "assignment": "n = 3",
    "await": "await n",
    "yield": "(yield)",
    "empty": "",
    "blank": "   ",
    "comparison inside": "1 + (n == m)",
    "tuple as a number": "(1, 2) * 1000000000",
    "negated tuple": "-(1, 2)",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_refused_with_its_column(text):
    names = {"n": symbol("n"), "m": symbol("m")}
    with pytest.raises(ExpressionError) as caught:
        parse(text).value(names, {"f": lambda *a, **k: 0, "sum": lambda *a: 0})
    if len(text) <= MAX_LENGTH:
        assert caught.value.column is not None
        assert f"column {caught.value.column}" in str(caught.value)
    assert caught.value.remedy


def test_nothing_is_executed(monkeypatch):
    def forbidden(*_, **__):
        raise AssertionError("text was executed")

    names, functions = {"n": 3, "m": 4}, {"f": lambda *a, **k: 0, "sum": lambda *a: 0}
    with monkeypatch.context() as patched:
        for name in ("eval", "exec", "open"):
            patched.setattr(builtins, name, forbidden)
        for text in HOSTILE.values():
            with contextlib.suppress(ExpressionError):
                parse(text).value(names, functions)


PIECES = ["n", "m", "h", "0", "1", "2", "64", "0.5", "1e3", " ", "(", ")", ",", "+", "-", "*", "**", "/", "//", "%"]
PIECES += [
    "==",
    "<",
    "!=",
    "f",
    "f(",
    "=",
    ".",
    "'",
    '"',
    "[",
    "]",
    "{",
    "}",
    ":",
    "lambda",
    "not",
    "if",
    "\0",
    "é",
    "_",
]


@given(st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)))
def test_any_text_gives_a_value_or_an_expression_error(text):
    names = {"n": symbol("n"), "m": 3, "h": as_term(symbol("h"))}
    try:
        parse(text).value(names, {"f": lambda *a, **k: 1})
    except ExpressionError as error:
        assert error.fact
        assert error.remedy


@given(trees("nmh"), st.fixed_dictionaries({k: st.integers(1, 9) for k in "nmh"}))
def test_the_language_computes_what_python_does(tree, sizes):
    text = text_of(tree)
    try:
        expected = build(tree, sizes)
    except ZeroDivisionError:
        with pytest.raises(ExpressionError, match="division by zero"):
            parse(text).value(sizes)
        return
    assert parse(text).value(sizes) == expected


def text_of(tree):
    if isinstance(tree, (int, str)):
        return f"({tree})" if isinstance(tree, int) and tree < 0 else str(tree)
    op, left, right = tree
    return f"({text_of(left)} {op} {text_of(right)})"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 / 3 + 1 / 6", Fraction(1, 2)),
        ("6 / 2", 3),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("2 ** -2", Fraction(1, 4)),
        ("-7 // 2", -4),
        ("-7 % 3", 2),
        ("2 * 3 ** 2", 18),
        ("1e3", 1000),
    ],
)
def test_arithmetic_is_exact(text, value):
    result = parse(text).value({})
    assert result == value
    assert type(result) in (int, Fraction)


def test_roots_stay_exact():
    assert parse("2 ** 0.5 * 2 ** 0.5").value({}).number == 2
    assert parse("4 ** 0.5").value({}).number == 2


@pytest.mark.parametrize(
    "text", ["0.5 * n", "n * 0.5", "0.5 + n", "0.5 - n", "n / 3", "0.5 / n", "(1/3) * h", "h * (1/3)"]
)
def test_fractions_meet_sizes_and_terms_exactly(text):
    n, h = 6, 9
    value = parse(text).value({"n": symbol("n"), "h": as_term(symbol("h"))})
    numbers = parse(text).value({"n": n, "h": h})
    from verifier.terms.fold import substitute

    term = substitute(as_term(value), {"n": n, "h": h}, {})
    assert term.number == numbers


def test_columns_point_at_the_fault():
    for text, column in (("n + x.y", 5), ("  n @ m", 3), ("f(1, 'a')", 6), ("n + (m is 2)", 6)):
        with pytest.raises(ExpressionError) as caught:
            parse(text)
        assert caught.value.column == column, text


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(ExpressionError, match="unknown name 'd_modle'") as caught:
        parse("d_modle * 2").value({"d_model": 4})
    assert caught.value.remedy == "did you mean d_model?"


def test_names_and_functions_are_told_apart():
    expression = parse("flops(kernel, h=n) + m")
    assert expression.names == {"kernel", "n", "m"}
    assert expression.functions == {"flops"}


def test_a_relation_is_kept_as_written():
    found = relation("n * m >= 3", {"n": symbol("n"), "m": symbol("m")})
    assert isinstance(found, Relation)
    assert str(found) == "3 <= m*n"
    for op, truth in (("==", 2 == 3), ("!=", 2 != 3), ("<", 2 < 3), ("<=", 2 <= 3), (">", 2 > 3), (">=", 2 >= 3)):
        assert holds(relation(f"2 {op} 3", {}), lambda side: side) is truth


@pytest.mark.parametrize("text", ["n", "n + 1", "1 < n < 3", "(n, m)"])
def test_what_compares_nothing_or_twice_is_no_relation(text):
    with pytest.raises(ExpressionError):
        relation(text, {"n": symbol("n"), "m": symbol("m")})


def test_a_function_may_take_a_name_unevaluated():
    def flops(name, **sizes):
        return len(name) * sizes.get("h", 1)

    flops.quotes = True
    assert parse("flops(kernel, h=2)").value({}, {"flops": flops}) == 12
    with pytest.raises(ExpressionError, match="wants a name first"):
        parse("flops(3)").value({}, {"flops": flops})


def test_no_size_is_asked_for_a_number():
    try:
        parse("n * n // n % n").value({"n": symbol("n")})
    except NeedsConcreteSize:  # a BaseException: nothing would catch it
        pytest.fail("the language asked for a number")


def test_the_tree_is_python_s_own():
    assert isinstance(parse("n + 1").tree, ast.BinOp)
