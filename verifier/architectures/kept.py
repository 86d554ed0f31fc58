"""Kernels' polynomials between processes: one JSON file in the user's cache folder, named after what decides them.

What is kept can always be made again. A file that cannot be read, or written, is as if it were not there; its content
is data and is never evaluated. VERIFIER_CACHE names another folder, and nothing is kept where it is empty.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import tempfile
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ..dims.dim import Dim, FloorDiv, from_terms

DECIDING = (
    "kernels",
    "graph",
    "frontends",
    "readings",
    "dims",
    "prove",
    "architectures/counting.py",
    "architectures/kept.py",
)
"""The folders and files whose text decides a kernel's polynomials."""
_new: dict[str, Any] = {}


def get(key: str) -> Any:
    """What is kept under a key; None where nothing is."""
    stored = _stored().get(key)
    try:
        return None if stored is None else {name: restore(value) for name, value in stored.items()}
    except (TypeError, ValueError, KeyError, AttributeError):
        return None


def put(key: str, value: dict[str, Any]) -> None:
    """Keeps a value; it is written when the process ends."""
    if _file() is None:
        return
    if not _new:
        atexit.register(_write)
    _new[key] = {name: plain(part) for name, part in value.items()}


def plain(value: Any) -> Any:
    """A value as JSON: a polynomial is {"+": [[coefficient, [[atom, power], ...]], ...]}."""
    if type(value) is Dim:
        return {"+": [[c, [[plain(a), p] for a, p in m]] for m, c in value.terms.items()]}
    if isinstance(value, FloorDiv):
        return {"//": [plain(value.numerator), plain(value.denominator)]}
    if isinstance(value, dict):
        return {"=": {k: plain(v) for k, v in value.items()}}
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def restore(value: Any) -> Any:
    """The value again; only whole coefficients and powers are taken."""
    if isinstance(value, list):
        return [restore(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "//" in value:
        numerator, denominator = value["//"]
        return FloorDiv(restore(numerator), restore(denominator))
    if "=" in value:
        return {str(k): restore(v) for k, v in value["="].items()}
    terms: dict[Any, Any] = {tuple((restore(a), int(p)) for a, p in monomial): int(c) for c, monomial in value["+"]}
    return from_terms(terms)


@lru_cache(maxsize=1)
def _file() -> Path | None:
    folder = os.environ.get("VERIFIER_CACHE")
    if folder == "":
        return None
    if folder is None:
        from platformdirs import user_cache_dir

        folder = user_cache_dir("verifier", appauthor=False)
    return Path(folder) / f"kernels-{digest()}.json"


def digest() -> str:
    """A digest of every file that decides the polynomials."""
    package = Path(__file__).parent.parent
    total = blake2b(digest_size=12)
    for name in DECIDING:
        place = package / name
        for file in [place] if place.suffix else sorted(place.rglob("*.py")):
            with contextlib.suppress(OSError):
                total.update(file.read_bytes())
    return total.hexdigest()


@lru_cache(maxsize=1)
def _stored() -> dict[str, Any]:
    file = _file()
    try:
        found = json.loads(file.read_text("utf-8")) if file else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _write() -> None:
    """Joins what other processes wrote meanwhile, and replaces the file in one step."""
    file = _file()
    if file is None:
        return
    _stored.cache_clear()
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", dir=file.parent, suffix=".tmp", delete=False, encoding="utf-8"
        ) as temporary:
            json.dump({**_stored(), **_new}, temporary)
        Path(temporary.name).replace(file)
