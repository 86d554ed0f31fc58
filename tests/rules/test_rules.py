"""Each rule says what it is, fires on its bad example, and keeps silent on its good one."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import pytest

from tests.shared import cases
from verifier.config import Context, load
from verifier.rules import Severity, explain, rules

RULES = [pytest.param(rule, id=rule.__name__.rpartition(".")[2]) for rule in rules()]


def example(value: Any) -> tuple[dict[str, Any], Context]:
    fields, options = value if isinstance(value, tuple) else (value, {})
    return fields, Context(**options)


def context_of(case: dict[str, Any]) -> Context:
    given = case.get("context") or {}
    return Context(
        seq=given.get("sequence_length"),
        tensor_parallel=given.get("tensor_parallel"),
        engine=given.get("engine"),
        tokenizer_length=given.get("tokenizer_length"),
        quantization=given.get("quantization"),
        attention=given.get("attn_implementation"),
        checkpoint=given.get("checkpoint_shapes"),
        encoder_width=given.get("encoder_width"),
    )


def test_codes_are_unique() -> None:
    codes = [rule.CODE for rule in rules()]
    assert len(codes) == len(set(codes)) >= 39


@pytest.mark.parametrize("rule", RULES)
def test_page(rule: ModuleType) -> None:
    text = inspect.getdoc(rule) or ""
    first, why, fix = text.split("\n\n")
    assert first.endswith(".")
    assert why.startswith("Why: ")
    assert fix.startswith("Fix: ")
    assert explain(rule.CODE.lower()) == f"{rule.CODE}  {text}"


@pytest.mark.parametrize("rule", RULES)
def test_examples(rule: ModuleType) -> None:
    bad, context = example(rule.BAD)
    found = [f for f in load(bad, context).findings if f.code == rule.CODE]
    assert found
    assert any(f.severity is rule.SEVERITY for f in found)
    assert all(f.fix and f.fields and not f.message.endswith(".") for f in found)
    good, context = example(rule.GOOD)
    above = [f for f in load(good, context).findings if f.code == rule.CODE and f.severity is not Severity.INFO]
    assert not above
    if rule.SEVERITY is Severity.INFO:
        assert not [f for f in load(good, context).findings if f.code == rule.CODE]


@pytest.mark.parametrize("case", cases("broken"))
def test_real_mistakes(case: dict[str, Any]) -> None:
    expected = case["expected"]
    findings = load(case["config"], context_of(case)).findings
    accepted = expected.get("acceptable", [expected["severity"]])
    hits = [f for f in findings if f.severity in accepted and set(expected["fields"]) & set(f.fields)]
    assert hits, [f.message for f in findings]


@pytest.mark.parametrize("case", cases("valid_odd"))
def test_odd_configs_that_are_right(case: dict[str, Any]) -> None:
    assert not [f for f in load(case["config"], context_of(case)).findings if f.severity is not Severity.INFO]


@pytest.mark.parametrize("case", cases("truth"))
def test_published_configs_have_no_errors(case: dict[str, Any]) -> None:
    findings = load(case["config"]).findings
    above = [f.code for f in findings if f.severity is not Severity.INFO]
    assert above in ([], ["CFG026"])  # T5's untied flag, which the library overrides
