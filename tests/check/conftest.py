from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge
from verifier.check.loading import forget

HEADER = """
import math
from dataclasses import dataclass
import numpy as np
from jaxtyping import Bool, Float, Float32, Int, Shaped, jaxtyped
from beartype import beartype

"""


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Callable[..., Report]]:
    """The report on the last annotated function of a source."""

    def report(source: str, *given: str, axes: bool = True) -> Report:
        file = tmp_path / "source.py"
        file.write_text(HEADER + textwrap.dedent(source))
        forget()
        return judge(subjects_of(Target(file))[-1], given, axes)

    yield report
    forget()
