"""Where real inputs are: a folder beside the checkout, or the one that `SHARED` names; a few are in tests/data."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data"
SHARED = Path(os.environ.get("SHARED", ROOT.parent / "shared"))
CONFIGS = SHARED / "cases" / "configs"


def cases(kind: str) -> list[Any]:
    """The config cases of a kind as pytest parameters: the copies in tests/data, and the others where they are."""
    own = sorted((DATA / "configs" / kind).glob("*.json"))
    others = [p for p in sorted((CONFIGS / kind).glob("*.json")) if p.name not in {o.name for o in own}]
    found = [pytest.param(json.loads(p.read_text("utf-8")), id=p.stem) for p in [*own, *others]]
    if not others:
        reason = f"{CONFIGS / kind} is not there: set SHARED to the folder of shared cases"
        found.append(pytest.param(None, id="the-rest", marks=pytest.mark.skip(reason=reason)))
    return found
