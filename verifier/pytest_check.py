"""Annotated functions as tests: each function of a file is an item that passes when proved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def collector(file: Path, parent: pytest.Collector) -> AnnotatedFile | None:
    """The collector of a file that mentions jaxtyping and is no test."""
    if file.name == "conftest.py" or file.name.startswith("test_") or file.name.endswith("_test.py"):
        return None
    if "jaxtyping" not in file.read_text(encoding="utf-8", errors="replace"):
        return None
    return AnnotatedFile.from_parent(parent, path=file)  # pyright: ignore[reportUnknownMemberType]


class Broken(Exception):
    """A finding, whose text is the report."""


class AnnotatedFile(pytest.File):
    """A file with annotated functions, judged in a child process."""

    def collect(self) -> Iterator[pytest.Item]:
        from .check.discovery import Target
        from .check.pool import Options, check

        checked = check([Target(self.path)], Options())
        for unread in checked.unread:
            raise self.CollectError(f"{unread.place}: {unread.fact}")
        for report in checked.reports:
            item: Any = AnnotatedFunction.from_parent(self, name=report.name)  # pyright: ignore[reportUnknownMemberType]
            item.report = report
            yield item


class AnnotatedFunction(pytest.Item):
    """One function with its report."""

    report: Any

    def runtest(self) -> None:
        from .check.pool import Checked
        from .report.check_text import text_of

        if self.report.verdict == "SKIPPED" or (
            self.report.verdict in ("UNDECIDED", "UNSUPPORTED") and not self.report.fails
        ):
            pytest.skip(self.report.reason)
        if self.report.fails:
            raise Broken(text_of(Checked([self.report]), verbose=True))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Broken):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.report.line - 1, f"{self.report.name}: {self.report.verdict}"
