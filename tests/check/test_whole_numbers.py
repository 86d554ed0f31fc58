"""Functions of whole numbers in code under test: which are told by their bounds, and what is found all the same."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable

import pytest

from verifier.check.finding import Report
from verifier.check.whole_numbers import computes_whole_numbers

Told = Callable[..., Report]
NEAREST = """
def nearest(dim, most):
    power = found = 1
    while power <= most:
        if dim % power == 0:
            found = power
        power *= 2
    return found

"""
OTHERS = {
    "calls another": "def f(n):\n    return g(n) if n else 1",
    "reads a global": "def f(n):\n    return LIMIT if n else 1",
    "writes a global": "def f(n):\n    global count\n    count = 1\n    return n if n else 1",
    "asks an object": "def f(n):\n    return n.width if n else 1",
    "writes to an object": "def f(n):\n    n.width = 1\n    return 2 if n else 1",
    "writes an item": "def f(n):\n    n[0] = 1\n    return 2 if n else 1",
    "raises": "def f(n):\n    if n < 2:\n        raise ValueError\n    return 1",
    "gives more than once": "def f(n):\n    if n:\n        yield 1",
    "has no branch": "def f(n):\n    return n + 1",
    "is decorated": "@cache\ndef f(n):\n    return 1 if n else 2",
    "takes any number": "def f(*n):\n    return 1 if n else 2",
    "has taken the name of a builtin": "def f(n, min):\n    return min(n, 2) if n else 1",
    "prints": "def f(n):\n    print(n)\n    return 1 if n else 2",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_what_does_more_than_calculate_is_none(text: str) -> None:
    assert not computes_whole_numbers(ast.parse(text).body[0])  # type: ignore[arg-type]


def test_what_calculates_and_branches_is_one() -> None:
    assert computes_whole_numbers(ast.parse(NEAREST).body[0])  # type: ignore[arg-type]


def program(told: Told, body: str, result: str = "n d") -> Report:
    text = NEAREST + f'def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "{result}"]:\n'
    return told(text + textwrap.indent(textwrap.dedent(body), "    "))


def test_norms_of_many_groups_do_not_multiply_paths(told: Told) -> None:
    body = """
        n, d = x.shape
        for width in (d, 3 * d, 5 * d, 7 * d):
            g = nearest(width, 32)
            y = np.zeros((n, width)).reshape(n, g, width // g)
            x = x + (y - y.mean(-1, keepdims=True)).reshape(n, width)[:, :d]
        return x
    """
    report = program(told, body)
    assert (report.verdict, report.paths) == ("PROVED", 1), report.reason


def test_groups_that_do_not_divide_are_found(told: Told) -> None:
    report = program(told, "g = nearest(x.shape[1], 32)\nreturn x.reshape(-1, g + 1, x.shape[1] // g).reshape(x.shape)")
    assert report.verdict == "REFUTED"
    assert all(f.replayed for f in report.findings)


def test_what_fails_in_one_case_alone_is_found(told: Told) -> None:
    report = program(told, "return x.T if nearest(x.shape[1], 32) == 16 else x")
    (finding,) = report.findings
    assert (report.verdict, finding.code, finding.replayed) == ("PROVED_IF", "ATT020", True)
    assert finding.sizes["d"] % 32 == 16


def test_what_fails_in_no_case_is_proved(told: Told) -> None:
    report = program(told, "return x.T if nearest(x.shape[1], 32) == 3 else x")
    assert report.verdict == "PROVED", (report.verdict, report.reason, report.findings)


def test_where_a_number_is_wanted_each_case_has_one(told: Told) -> None:
    body = """
        y = x
        for i in range(nearest(x.shape[1], 8)):
            y = y + x[:, i:i + 1]
        return y
    """
    assert program(told, body).verdict == "PROVED"


def test_a_builtin_that_the_module_has_replaced_is_not_taken_for_it(told: Told) -> None:
    source = """
        calls = []

        def min(a, b):
            calls.append(a)
            return b

        def size(d):
            if d % 4 == 0:
                return min(d, 4)
            if d % 3 == 0:
                return min(d, 3)
            return 1

        def f(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
            size(x.shape[1])
            return x
        """
    assert "calls, which outlives it" in told(source).reason
