"""An installed package that is asked for by name or path is code under test; what it imports of others is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.check.discovery import subjects_of, targets_of
from verifier.check.judge import judge

HELPER = "def scores(x, y):\n    return x @ y.T\n"
MODULE = """
import numpy as np
from jaxtyping import Float
from {helper} import scores

def attend(x: Float[np.ndarray, "n d"], y: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "n n"]:
    return scores(x, y)
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site-packages"
    for package, helper in (("ours_to_check", ".helpers"), ("of_another", "ours_to_check.helpers")):
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").write_text("")
        (folder / package / "model.py").write_text(MODULE.format(helper=helper))
        (folder / package / "helpers.py").write_text(HELPER)
    monkeypatch.syspath_prepend(str(folder))
    return folder


@pytest.mark.parametrize("by", ["path", "folder", "module", "package"])
def test_installed_package_is_under_test(installed: Path, by: str) -> None:
    target = {
        "path": str(installed / "ours_to_check" / "model.py"),
        "folder": str(installed / "ours_to_check"),
        "module": "ours_to_check.model",
        "package": "ours_to_check",
    }[by]
    (subject,) = (s for t in targets_of(target) for s in subjects_of(t))
    (finding,) = judge(subject).findings
    assert (Path(finding.file).name, finding.line, finding.replayed) == ("model.py", 7, True)
