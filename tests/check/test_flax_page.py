"""The worked Flax module of the how-to page prints what the page says, and its correction is proved."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared import ROOT

pytest.importorskip("jax", reason="the extra [jax] is not installed")
pytest.importorskip("flax", reason="Flax is not installed")

SECTION = (ROOT / "docs" / "how-to" / "check-jax.md").read_text(encoding="utf-8").split("## Flax modules")[1]
WRONG, RIGHT = '"bhqk,bkhd->bhqd"', '"bhqk,bkhd->bqhd"'


def printed(folder: Path, source: str) -> str:
    (folder / "attention.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "verifier", "check", "attention.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_the_page_shows_what_is_printed(tmp_path: Path) -> None:
    (source,) = re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL)
    (shown,) = re.findall(r"```\n\$ verifier check attention.py\n(.*?)```", SECTION, re.DOTALL)
    assert printed(tmp_path, source).strip() == shown.strip()
    assert WRONG in source and RIGHT in SECTION
    assert "PROVED      Attention.__call__" in printed(tmp_path, source.replace(WRONG, RIGHT))
