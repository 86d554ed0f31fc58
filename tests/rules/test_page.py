"""The generated list of rules is the one in the repository."""

from __future__ import annotations

from tests.shared import ROOT
from tools.config_rules_page import page


def test_page_is_current() -> None:
    written = (ROOT / "docs" / "reference" / "config-rules.md").read_text("utf-8")
    assert written == page(), "run python -m tools.config_rules_page"
