"""The child process of `verifier check`: judges the functions of the files it is told, one line of JSON each.

A function that hangs, crashes or eats memory ends this process and not the command; what the code under test prints
goes to standard error.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from ..errors import VerifierError
from . import makers


def main() -> None:
    """Reads one job from standard input."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    job = json.load(sys.stdin)
    limit_memory(int(job["memory"]))
    makers.use(job["make"], job["folder"])
    for target in job["targets"]:
        patience = min(job["timeout"] / 2, PATIENCE)
        work(target, job, patience, out)
    say(out, {"done": True})


def limit_memory(megabytes: int) -> None:
    """No more address space than that; what asks for more gets a MemoryError."""
    try:
        import resource
    except ImportError:  # not on Windows: only the time limit holds there
        return
    size = megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def say(out: TextIO, message: dict[str, Any]) -> None:
    out.write(json.dumps(message) + "\n")
    out.flush()


PATIENCE = 12.0
"""Seconds of work after which no further way to call a function is begun."""

_last: list[Path | None] = [None]
"""The package of the file before."""

_settled: list[int] = [0]
"""How many modules there were when what they hold was put aside last."""


def settle() -> None:
    """Puts aside what imports made: it stays, and to walk through it in every collection of garbage takes long.

    Frameworks hold a million objects, and runs make cycles of many small ones.
    """
    if len(sys.modules) > _settled[0] + 50:
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        _settled[0] = len(sys.modules)


def work(target: dict[str, str], job: dict[str, Any], patience: float, out: TextIO) -> None:
    """Every function of one target that is not to be skipped."""
    from .discovery import Target, subjects_of, unchecked_of
    from .finding import Outcome, Report
    from .judge import judge
    from .loading import files_loaded, forget, package_of

    folder = package_of(target["file"])
    if folder is None or folder != _last[0]:  # files of one package see one another's modules, imported once
        forget()
    _last[0] = folder
    name = target["file"] or target["module"]
    say(out, {"file": name})
    try:
        chosen = Target(Path(target["file"]) if target["file"] else None, target["module"], target["function"])
        subjects = subjects_of(chosen)
        makers.load()
        settle()
    except VerifierError as error:
        place = error.place
        line = place.line if place is not None else None
        say(out, {"unread": {"file": name, "line": line or 0, "fact": error.fact, "fix": error.remedy or ""}})
        return
    skip, given, axes = set(job["skip"]), tuple(job["given"]), bool(job["axes"])
    for subject in subjects:
        key = f"{name}::{subject.name}"
        if key in skip or (job["annotated"] and subject.says_no_shapes):
            continue
        told = {"name": subject.name, "file": subject.file, "line": subject.line, "names_sizes": subject.names_sizes}
        say(out, {"start": key, **told})
        say(out, {"report": judge(subject, given, axes, float(job["effort"]), patience).as_dict()})
    for other in unchecked_of(chosen, subjects):
        verdict = Outcome.UNSUPPORTED if other.lost else Outcome.SKIPPED
        say(out, {"report": Report(other.name, name, other.line, verdict, reason=other.reason).as_dict()})
    say(out, {"files": [str(f) for f in files_loaded()], "target": name})


if __name__ == "__main__":
    try:
        main()
    except MemoryError:
        from .pool import OUT_OF_MEMORY

        os._exit(OUT_OF_MEMORY)
