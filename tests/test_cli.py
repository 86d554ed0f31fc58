"""The command line's contract: exit statuses, the JSON of DESIGN's output contract, the text that people read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from verifier import __version__
from verifier.cli import app
from verifier.verdict import Agreement, Stance, Truth

from .audit.claims import HEADER, claim_text

CLAIM_KEYS: dict[str, Any] = {
    "id": str,
    "section": str,
    "item": str,
    "statement": str,
    "stance": str,
    "truth": str,
    "agreement": str,
    "method": str,
    "assumptions": list,
    "witness": (dict, type(None)),
    "certificate": (dict, type(None)),
    "mutants": dict,
    "seconds": (int, float),
}
"""The keys of the output contract; a report may have more."""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    path = tmp_path / "claims.toml"
    path.write_text(
        HEADER
        + claim_text()
        + claim_text(id='"B"', statement='"[red]x[/red] has shape [n, m]"', stance='"rejects"')
        + claim_text(
            id='"C"',
            relation='"shape(attention_scores) == (n, n)"',
            assume='["m == n"]',
            expect='"PROVED_IF"',
            mutants='["shape(attention_scores) == (n, d_k)"]',
        ),
        encoding="utf-8",
    )
    return path


def test_json_follows_the_contract(claims: Path) -> None:
    result = run("audit", str(claims), "--format", "json")
    data = json.loads(result.stdout)
    assert result.exit_code == 0
    assert data.keys() >= {"document", "claims", "summary"}
    assert data["document"] == {"title": "t", "sections": ["s"]}
    assert data["summary"] == {"PROVED": 2, "PROVED_IF": 1}
    for claim in data["claims"]:
        for key, kind in CLAIM_KEYS.items():
            assert isinstance(claim[key], kind), key
        assert claim["truth"] in list(Truth)
        assert claim["stance"] in list(Stance)
        assert claim["agreement"] in list(Agreement)
        assert claim["mutants"].keys() == {"made", "killed"}
    assert [c["agreement"] for c in data["claims"]] == ["AGREES", "CONTRADICTS", "OVERSTATES"]
    assert data["claims"][2]["assumptions"] == ["m == n"]
    assert data["claims"][2]["witness"]["sizes"] == {"n": 1, "m": 2}


GOLDEN = """\
t
3 statements: 2 proved for every size, 1 true only under a condition
The document is wrong (1): B
The document overstates (1): C

s
id statement, and what it needs or fails at truth page method
A n is n PROVED agrees relation
B [red]x[/red] has shape [n, m] PROVED contradicts relation
C n is n PROVED_IF overstates relation
needs m == n: otherwise n = 1, m = 2 ([1, 2] against [1, 1])
"""


def lines(text: str) -> list[str]:
    """The lines without rules and padding."""
    folded = (" ".join(line.split()) for line in text.splitlines())
    return [line for line in folded if not set(line) <= set("─")] if text else []


def test_text_report_is_golden(claims: Path) -> None:
    result = run("audit", str(claims))
    assert lines(result.stdout) == [line for line in GOLDEN.splitlines() if line]
    assert max(map(len, result.stdout.splitlines())) <= 120


def test_text_is_the_same_from_the_cache(claims: Path) -> None:
    assert run("audit", str(claims)).stdout == run("audit", str(claims)).stdout


EXPLAINED = [
    "C s",
    "n is n",
    "PROVED_IF",
    "the document asserts it: OVERSTATES",
    "Premises",
    "m == n",
    "Each condition is needed",
    "without m == n: n = 1, m = 2 ([1, 2] against [1, 1])",
    "What would refute it",
]


def test_explain_shows_one_claim_whole(claims: Path) -> None:
    shown = lines(run("audit", str(claims), "--explain", "C").stdout)
    assert [line for line in EXPLAINED if line not in shown] == []
    assert not any("[red]" in line for line in shown)
    assert any("certificate" in line for line in shown)


def test_explain_of_an_unknown_claim(claims: Path) -> None:
    result = run("audit", str(claims), "--explain", "Z")
    assert result.exit_code == 2
    assert "there is no claim Z" in result.output


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, 0),
        ({"expect": '"REFUTED"'}, 1),
        ({"mutants": '["n == n"]'}, 1),
        ({"relation": '"n**3 + m**3 != h**3"', "mutants": '["n == m"]', "expect": '"UNDECIDED"'}, 1),
        ({"relation": '"x == n"'}, 2),
        ({"expect": '"NOT_ENCODED"'}, 0),
    ],
)
def test_exit_status(changes: dict[str, str], status: int, tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    path.write_text(HEADER + claim_text(**changes), encoding="utf-8")
    assert run("audit", str(path)).exit_code == status


def test_undecided_can_be_allowed_by_name(tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    changes = {"relation": '"n**3 + m**3 != h**3"', "mutants": '["n == m"]', "expect": '"UNDECIDED"'}
    path.write_text(HEADER + claim_text(**changes), encoding="utf-8")
    assert run("audit", str(path), "--allow-undecided", "A").exit_code == 0
    assert run("audit", str(path), "--allow-undecided", "B").exit_code == 1


def test_not_encoded_is_counted_and_no_success(tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    path.write_text(HEADER + claim_text(expect='"NOT_ENCODED"'), encoding="utf-8")
    assert "1 statements: 1 not yet encoded" in run("audit", str(path)).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit", "absent.toml"),
        ("audit", "--document", "absent.txt"),
        ("audit", "--format", "yaml"),
        ("audit", "--nonsense"),
        ("kernels", "nope"),
        ("kernels", "softmax", "--at", "m"),
        ("sentences", "absent.txt"),
        ("recheck", "absent.json"),
        ("nonsense",),
    ],
)
def test_wrong_use_ends_with_2_and_no_traceback(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output


def test_version() -> None:
    assert run("--version").stdout.strip() == f"verifier {__version__}"


def test_kernels_are_listed() -> None:
    listed = {entry["name"] for entry in json.loads(run("kernels", "--format", "json").stdout)}
    assert {"multi_head_attention", "softmax", "decode_step"} <= listed
    assert "multi_head_attention" in run("kernels").stdout


def test_kernel_page_keeps_its_brackets() -> None:
    shown = lines(run("kernels", "multi_head_attention").stdout)
    assert "x [n, d_model]" in shown
    assert "W_O [h*d_v, d_model] learned" in shown
    assert any(line.startswith("contraction [h, n, m] 2*h*m*n*d_k attention_scores.py:") for line in shown)
    assert "returns [n, d_model]" in shown


def test_kernel_page_at_sizes() -> None:
    at = "n=10,m=10,h=8,d_model=512,d_k=64,d_v=64"
    page = json.loads(run("kernels", "multi_head_attention", "--at", at, "--format", "json").stdout)
    projections = 4 * 2 * 10 * 512 * 512
    scores_and_weighting = 2 * 8 * 2 * 10 * 10 * 64
    assert page["flops"]["matrix products"] == projections + scores_and_weighting
    assert page["parameters"] == dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), 512 * 512)
    assert page["outputs"] == [[10, 512]]
    assert page["nodes"][0]["line"] > 0


MISTAKES = {
    ("softmx",): "error: there is no kernel 'softmx'\n    fix  did you mean softmax?\n",
    ("softmax", "--at", "n=3"): "error: softmax has no size 'n'\n    fix  sizes: m\n",
    ("attention_scores", "--at", "d_q=3"): "error: attention_scores has no size 'd_q'\n    fix  did you mean d_k?\n",
    ("softmax", "--at", "m=0"): "error: m = 0: a size is at least 1\n    fix  m=1 or more\n",
    ("softmax", "--at", "m=-1"): "error: 'm=-1' is no size\n    fix  write --at n=10,h=8\n",
    ("softmax", "--at", "m=²"): "error: 'm=²' is no size\n    fix  write --at n=10,h=8\n",
    ("softmax", "--at", "m=" + "9" * 5000): "error: 'm=" + "9" * 5000 + "' is no size\n    fix  write --at n=10,h=8\n",
    ("softmax", "--at", "m=3,m=4"): "error: m is given twice\n    fix  write each size once\n",
    ("split_heads", "--at", "n=2,h=3,d_model=8"): (
        "error: split_heads does not work at these sizes\n    fix  it needs d_model % h == 0\n"
    ),
}


@pytest.mark.parametrize("arguments", MISTAKES)
def test_wrong_kernels_and_sizes(arguments: tuple[str, ...]) -> None:
    result = run("kernels", *arguments)
    assert result.output == MISTAKES[arguments]
    assert result.exit_code == 2


def test_huge_sizes_are_exact() -> None:
    page = json.loads(run("kernels", "softmax", "--at", f"m={10**30}", "--format", "json").stdout)
    assert page["outputs"] == [[10**30]]
    assert page["flops"]["total"] == 5 * 10**30


def test_sentences_are_hashed(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("One. Two: three!", encoding="utf-8")
    shown = [line.split("  ") for line in run("sentences", str(path)).stdout.splitlines()]
    assert [text for _, text in shown] == ["one", "two", "three"]
    assert all(len(digest) == 16 for digest, _ in shown)


def test_a_report_of_the_shipped_claims_is_rechecked(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(run("audit", "--format", "json").stdout, encoding="utf-8")
    result = run("recheck", str(path))
    assert result.exit_code == 0, result.output
    assert result.output.endswith(" checks, 0 failed\n")


def test_a_cached_audit_loads_neither_numpy_nor_sympy(claims: Path) -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from verifier.cli import app; "
        f"CliRunner().invoke(app, ['audit', {str(claims)!r}]); "
        "print(sorted({'numpy', 'sympy', 'beartype'} & sys.modules.keys()))"
    )
    for expected in ("['beartype', 'numpy', 'sympy']", "[]"):
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert found.stdout.strip() == expected
