"""The findings of `verifier config` as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..config.model import ModelConfig
from ..errors import VerifierError
from ..rules import Finding, rules

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif(models: Sequence[ModelConfig], errors: Sequence[VerifierError]) -> str:
    """One run: every rule as a descriptor, every finding as a result, unreadable files as notifications."""
    descriptors = [_rule(rule) for rule in rules()]
    places = {d["id"]: i for i, d in enumerate(descriptors)}
    results = [_result(f, model, places) for model in models for f in model.findings]
    notifications = [{"level": "error", "message": {"text": str(e)}} for e in errors]
    run = {
        "tool": {"driver": {"name": "verifier", "version": __version__, "rules": descriptors}},
        "invocations": [{"executionSuccessful": not errors, "toolExecutionNotifications": notifications}],
        "results": results,
        "columnKind": "unicodeCodePoints",
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _rule(rule: Any) -> dict[str, Any]:
    text = inspect.getdoc(rule) or ""
    title = rule.__name__.rpartition(".")[2]
    return {
        "id": rule.CODE,
        "name": title.title().replace("_", ""),
        "shortDescription": {"text": text.partition("\n")[0]},
        "fullDescription": {"text": text},
        "defaultConfiguration": {"level": LEVELS[str(rule.SEVERITY)]},
    }


def _result(found: Finding, model: ModelConfig, places: dict[str, int]) -> dict[str, Any]:
    file = model.file or "config.json"
    return {
        "ruleId": found.code,
        "ruleIndex": places[found.code],
        "level": LEVELS[str(found.severity)],
        "message": {"text": f"{found.message}. Fix: {found.fix}."},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(file)},
                    "region": {"startLine": line_of(file, found)},
                }
            }
        ],
        "properties": {"fields": list(found.fields)},
    }


def line_of(file: str, found: Finding) -> int:
    """The line on which the first of the finding's fields stands; 1 where none does."""
    try:
        text = Path(file).read_text("utf-8-sig")
    except (OSError, ValueError):
        return 1
    for field in found.fields:
        position = text.find(f'"{field.rpartition(".")[2]}"')
        if position >= 0:
            return text.count("\n", 0, position) + 1
    return 1


def _uri(file: str) -> str:
    if file == "<stdin>":
        return "stdin"
    path = Path(file)
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.resolve().as_uri()
