"""No annotated function is left out silently: each is checked, or listed with the reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Report
from verifier.check.pool import Options, check
from verifier.errors import VerifierError

FILE = Path(__file__).parent.parent / "data" / "kinds_of_functions.py"


@pytest.fixture(scope="module")
def reports() -> list[Report]:
    return check([Target(FILE)], Options()).reports


def test_every_kind_of_function_has_the_verdict_of_its_name(reports: list[Report]) -> None:
    for report in reports:
        name = report.name.rpartition(".")[2]
        if name != "__init__":
            assert name.startswith(report.verdict.lower()), (name, report.verdict, report.reason)


def test_each_annotated_definition_is_reported_at_its_line(reports: list[Report]) -> None:
    wanted = {
        (node.name, node.lineno)
        for node in ast.walk(ast.parse(FILE.read_text()))
        if (isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and "Float[" in ast.unparse(node.args))
        or (isinstance(node, ast.FunctionDef) and "property" in node.name)
    }  # fmt: skip
    assert wanted <= {(r.name.rpartition(".")[2], r.line) for r in reports}


def test_what_is_not_checked_says_why(reports: list[Report]) -> None:
    reasons = {r.name: r.reason for r in reports if r.verdict in ("SKIPPED", "UNSUPPORTED")}
    assert "awaits something" in reasons["unsupported_waiting"]
    assert "functools.wraps" in reasons["unsupported_hidden"]
    assert "Counting" in reasons["unsupported_object"]
    assert "each call of proved_around" in reasons["proved_around.skipped_nested"]
    assert "overload" in reasons["skipped_overload"]
    assert "TYPE_CHECKING" in reasons["skipped_for_type_checkers"]
    assert "more than 64" in reasons["unsupported_endless"]


def test_a_finding_is_at_the_return_of_what_is_wrong(reports: list[Report]) -> None:
    lines = FILE.read_text().splitlines()
    at = {r.name: lines[r.findings[0].line - 1].strip() for r in reports if r.verdict == "REFUTED"}
    assert at["refuted_wrapped"] == "return x"
    assert at["refuted_by_its_wrapper"] == "return function(*args).T"
    assert at["refuted_generator"] == "yield x"


def test_a_function_named_that_is_not_checked_is_an_error_with_the_reason() -> None:
    with pytest.raises(VerifierError, match=r"functools\.wraps"):
        subjects_of(Target(FILE, function="unsupported_hidden"))


def test_skipped_functions_do_not_fail_and_others_do(reports: list[Report]) -> None:
    assert not any(r.fails for r in reports if r.verdict == "SKIPPED")
    assert all(r.fails for r in reports if r.verdict == "UNSUPPORTED")


def test_annotations_that_cannot_be_read_name_sizes_where_they_look_like_it(tmp_path: Path) -> None:
    file = tmp_path / "unread.py"
    head = "from __future__ import annotations\nimport numpy as np\nfrom jaxtyping import Float\n\n"
    one = 'def scalar(bar: absent.Bar, x: Float[np.ndarray, ""]) -> None: ...\n'
    two = 'def sized(bar: absent.Bar, x: Float[np.ndarray, "n"]) -> None: ...\n'
    three = 'def unknown(bar: Absent[np.ndarray, "n"], x: Float[np.ndarray, ""]) -> None: ...\n'
    file.write_text(head + one + two + three)
    assert {s.name: s.names_sizes for s in subjects_of(Target(file))} == {
        "scalar": False,
        "sized": True,
        "unknown": True,
    }
