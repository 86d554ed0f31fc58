"""jaxtyping's axis grammar: what it accepts, and what it makes of each axis, held against jaxtyping itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import Float
from jaxtyping import _array_types as theirs

from verifier.dims import symbol
from verifier.dims.axes import parse_axes, sizes_of
from verifier.errors import ExpressionError

KINDS = {
    "_NamedDim": "named",
    "_FixedDim": "fixed",
    "_SymbolicDim": "expression",
    "_NamedVariadicDim": "variadic",
}


def their_kind(dim):
    if dim is theirs._anonymous_dim:
        return "anonymous"
    if dim is theirs._anonymous_variadic_dim:
        return "variadic"
    return KINDS[type(dim).__name__]


pieces = st.sampled_from(
    ["n", "m", "d_k", "4", "0", "12", "#", "*", "_", "?", "=", "+", "-", "{n}", "(", ")", ",", "..."]
)
words = st.lists(pieces, min_size=1, max_size=5).map("".join)


@given(st.lists(words, min_size=1, max_size=3).map(" ".join))
def test_what_we_accept_jaxtyping_accepts_and_reads_alike(text):
    try:
        ours = parse_axes(text)
    except ExpressionError:
        return
    try:
        annotation = Float[np.ndarray, text]
    except ValueError as error:
        if "more than once" in str(error):  # jaxtyping looks at all axes together, we at each
            return
        pytest.fail(f"jaxtyping refuses {text!r}: {error}")
    assert [a.kind for a in ours] == [their_kind(d) for d in annotation.dims]
    for mine, dim in zip(ours, annotation.dims, strict=True):
        if mine.kind == "fixed":
            assert mine.size == dim.size
        if mine.kind == "named":
            assert mine.name == dim.name
        if mine.kind in ("named", "fixed", "expression"):
            assert mine.broadcastable == dim.broadcastable


DOCUMENTED = [
    "n",
    "4",
    "n m",
    "*batch n",
    "... n",
    "#n m",
    "*#batch",
    "_ n",
    "_name n",
    "rows=4 cols=n",
    "n+1",
    "h*d_k",
]


@pytest.mark.parametrize("text", [*DOCUMENTED, "{n} {m}", "d//{h}", "?n", "", "_", "*_rest", "2*n m-1", "n**2"])
def test_what_jaxtyping_documents_is_read(text):
    assert [a.kind for a in parse_axes(text)] == [their_kind(d) for d in Float[np.ndarray, text].dims]


@pytest.mark.parametrize(
    "text", ["n,m", "*4", "_4", "*n+m", "#_", "##n", "n!", "n.shape", "²", "(n", "n==m", "lambda:0"]
)
def test_what_is_no_axis_is_refused_by_name(text):
    with pytest.raises(ExpressionError, match="is no axis"):
        parse_axes(text)


@given(st.text(max_size=20))
def test_any_text_is_axes_or_an_expression_error(text):
    try:
        parse_axes(text)
    except ExpressionError as error:
        assert error.remedy


def test_sizes_of_axes():
    sizes = {"h": 3, "d_k": 5}
    assert sizes_of(parse_axes("h 4 h*d_k *batch t"), sizes)[:3] == (3, 4, 15)
    assert (sizes_of(parse_axes("h t+1"), {})[1] == symbol("t") + 1) is True


def test_symbols_are_introduced_by_names_alone():
    assert [a.symbols for a in parse_axes("n n*m 3 *b _")] == [("n",), (), (), (), ()]
