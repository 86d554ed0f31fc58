"""Files shared out among child processes, each function under a time and a memory limit."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from .cache import Cache
from .causes import join
from .discovery import Target
from .finding import Finding, Outcome, Report

TIMEOUT = 30.0
MEMORY = 4096
OUT_OF_MEMORY = 75
"""The exit status of a process that had no memory left."""
IMPORTING = 120.0
"""Seconds for a file's imports, which are the libraries' affair, where a project's `import_timeout` says nothing."""


@dataclass
class Options:
    """How to check: premises for all, limits, and whether values are looked at beside shapes."""

    given: tuple[str, ...] = ()
    axes: bool = True
    timeout: float = TIMEOUT
    """Seconds a function."""
    memory: int = MEMORY
    """Megabytes a process."""
    jobs: int = 1
    make: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    """The project's makers of classes, with the folder that their files are named from."""
    folder: str = ""
    cache: Cache = field(default_factory=lambda: Cache(None))
    import_timeout: float | None = None
    """Seconds for a file's imports; the longer of `timeout` and `IMPORTING` where None."""
    effort: float | None = None
    """Seconds of the processor for the paths of a function, after which less is asked; `timeout` where None."""
    annotated: bool = False
    """Only functions that name the axes of an array, and none whose arrays are bare."""

    @property
    def for_imports(self) -> float:
        return max(self.timeout, IMPORTING) if self.import_timeout is None else self.import_timeout

    @property
    def key(self) -> list[str]:
        makers = [f"{name} = {maker}" for name, maker in self.make.items()]
        return [
            *self.given,
            str(self.axes),
            str(self.annotated),
            str(self.timeout),
            str(self.effort),
            str(self.memory),
            *makers,
        ]


@dataclass
class Unread:
    """A file that could not be read or imported."""

    file: str
    line: int
    """0 where there is no line: a module that is not there, an import that takes too long."""
    fact: str
    fix: str = ""

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass
class Checked:
    """All reports, in the order of the targets, and the files that could not be read."""

    reports: list[Report] = field(default_factory=lambda: list[Report]())
    unread: list[Unread] = field(default_factory=lambda: list[Unread]())


def check(targets: Sequence[Target], options: Options, progress: Callable[[Report], None] | None = None) -> Checked:
    """Judges every function of the targets; a hang or a crash is a finding, and the rest goes on."""
    results: dict[int, Checked] = {}
    todo: list[tuple[int, Target]] = []
    for number, target in enumerate(targets):
        known = options.cache.get(_key(target), options.key)
        if known is None:
            todo.append((number, target))
            continue
        results[number] = Checked(known)
        for report in known:
            if progress is not None:
                progress(report)
    jobs = max(1, min(options.jobs, len(todo)))
    shares = [todo[i::jobs] for i in range(jobs)]
    with ThreadPoolExecutor(max_workers=jobs) as threads:
        for part in threads.map(lambda share: _share(share, options, progress), shares):
            results.update(part)
    whole = Checked()
    for number in sorted(results):
        whole.reports += results[number].reports
        whole.unread += results[number].unread
    join(whole.reports)
    return whole


def _key(target: Target) -> str:
    place = str(target.file.resolve()) if target.file is not None else target.module
    return f"{place}:{target.function}"


def _share(
    share: list[tuple[int, Target]], options: Options, progress: Callable[[Report], None] | None
) -> dict[int, Checked]:
    """One worker's files; the worker is replaced when a function ends it."""
    results = {number: Checked() for number, _ in share}
    pending = list(share)
    skip: list[str] = []
    while pending:
        worker = Worker([t for _, t in pending], options, skip)
        with closing(worker.messages()) as messages:
            ended = _hear(messages, pending, results, skip, options, progress)
        if ended or not pending:
            break
        number, target = pending[0]
        if worker.current is None:
            results[number].unread.append(Unread(target.key, 0, f"{worker.why()} while it was imported", worker.remedy))
            pending.pop(0)
            continue
        report = _ended(worker)
        results[number].reports.append(report)
        skip.append(f"{target.key}::{report.name}")
        if progress is not None:
            progress(report)
    return results


def _hear(
    messages: Iterable[dict[str, Any]],
    pending: list[tuple[int, Target]],
    results: dict[int, Checked],
    skip: list[str],
    options: Options,
    progress: Callable[[Report], None] | None,
) -> bool:
    """Files what a worker says; whether it came to its end."""
    for message in messages:
        if "done" in message:
            return True
        number, target = pending[0]
        here = results[number]
        if "report" in message:
            report = Report.from_dict(message["report"])
            here.reports.append(report)
            skip.append(f"{target.key}::{report.name}")
            if progress is not None:
                progress(report)
        elif "unread" in message:
            here.unread.append(Unread(**message["unread"]))
            pending.pop(0)
        elif "files" in message:
            if not any(f.code == "ATT042" for r in here.reports for f in r.findings):
                options.cache.put(_key(target), options.key, message["files"], here.reports)
            pending.pop(0)
    return False


def _ended(worker: Worker) -> Report:
    """The report of a function that ended its process."""
    current = cast("dict[str, Any]", worker.current)
    finding = Finding("ATT042", "error", worker.why(), current["file"], current["line"], fix=worker.remedy)
    return Report(
        current["name"],
        current["file"],
        current["line"],
        Outcome.UNDECIDED,
        [],
        0,
        [finding],
        round(worker.elapsed, 2),
        worker.why(),
        current["names_sizes"],
    )


class Worker:
    """A child process at work on some targets."""

    def __init__(self, targets: Sequence[Target], options: Options, skip: Sequence[str]) -> None:
        job = {
            "targets": [{**asdict(t), "file": str(t.file) if t.file is not None else ""} for t in targets],
            "given": list(options.given),
            "axes": options.axes,
            "annotated": options.annotated,
            "timeout": options.timeout,
            "effort": options.effort or options.timeout,
            "memory": options.memory,
            "skip": list(skip),
            "make": dict(options.make),
            "folder": options.folder,
        }
        self.timeout, self.memory, self.for_imports = options.timeout, options.memory, options.for_imports
        self.current: dict[str, Any] | None = None
        self.timed_out = False
        self.elapsed = 0.0
        self.process = subprocess.Popen(
            [sys.executable, "-m", "verifier.check.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(job).encode())
        self.process.stdin.close()

    def messages(self) -> Generator[dict[str, Any], None, None]:
        """What the worker says, until it ends or a function takes too long."""
        stream = self.process.stdout
        assert stream is not None
        selector = selectors.DefaultSelector()
        selector.register(stream, selectors.EVENT_READ)
        begun = time.monotonic()
        rest = b""
        try:
            while True:
                limit = self.timeout if self.current is not None else self.for_imports
                left = limit - (time.monotonic() - begun)
                if left <= 0 or not selector.select(left):
                    self.timed_out, self.elapsed = True, time.monotonic() - begun
                    self.process.kill()
                    break
                data = os.read(stream.fileno(), 65536)
                if not data:
                    self.elapsed = time.monotonic() - begun
                    break
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    message: dict[str, Any] = json.loads(line)
                    begun = time.monotonic()
                    if "start" in message:
                        self.current = message
                    elif "report" in message or "file" in message:
                        self.current = None
                    yield message
        finally:
            selector.close()
            stream.close()
            self.process.wait()

    def why(self) -> str:
        if self.timed_out:
            return f"took longer than {self.timeout if self.current else self.for_imports:g} s"
        if self.process.returncode == OUT_OF_MEMORY:
            return f"needs more than {self.memory} MB"
        return f"ended the process (exit status {self.process.returncode})"

    @property
    def remedy(self) -> str:
        """What to do about it."""
        if self.timed_out and self.current is None:
            return "set a longer import_timeout under [tool.verifier] in pyproject.toml, in seconds; or import less"
        if self.timed_out:
            return "run it alone with a longer --timeout"
        if self.process.returncode == OUT_OF_MEMORY:
            return "run it with a larger --memory, or with smaller numbers in place of the large ones"
        return "see what it does: python -X faulthandler shows where a process ends"
