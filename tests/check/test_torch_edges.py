"""Where PyTorch begins to fail we say so, with the requirement; where it does not, neither do we."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

from verifier.check.discovery import Target, subjects_of
from verifier.check.judge import judge
from verifier.check.loading import forget

FILE = Path(__file__).parent.parent / "data" / "torch" / "edges.py"
VERDICTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "searched_without_axes": ("REFUTED", ()),
    "searched_value": ("PROVED", ()),
    "searched_in_rows": ("REFUTED", ()),
    "searched_in_other_rows": ("REFUTED", ()),
    "searched_in_its_rows": ("PROVED", ()),
    "bucketized": ("PROVED", ()),
    "bucketized_by_rows": ("REFUTED", ()),
    "reflected": ("PROVED_IF", ("n >= 2",)),
    "circular": ("PROVED_IF", ("n >= 2",)),
    "once_around": ("PROVED", ()),
    "replicated": ("PROVED", ()),
    "Circular.forward": ("PROVED_IF", ("n >= 2",)),
    "Reflecting.forward": ("PROVED_IF", ("h >= 3", "w >= 3")),
    "scattered": ("PROVED_IF", ("d*n <= m",)),
    "scattered_from_enough": ("PROVED", ()),
    "scattered_rows": ("PROVED_IF", ("b*d*n <= d*k",)),
    "softmax_of_the_rest": ("PROVED", ()),
    "log_softmax_of_nothing": ("PROVED", ()),
    "logsumexp_of_the_rest": ("PROVED", ()),
    "classes_of_the_rest": ("PROVED_IF", ("n >= 2",)),
    "halves": ("REFUTED", ()),
    "two_and_the_rest": ("PROVED_IF", ("d >= 2",)),
}


@pytest.fixture(scope="module")
def reports() -> dict[str, object]:
    forget()
    return {s.name: judge(s) for s in subjects_of(Target(FILE))}


@pytest.mark.parametrize("name", VERDICTS)
def test_the_edge_is_where_pytorch_has_it(name: str, reports: dict) -> None:
    verdict, required = VERDICTS[name]
    assert reports[name].verdict == verdict, reports[name]
    assert set(required) <= set(reports[name].assumptions), reports[name].assumptions


def test_every_function_of_the_file_has_a_verdict(reports: dict) -> None:
    assert reports.keys() == VERDICTS.keys()


def test_the_sizes_of_a_failure_are_not_called_every_size(reports: dict) -> None:
    for report in reports.values():
        for finding in report.findings:
            assert not (finding.hidden_at and finding.why == "at every size"), finding
    (finding,) = (f for f in reports["halves"].findings if f.severity == "error")
    assert finding.why == "where d == 1"
    assert "ZeroDivisionError" not in finding.message
