"""Writes docs/reference/config-rules.md from the rules' own files: `python -m tools.config_rules_page`."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

from verifier.config import Context, load
from verifier.rules import rules

TARGET = Path(__file__).parent.parent / "docs" / "reference" / "config-rules.md"


def page() -> str:
    """The page's text."""
    blocks = [
        "# Config rules",
        "Generated from the rules' files by `python -m tools.config_rules_page`; `verifier explain CODE` prints one.",
        "An error is a config that cannot be built or run as asked, a warning one that runs and is probably not meant, "
        "information is worth knowing.",
        "| code | severity | the law |\n|---|---|---|\n"
        + "\n".join(f"| [{r.CODE}](#{r.CODE.lower()}) | {r.SEVERITY} | {_law(r)} |" for r in rules()),
    ]
    for rule in rules():
        law, why, fix = (inspect.getdoc(rule) or "").split("\n\n")
        blocks += [f"## {rule.CODE}", f"**{law}** ({rule.SEVERITY})", why, fix, "Reported:", _example(rule)]
    return "\n\n".join(blocks) + "\n"


def _law(rule: Any) -> str:
    return (inspect.getdoc(rule) or "").partition("\n")[0]


def _example(rule: Any) -> str:
    fields, options = rule.BAD if isinstance(rule.BAD, tuple) else (rule.BAD, {})
    found = next(
        f for f in load(fields, Context(**options)).findings if f.code == rule.CODE and f.severity == rule.SEVERITY
    )
    given = "".join(f"  with {k} = {v}\n" for k, v in options.items())
    report = f"{found.code}  {found.severity}  {found.message}\n        fix  {found.fix}"
    return f"```\n{json.dumps(fields)}\n{given}\n{report}\n```"


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
