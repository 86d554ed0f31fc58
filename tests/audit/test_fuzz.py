"""Whatever stands in a claim file, the loader and the judge answer with verdicts or with errors that carry a remedy."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from verifier.audit.load import Loaded, read_text
from verifier.audit.run import audit, default_claims
from verifier.dims.expression import parse
from verifier.errors import ExpressionError

from .claims import HEADER, VALID, claim_text

SHIPPED = [f.read_text(encoding="utf-8") for f in sorted(default_claims().rglob("*.toml"))]
FRAGMENTS = [
    "[[",
    "]]",
    "{",
    "}",
    '"',
    "'",
    "=",
    "\n",
    "[claim]",
    "[[claim.reading]]",
    "\\",
    "\x00",
    "é",
    "#",
    '"""',
    ".",
    "1e999",
    "true",
    "2020-01-01",
    "id",
]
VALUES = st.one_of(
    st.sampled_from(
        ["1", "true", "1.5", "[]", "{}", "nan", "2020-01-01", '"n m"', '["n"]', "[[1]]", "{ a = {} }", '""']
    ),
    st.text("nmhd_k =<>+-*/()%,0123456789.", max_size=12).map(lambda t: f'"{t}"'),
)
KEYS = [
    *VALID,
    "sizes",
    "given",
    "assume",
    "method",
    "arrays",
    "options",
    "reading",
    "kind",
    "reason",
    "stance",
    "contradicts",
    "section",
]


def read(text: str) -> Loaded:
    found = Loaded()
    read_text(text, "f.toml", found, [], [])
    for error in found.errors:
        assert str(error).startswith("f.toml")
        assert error.remedy
    return found


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(SHIPPED))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 30)))
        text = text[:start] + draw(st.sampled_from(["", *FRAGMENTS])) + text[stop:]
    return text


@given(mutated())
def test_changed_files_are_read_or_told(text: str) -> None:
    read(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_told(text: str) -> None:
    read(text)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4))
@example({"reading": "[[1]]"})
@example({"options": "{ a = {} }", "method": '"domain"'})
def test_any_value_under_any_key_is_read_or_told(changes: dict[str, str]) -> None:
    read(HEADER + claim_text(**changes))


SIZES = st.sampled_from(["n", "m", "h", "d_k", "0", "1", "2", "512", "1.5"])
KERNELS = st.sampled_from(["softmax", "attention_scores", "split_heads", "decode_step", "causal_mask", "n"])
CALLS = st.builds(
    lambda f, k, rest: f"{f}({k}{rest})",
    st.sampled_from(
        [
            "flops",
            "matmul_flops",
            "params",
            "shape",
            "rows",
            "columns",
            "shape_of",
            "rows_of",
            "shape_within",
            "scale",
            "mean",
            "var",
            "rms",
            "sqrt",
            "O",
        ]
    ),
    KERNELS,
    st.sampled_from(["", ", n=m", ", d_k=0", ", scores", ", softmax", ", scale=1", ", n", ", h=(1, 2)", ", m=n - m"]),
)
SIDES = st.recursive(
    SIZES | CALLS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**"]), inner).map(
            lambda t: f"({' '.join(t)})"
        ),
        st.tuples(inner, inner).map(lambda t: f"({t[0]}, {t[1]})"),
        inner.map(lambda t: f"-{t}"),
    ),
    max_leaves=4,
)
RELATIONS = st.tuples(SIDES, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), SIDES).map(" ".join)


@settings(max_examples=150)
@given(
    relation=st.one_of(RELATIONS, CALLS),
    premises=st.lists(st.one_of(RELATIONS, st.sampled_from(["n == m", "zero means", "d_k % h == 0"])), max_size=2),
    method=st.sampled_from(["relation", "domain", "moment_fixed"]),
)
@example(relation="O(n, m) == 1", premises=[], method="relation")
@example(relation="sqrt(-n) == 1", premises=[], method="relation")
@example(relation="n == m", premises=["(n, m) == (1, 2)"], method="relation")
@example(relation="n == n", premises=["n == ((n + m) ** -1)"], method="relation")
@example(relation="n < n // 1.5", premises=[], method="relation")
@example(relation="n == n", premises=["n == n"], method="relation")
@example(relation="shape(attention_scores, d_k=0)", premises=[], method="moment_fixed")
@example(relation="n == mean(softmax)", premises=[], method="moment_fixed")
@example(relation="rows(softmax) == 1", premises=[], method="relation")
@example(relation="shape(split_heads) == (n, m)", premises=[], method="relation")
def test_any_relation_is_judged_or_told(relation: str, premises: list[str], method: str) -> None:
    """No exception of another kind, and no claim that the engine itself calls a defect."""
    changes: dict[str, Any] = {
        "relation": f'"{relation}"',
        "mutants": '["n == n + 1"]',
        "given": str(list(dict.fromkeys(premises))),
        "method": f'"{method}"',
        "options": '{ kernel = "split_heads" }',
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "claims.toml"
        file.write_text(HEADER + claim_text(**changes), encoding="utf-8")
        result = audit([file], use_cache=False)
    for error in result.errors:
        assert "defect" not in str(error)
        assert "report this" not in str(error)
        assert str(error).startswith(str(file))


@given(st.text("n+-*/%()=<>, .0123456789'\"\n#[]{}:@lambdeif_", max_size=40))
def test_any_text_is_an_expression_or_is_refused(text: str) -> None:
    try:
        parse(text)
    except ExpressionError as error:
        assert error.fact
