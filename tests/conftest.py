"""Hypothesis profiles: `default` keeps the whole run short, `thorough` is for a night (HYPOTHESIS_PROFILE=thorough)."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from verifier.audit.run import Audit, audit

os.environ.setdefault("VERIFIER_CACHE", "")  # tests count kernels anew and leave nothing behind
COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much]}
settings.register_profile("default", max_examples=120, **COMMON)
settings.register_profile("thorough", max_examples=1_500, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the user's own cache; child processes inherit it by the environment."""
    folder = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setattr("verifier.audit.cache.folder", lambda: folder / "verifier" / "audit")
    return folder


@pytest.fixture(scope="session")
def audited() -> Audit:
    """The audit of the claims that ship with the package, judged afresh once a session."""
    return audit(use_cache=False)


@pytest.fixture(scope="session")
def question_bank() -> Path:
    """The document that the shipped claims are about, which is no part of the checkout."""
    path = Path(__file__).resolve().parent.parent.parent / "shared" / "question_bank.txt"
    if not path.is_file():
        pytest.skip("the document stands beside the checkout, and is not there")
    return path
