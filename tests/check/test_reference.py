"""The catalogue of codes is complete, and the page made from it is up to date."""

from __future__ import annotations

import re
from pathlib import Path

from verifier.check import reference
from verifier.check.catalogue import KINDS

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_docstrings_say() -> None:
    page = (ROOT / "docs" / "reference" / "check-findings.md").read_text()
    assert page == reference.page(), "python -m verifier.check.reference > docs/reference/check-findings.md"


def test_every_code_that_is_used_is_explained() -> None:
    used: set[str] = set()
    for folder in ("check", "readings"):
        for file in (ROOT / "verifier" / folder).glob("*.py"):
            if file.name != "catalogue.py":
                used |= set(re.findall(r'"(ATT\d{3})"', file.read_text()))
    assert used == set(KINDS)


def test_every_kind_has_a_title_and_a_sentence() -> None:
    for kind in KINDS.values():
        assert kind.title and kind.text().split("\n")[0].endswith((".", ":"))
