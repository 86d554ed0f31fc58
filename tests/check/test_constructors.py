"""Layers whose constructors ask for more than sizes: what is supposed is said, and nothing is refuted under a guess."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.shared import DATA

pytest.importorskip("jax", reason="the extra [jax] is not installed")
if find_spec("equinox") is None:  # not imported here: the checked file does, once JAX is prepared
    pytest.skip("Equinox is not installed", allow_module_level=True)

from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge


def told(name: str) -> Report:
    subjects = subjects_of(Target(DATA / "jax" / "constructors.py"))  # anew: other tests forget modules
    report = judge(next(s for s in subjects if s.name.partition(".")[0] == name))
    assert not [f for f in report.findings if f.severity == "error"], report.findings
    return report


def test_integers_with_a_default_stay_at_it_where_loops_on_them_do_not_end() -> None:
    report = told("Grouped")
    assert report.verdict == "BOUNDED"
    assert report.reason == "self.kernel = 3, self.most_groups = 32"
    assert report.assumptions == ["channels == self.width"]


def test_one_of_several_optional_sizes_is_given() -> None:
    report = told("OneOrOther")
    assert (report.verdict, report.reason) == ("BOUNDED", "without more than one of size, width")
    assert set(report.assumptions) == {"d == self.size", "d == self.width"}


def test_any_layer_stands_for_one_that_changes_nothing() -> None:
    report = told("Wrapper")
    assert (report.verdict, report.reason) == ("BOUNDED", "self.inner changes nothing")


def test_nothing_is_refuted_under_a_guess() -> None:
    report = told("WrapperThatCallsWrong")
    assert report.verdict == "UNSUPPORTED"
    assert report.reason.startswith("fails where self.inner changes nothing, which nothing says: line ")


def test_an_activation_and_a_key_are_supposed_by_name() -> None:
    report = told("Activated")
    assert (report.verdict, report.reason) == ("BOUNDED", "self.activation is an activation, gelu")
    assert "self.key is a key of random numbers" in report.assumptions


def test_keywords_that_only_options_bring_are_no_failure() -> None:
    report = told("Passing")
    assert report.verdict == "UNSUPPORTED"
    assert "missing 1 required positional argument: 'heads'" in report.reason


def test_a_list_of_as_many_numbers_as_a_size_says_wants_the_size() -> None:
    assert told("Rates").verdict == "BOUNDED"


def test_heads_mixed_by_learned_numbers_are_no_weighted_sum() -> None:
    assert told("TalkingHeads").verdict == "PROVED"


def test_an_optional_array_without_axes_is_absent_or_has_the_shapes_that_fit() -> None:
    report = told("Rotated")
    assert report.verdict == "PROVED_IF"
    assert [(row["absent"], row["shapes"]) for row in report.contract][:2] == [
        (["tables"], {}),
        ([], {"tables_0": ["n", "d"], "tables_1": ["tables_1_0", "tables_1_1"]}),
    ]


def test_a_function_may_name_no_size() -> None:
    assert not told("only_a_key").names_sizes
    assert told("trees").names_sizes


def test_dictionaries_of_ours_are_dictionaries_to_jax() -> None:
    assert told("trees").verdict == "PROVED"


def test_a_word_among_sizes_is_a_choice_of_its_own() -> None:
    assert told("SizeOrWord").verdict == "PROVED"
