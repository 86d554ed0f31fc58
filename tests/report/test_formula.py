import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from verifier.audit.load import load
from verifier.audit.run import default_claims
from verifier.dims import symbol
from verifier.report.formula import NoFormula, read
from verifier.report.mathml import BREAK_AT, formula, shown
from verifier.report.prose import prose
from verifier.terms import as_term


def text_of(markup: str) -> str:
    """What a reader sees, on one line: fractions, roots and powers with signs of their own."""
    tree = ET.fromstring(f"<x>{markup.replace('<wbr>', '')}</x>")
    return " ".join(_text(tree).split())


def _text(node: ET.Element) -> str:
    parts = [_text(child) + (child.tail or "") for child in node]
    match node.tag:
        case "mfrac":
            return f"{{{parts[0]}/{parts[1]}}}"
        case "msqrt":
            return f"√{{{''.join(parts)}}}"
        case "mroot":
            return f"root{{{parts[0]},{parts[1]}}}"
        case "msup":
            return f"{parts[0]}^{parts[1]}"
        case "msub":
            return f"{parts[0]}_{parts[1]}"
        case "msubsup":
            return f"{parts[0]}_{parts[1]}^{parts[2]}"
        case "munder":
            return f"{parts[0]}_{{{parts[1]}}}"
        case _:
            return (node.text or "") + "".join(parts)


@pytest.mark.parametrize(
    ("written", "shows"),
    [
        ("2*h*m*n*d_k + d_k**(-1/2)", "2·h·m·n·d_k+{1/√{d_k}}"),
        ("n**2*d_k - n**2", "n^2·d_k−n^2"),
        ("d_model**2", "d_model^2"),
        ("(h*d_k)**2", "(h·d_k)^2"),
        ("(a + b)*c", "(a+b)·c"),
        ("a - (b - c)", "a−(b−c)"),
        ("a - b - c", "a−b−c"),
        ("-a + b", "−a+b"),
        ("2*(-a)", "2·(−a)"),
        ("-(a + b)", "−(a+b)"),
        ("h*d_k**(-1)", "{h/d_k}"),
        ("d_k**(-2)*n", "{n/d_k^2}"),
        ("x**(1/3)", "root{x,3}"),
        ("(1/2)*n", "{1/2}·n"),
        ("d_model/h", "{d_model/h}"),
        ("d_model // h", "⌊{d_model/h}⌋"),
        ("d_model % h == 0", "d_modelmodh=0"),
        ("a != b", "a≠b"),
        ("a <= b", "a≤b"),
        ("sqrt(d_k)", "√{d_k}"),
        ("exp(x)", "e^x"),
        ("O(flops(f), n**2)", "flops(f)∈O(n^2)"),
        ("O(n²·d_k)", "O(n^2·d_k)"),
        ("sum[i₁<d_k](K[o₂, i₁]*Q[o₁, i₁])", "∑_{i_1<d_k}K[o_2,i_1]·Q[o_1,i_1]"),
        ("sum[i<n](a + b)", "∑_{i<n}(a+b)"),
        ("max[j<m](s[j])", "max_{j<m}s[j]"),
        ("[i <= j]", "[i≤j]"),
        ("(n, m) == (1, 2)", "(n,m)=(1,2)"),
        ("W_Q[h, i, k]", "W_Q[h,i,k]"),
        ("flops(multi_head_attention, h=1)", "flops( multi_head_attention, h=1)"),
        ("α*β₂", "α·β_2"),
    ],
)
def test_a_formula_shows_what_it_says(written: str, shows: str) -> None:
    assert text_of(formula(written)).replace(" ", "") == shows.replace(" ", "")


@pytest.mark.parametrize("text", ["", "f(x", "a b", "a +", "2 apples", "<script>", "a ** ", "é;", "1 2", "x[1", "a==="])
def test_what_is_no_formula_stays_the_text_that_it_was(text: str) -> None:
    with pytest.raises(NoFormula):
        read(text)
    assert text_of(formula(text)) == " ".join(text.split())
    assert formula(text).startswith("<code>")


def test_every_relation_of_the_claims_is_mathematics() -> None:
    relations = [r.relation for c in load([default_claims()]).claims for r in c.readings]
    assert len(relations) > 100
    for relation in relations:
        assert "<math>" in formula(relation), relation


def test_what_the_normal_forms_print_is_mathematics() -> None:
    n, d_k = symbol("n"), symbol("d_k")
    for value in (2 * n * d_k + n // d_k, as_term(d_k) ** -0.5 * n, as_term(n + d_k) ** 0.5):
        assert "<math>" in formula(str(value)), value


def test_a_long_formula_is_cut_into_pieces_that_fit_a_phone() -> None:
    one = "scaled_dot_product_attention(x_{0}, y_{0})*sum[i₁<d_k](K[o₂, i₁])/(a_{0} + b)"
    text = " + ".join(one.format(i) for i in range(9))
    markup = formula(text)
    pieces = re.findall(r"<math>.*?</math>", markup)
    assert len(pieces) > 9
    assert max(len(text_of(p)) for p in pieces) <= 2 * BREAK_AT
    assert text_of(markup).count("scaled_dot_product_attention") == 9


def test_a_deep_or_endless_text_is_no_formula_and_ends() -> None:
    for text in ("(" * 5_000, "-" * 5_000 + "x", "x**" * 5_000 + "x", "1/" * 5_000 + "1", "f(" * 9_000):
        assert formula(text) == f"<code>{text.replace('<', '&lt;')}</code>"
    for text in ("( " * 9_000, "[ 1, " * 3_000, "f(1, " * 3_000, "a + " * 5_000, "n * " * 5_000):
        assert text_of(prose(text)) == text.strip() or "<math>" in prose(text)


@pytest.mark.parametrize(
    ("sentence", "formulas"),
    [
        ("The root of d_k, not d_k.", ["d_k,", "d_k."]),
        ("a cost of 2·n·d_k (exactly)", ["2·n·d_k"]),
        ("use d_k*h = d_model  (h*d_k == d_model), times 2*n", ["d_k·h=d_model", "h·d_k=d_model),", "2·n"]),
        ("element [o₁, o₂] of f(x, W)", ["[o_1,o_2]", "f(x,W)"]),
        ("a half-empty, well-known and/or full x", []),
        ("I and a token have 512 channels", []),
        ("split into h parts", ["h"]),
        ("the left-over (see D4)", []),
    ],
)
def test_only_the_formulas_of_a_sentence_are_mathematics(sentence: str, formulas: list[str]) -> None:
    markup = prose(sentence)
    tree = ET.fromstring(f"<x>{markup.replace('<wbr>', '')}</x>")
    assert [_text(e) for e in tree.findall("span[@class='formula']")] == formulas
    assert markup.replace("\N{WORD JOINER}", "").count("<math>") >= len(formulas)


def test_a_sentence_loses_nothing() -> None:
    sentence = "The cost d_k, h; m (n·d_k) <b>bold</b> & n."
    assert text_of(prose(sentence)) == sentence


def test_pieces_keep_the_punctuation_that_follows() -> None:
    assert shown(read("n"), ",").endswith(",</span></span>")


def test_the_style_sheet_knows_the_classes() -> None:
    css = (Path(__file__).parents[2] / "verifier/report/page/page.css").read_text(encoding="utf-8")
    for name in (".formula", ".kept", "mi.word"):
        assert name in css
