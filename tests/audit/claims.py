"""Claim files for tests: a valid one, and its variations as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from verifier.audit.claim import Claim, Result
from verifier.audit.engine import judge
from verifier.audit.load import Loaded, load

HEADER = '[document]\ntitle = "t"\nsection = "s"\nsizes = "n m h d_model d_k d_v"\n'
VALID = {
    "id": '"A"',
    "statement": '"n is n"',
    "expect": '"PROVED"',
    "relation": '"shape(attention_scores) == (n, m)"',
    "mutants": '["shape(attention_scores) == (m, n)"]',
}


def claim_text(**changes: str | None) -> str:
    """A `[[claim]]`, from line 5 of its file on; a change of None leaves the key out."""
    keys = {**VALID, **changes}
    return "[[claim]]\n" + "".join(f"{k} = {v}\n" for k, v in keys.items() if v is not None)


def loaded(folder: Path, text: str) -> Loaded:
    file = folder / "claims.toml"
    file.write_text(text, encoding="utf-8")
    return load([file])


def one(folder: Path, **changes: str | None) -> Claim:
    result = loaded(folder, HEADER + claim_text(**changes))
    assert not result.errors, result.errors[0]
    return result.claims[0]


def judged(folder: Path, **changes: str | None) -> Result:
    return judge(one(folder, **changes))


def flat(value: Any) -> str:
    return " ".join(str(value).split())
