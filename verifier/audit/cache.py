"""Verdicts kept between runs: nothing is judged again unless the claim, the kernels, the engine or SymPy changed."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import platformdirs

from .claim import Claim, Result

PACKAGE = Path(__file__).resolve().parent.parent
DEPENDENCIES = ("sympy", "numpy", "jaxtyping", "beartype")
FORMAT = 1


def folder() -> Path:
    """Where results are kept: the user's cache folder for `verifier`."""
    return platformdirs.user_cache_path("verifier") / f"audit-{FORMAT}"


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """A hash of every source file of the package and of the versions that it stands on."""
    digest = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*.py")):
        digest.update(file.relative_to(PACKAGE).as_posix().encode())
        digest.update(file.read_bytes())
    for name in DEPENDENCIES:
        try:
            digest.update(f"{name}{version(name)}".encode())
        except PackageNotFoundError:
            digest.update(f"{name} absent".encode())
    return digest.hexdigest()


def key(claim: Claim) -> str:
    """What a result depends on."""
    text = json.dumps(claim.raw, sort_keys=True, default=str)
    return hashlib.sha256(f"{engine_digest()}{text}".encode()).hexdigest()


def read(claim: Claim) -> Result | None:
    """The result of an earlier run, if there is one; an unreadable entry counts as none."""
    try:
        data: Any = json.loads((folder() / f"{key(claim)}.json").read_text(encoding="utf-8"))
        result = Result(**data)
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    result.place, result.cached = str(claim.place), True
    return result if _sound(result) else None


def _sound(result: Result) -> bool:
    """Whether every field has a type of its annotation, so that a damaged entry does no damage."""
    for name, hint in get_type_hints(Result).items():
        kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        if not isinstance(getattr(result, name), tuple(get_origin(k) or k for k in kinds)):
            return False
    return True


def write(claim: Claim, result: Result) -> None:
    """Keeps a result; a cache that cannot be written is no error."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        temporary = folder() / f"{key(claim)}.tmp"
        temporary.write_text(json.dumps(result.as_json), encoding="utf-8")
        temporary.replace(folder() / f"{key(claim)}.json")
    except OSError:
        return
