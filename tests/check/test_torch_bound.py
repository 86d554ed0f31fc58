"""`from torch import where` binds a function before any run: it takes part in one all the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge
from verifier.check.loading import forget

FILE = Path(__file__).parent.parent / "data" / "torch" / "bound.py"


def subjects() -> list[Subject]:
    forget()
    return subjects_of(Target(FILE))


@pytest.mark.parametrize("subject", subjects(), ids=lambda s: s.name)
def test_a_name_bound_at_import_is_followed(subject: Subject) -> None:
    assert judge(subject).verdict == ("REFUTED" if subject.name.startswith("bad") else "PROVED")


def test_a_module_that_was_imported_before_gets_the_functions_too(tmp_path: Path) -> None:
    (tmp_path / "early.py").write_text("from torch import where\n\n\ndef keep(m, x):\n    return where(m, x, 0.0)\n")
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import early, torch
from verifier.frontends.torch.session import install
own = [torch.where]
install()
install()
assert early.where is torch.where is not own[0]
x = torch.tensor([1.0, -1.0])
assert early.keep(x > 0, x).tolist() == [1.0, 0.0]
assert torch.zeros(2).tolist() == [0.0, 0.0] and type(torch.zeros(2)) is torch.Tensor
"""
    subprocess.run([sys.executable, "-c", code], check=True)
