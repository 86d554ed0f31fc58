"""A whole audit: load, judge or take from the cache, hold against the document, count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import VerifierError
from ..verdict import Truth
from . import cache
from .claim import Claim, Document, Result
from .document import digest, digests, read_document
from .limits import SECONDS
from .load import Loaded, load

Progress = Callable[[Sequence[Claim]], Iterable[Claim]]


@dataclass
class Audit:
    """The results of all claims, and the mistakes found in their files."""

    document: Document
    results: list[Result] = field(default_factory=lambda: list[Result]())
    errors: list[VerifierError] = field(default_factory=lambda: list[VerifierError]())

    @property
    def summary(self) -> dict[str, int]:
        """How many claims have each truth."""
        counts = Counter(r.truth for r in self.results)
        return {str(t): counts[str(t)] for t in Truth if counts[str(t)]}

    @property
    def exit_status(self) -> int:
        """0 nothing to report, 1 a claim that fails, 2 wrong input."""
        if self.errors:
            return 2
        return 1 if any(r.problems for r in self.results) else 0

    @property
    def as_json(self) -> dict[str, Any]:
        """The output contract of `verifier audit`."""
        return {
            "document": {"title": self.document.title, "sections": list(self.document.sections)},
            "claims": [r.as_json for r in self.results],
            "summary": self.summary,
            "errors": [str(e) for e in self.errors],
        }


def default_claims() -> Path:
    """The claims that ship with the package; in a checkout they stand beside it."""
    package = Path(__file__).resolve().parent.parent
    shipped = package / "claims"
    return (shipped if shipped.is_dir() else package.parent / "claims") / "multi_head_attention"


def audit(
    paths: Sequence[Path] = (),
    *,
    document: Path | None = None,
    use_cache: bool = True,
    only: Collection[str] = (),
    allow: Collection[str] = (),
    progress: Progress = lambda claims: claims,
    seconds: float = SECONDS,
) -> Audit:
    """Judges every claim of the files and folders; without any, the claims that ship with the package.

    `document` is the text that the claims are about: a claim whose sentence is no longer in it is STALE.
    `seconds` of processor time are spent on each claim, which is UNDECIDED after them.
    `allow` names claims whose verdict may be UNDECIDED. Mistakes are collected, the other claims still judged.
    """
    loaded = load(list(paths) or [default_claims()])
    _only(loaded, only)
    result = Audit(loaded.document, errors=list(loaded.errors))
    present = _digests(document, result)
    for claim in progress(loaded.claims):
        try:
            judged = verdict_of(claim, use_cache=use_cache, seconds=seconds)
        except VerifierError as error:
            result.errors.append(error)
            continue
        except Exception as error:  # one claim's trouble must not hide the verdicts of all others
            fact = f"judging {claim.id} failed: {type(error).__name__}: {error}"
            remedy = "this is a defect of verifier: please report it with the claim"
            result.errors.append(VerifierError(fact, place=claim.place, remedy=remedy))
            continue
        judged.problems = [*judged.problems, *_document_problems(claim, present, document)]
        if judged.truth == Truth.UNDECIDED and claim.id not in allow:
            judged.problems.append("UNDECIDED and not allowed by name (--allow-undecided)")
        result.results.append(judged)
    return result


def _only(loaded: Loaded, only: Collection[str]) -> None:
    from difflib import get_close_matches

    known = {c.id: c for c in loaded.claims}
    for name in only:
        if name not in known:
            near = get_close_matches(name, list(known), 1)
            loaded.errors.append(
                VerifierError(
                    f"there is no claim {name}", remedy=f"did you mean {near[0]}?" if near else "see verifier audit"
                )
            )
    if only:
        loaded.claims[:] = [known[n] for n in only if n in known]


def _digests(document: Path | None, result: Audit) -> frozenset[str] | None:
    if document is None:
        return None
    try:
        return digests(read_document(document))
    except VerifierError as error:
        result.errors.append(error)
        return None


def verdict_of(claim: Claim, *, use_cache: bool = True, seconds: float = SECONDS) -> Result:
    """The result of a claim, from an earlier run where nothing changed since.

    Raises:
        VerifierError: the claim itself is wrong, with its place.
    """
    found = cache.read(claim) if use_cache else None
    if found is not None:
        return found
    from .engine import judge

    result = judge(claim, seconds)
    if use_cache and not result.timed_out:  # with more time there may be a verdict
        cache.write(claim, result)
    return result


def _document_problems(claim: Claim, present: frozenset[str] | None, document: Path | None) -> list[str]:
    if present is None:
        return []
    wanted = claim.sentence or (digest(claim.quote) if claim.quote else "")
    if wanted and wanted not in present:
        return [f"STALE: its sentence is not in {document} any more"]
    return []
