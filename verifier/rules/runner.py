"""Finds the rules by a scan of the folder, runs them all, and orders what they report."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from .finding import ORDER, Finding, Severity
from .view import View

MACHINERY = {"finding", "runner", "view"}


@lru_cache(maxsize=1)
def rules() -> tuple[ModuleType, ...]:
    """Every rule, by code."""
    folder = str(Path(__file__).parent)
    names = [info.name for info in pkgutil.iter_modules([folder]) if info.name not in MACHINERY]
    found = [importlib.import_module(f"{__package__}.{name}") for name in names]
    return tuple(sorted(found, key=lambda rule: rule.CODE))


def run(view: View) -> list[Finding]:
    """What every rule reports, the worst first."""
    found: list[Finding] = []
    for rule in rules():
        try:
            for one in rule.check(view):
                found.append(replace(one, code=rule.CODE, severity=one.severity or Severity(rule.SEVERITY)))  # noqa: PERF401
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            # A value of a kind that the rule did not think of: said, so that nobody takes silence for consent.
            message = f"could not judge this config: {type(error).__name__}: {error}"
            found.append(Finding(message, ("model_type",), "report this config", Severity.INFO, rule.CODE))
    return sorted(found, key=lambda f: (ORDER[f.severity or Severity.INFO], f.code))


def explain(code: str) -> str | None:
    """A rule's page: its docstring; None where no rule has that code."""
    rule = next((r for r in rules() if code.upper() == r.CODE), None)
    return None if rule is None else f"{rule.CODE}  {inspect.getdoc(rule)}"
