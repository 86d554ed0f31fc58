from pathlib import Path

from verifier.audit.load import load
from verifier.audit.run import audit
from verifier.verdict import Truth

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def test_every_example_has_the_verdict_that_is_pinned() -> None:
    result = audit([EXAMPLES], use_cache=False)
    assert [str(e) for e in result.errors] == []
    assert {r.id: r.problems for r in result.results if r.problems} == {}
    assert {"PROVED", "PROVED_IF", "REFUTED", "NOT_A_CLAIM"} <= set(result.summary)


def test_every_wrong_example_says_that_it_is_wrong() -> None:
    for claim in load([EXAMPLES]).claims:
        lines = Path(claim.place.file).read_text(encoding="utf-8").splitlines()
        assert claim.place.line is not None
        before = lines[claim.place.line - 2]
        assert before.startswith("# WRONG") == (claim.expect is Truth.REFUTED), claim.id
