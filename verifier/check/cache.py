"""Reports of files that have not changed: keyed by the sources that they depend on, ours among them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .finding import Report


@lru_cache(maxsize=1)
def ours() -> str:
    """A digest of this package and of the libraries whose rules it speaks for."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent.parent
    for file in sorted(package.rglob("*.py")):
        digest.update(file.read_bytes())
    for library in ("numpy", "jaxtyping", "beartype"):
        try:
            digest.update(version(library).encode())
        except PackageNotFoundError:
            digest.update(b"none")
    return digest.hexdigest()


def digest_of(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


class Cache:
    """A folder with one file a target and its options."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def _entry(self, target: str, options: Sequence[str]) -> Path | None:
        if self.folder is None:
            return None
        name = hashlib.sha256(json.dumps([target, list(options), ours()]).encode()).hexdigest()
        return self.folder / f"{name[:32]}.json"

    def get(self, target: str, options: Sequence[str]) -> list[Report] | None:
        """The reports of a target, where every file that they came from is unchanged."""
        entry = self._entry(target, options)
        if entry is None or not entry.is_file():
            return None
        try:
            data: dict[str, Any] = json.loads(entry.read_text(encoding="utf-8"))
            if any(digest_of(Path(f)) != known for f, known in data["files"].items()):
                return None
            return [Report.from_dict(r) for r in data["reports"]]
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, target: str, options: Sequence[str], files: Iterable[str], reports: Sequence[Report]) -> None:
        entry = self._entry(target, options)
        if entry is None:
            return
        data = {"files": {f: digest_of(Path(f)) for f in files}, "reports": [r.as_dict() for r in reports]}
        try:
            entry.parent.mkdir(parents=True, exist_ok=True)
            entry.write_text(json.dumps(data), encoding="utf-8")
        except OSError:
            return
