"""Generated pages are as the generator writes them now."""

from __future__ import annotations

import pytest

from verifier.report.reference import FOLDER, PAGES


@pytest.mark.parametrize("name", PAGES)
def test_page_is_current(name: str) -> None:
    written = (FOLDER / name).read_text(encoding="utf-8")
    assert written == PAGES[name](), "run python -m verifier.report.reference"
