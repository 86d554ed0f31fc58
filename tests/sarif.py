"""A SARIF log held against the standard's own schema (OASIS, version 2.1.0; `data/schemas`, unchanged)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft4Validator

SCHEMA = json.loads((Path(__file__).parent / "data" / "schemas" / "sarif-2.1.0.json").read_text("utf-8"))


def valid_sarif(text: str) -> Any:
    """The log, with every misfit reported at its place."""
    log = json.loads(text)
    misfits = [
        f"{'/'.join(map(str, e.absolute_path))}: {e.message}"
        for e in Draft4Validator(SCHEMA, format_checker=Draft4Validator.FORMAT_CHECKER).iter_errors(log)
    ]
    assert not misfits, misfits
    return log
