"""A reshape is reported exactly where no transpose inside the merged axes explains it, by comparison with NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest

from tests.check.conftest import HEADER
from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge
from verifier.check.loading import forget

Grouping = tuple[tuple[str, ...], ...]
PRIMES = dict(zip("abcd", (2, 3, 5, 7), strict=True))


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Callable[[str], Report]]:
    def report(source: str) -> Report:
        file = tmp_path / "source.py"
        file.write_text(HEADER + source)
        forget()
        return judge(subjects_of(Target(file))[-1])

    yield report
    forget()


def groupings(names: str) -> list[Grouping]:
    """Every way to deal the names out to axes in order; inside an axis they stand in the order of the alphabet."""
    found: dict[Grouping, None] = {}
    for order in permutations(names):
        for cuts in product((False, True), repeat=len(names) - 1):
            groups: list[list[str]] = [[order[0]]]
            for name, cut in zip(order[1:], cuts, strict=True):
                if cut:
                    groups.append([])
                groups[-1].append(name)
            found[tuple(tuple(sorted(g)) for g in groups)] = None
    return list(found)


def explained(groups: Grouping, names: str) -> bool:
    """Whether the axes of the reshaped array are merges of those factors, in whatever order inside each."""
    x = np.arange(np.prod([PRIMES[n] for n in names])).reshape([PRIMES[n] for n in names])
    target = [int(np.prod([PRIMES[n] for n in group])) for group in groups]
    return any(
        np.array_equal(x.reshape(target), x.transpose([names.index(n) for g in inner for n in g]).reshape(target))
        for inner in product(*(permutations(g) for g in groups))
    )


@pytest.mark.parametrize("groups", groupings("abcd"), ids=lambda g: " ".join("*".join(p) for p in g))
def test_a_reshape_is_reported_where_an_axis_is_no_merge(groups: Grouping, told: Callable[[str], Report]) -> None:
    target = ", ".join(" * ".join(group) for group in groups)
    result = " ".join("*".join(group) for group in groups)
    report = told(f"""
def f(x: Float[np.ndarray, "a b c d"]) -> Float[np.ndarray, "{result}"]:
    a, b, c, d = x.shape
    return x.reshape({target})
""")
    assert [f.code for f in report.findings] == ([] if explained(groups, "abcd") else ["ATT030"])


@pytest.mark.parametrize("groups", groupings("abc"), ids=lambda g: " ".join("*".join(p) for p in g))
def test_a_merged_axis_is_split_in_its_order(groups: Grouping, told: Callable[[str], Report]) -> None:
    target = ", ".join(" * ".join(group) for group in groups)
    result = " ".join("*".join(group) for group in groups)
    report = told(f"""
def f(x: Float[np.ndarray, "n a*b*c"], p: Float[np.ndarray, "a b c"]) -> Float[np.ndarray, "n {result}"]:
    a, b, c = p.shape
    return x.reshape(x.shape[0], {target})
""")
    assert [f.code for f in report.findings] == ([] if explained(groups, "abc") else ["ATT031"])


@pytest.mark.parametrize(
    ("parts", "clean"), [("a", True), ("b", False), ("c", False), ("a * b", True), ("b * c", False)]
)
def test_a_merged_axis_is_cut_along_its_slowest_factors(parts: str, clean: bool, told: Callable[[str], Report]) -> None:
    report = told(f"""
def f(x: Float[np.ndarray, "n a*b*c"], p: Float[np.ndarray, "a b c"]) -> Float[np.ndarray, "n _"]:
    a, b, c = p.shape
    run = a * b * c // ({parts})
    return x[:, :run]
""")
    assert [f.code for f in report.findings] == ([] if clean else ["ATT031"])
