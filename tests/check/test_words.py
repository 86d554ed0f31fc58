"""Findings are in the words of the code that they are about, and every refusal names a way on."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from verifier.check import pool, saying
from verifier.check.causes import join
from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Finding, Report, Step
from verifier.check.fixes import fix_of
from verifier.check.judge import judge
from verifier.check.loading import forget
from verifier.check.pool import Checked, Options, check
from verifier.check.reached import chain_text, function_at
from verifier.check.saying import Words, sizes_in, under_names
from verifier.dims import symbol
from verifier.errors import VerifierError
from verifier.frontends.remedies import OTHERWISE, REMEDIES, remedy_for
from verifier.frontends.spelling import TORCH, spelled
from verifier.graph.node import Obligation, ShapeMismatch
from verifier.report.check_json import github_of
from verifier.report.check_text import text_of

Told = Callable[..., Report]
H, G = symbol("self.h"), symbol("self.g")


def found(**changes: object) -> Finding:
    return replace(Finding("ATT002", "error", "a", "model.py", 3), **changes)  # type: ignore[arg-type]


# -- sizes ------------------------------------------------------------------------------------


def test_a_premise_shortens_the_sizes_of_a_message() -> None:
    words = Words([(H, G)])
    assert words.text("[b, (self.h // self.g)*self.g, n] against n") == "[b, self.h, n] against n"
    assert words.text("axis 1 is d - (d // 2), annotated d") == "axis 1 is (d + 1) // 2, annotated d"
    assert words.text("scale by sqrt(d // 2), (d // 2) and p[d // 2]") == "scale by sqrt(d // 2), d // 2 and p[d // 2]"
    assert words.text("see https://example.org: x // ") == "see https://example.org: x // "


def test_the_order_of_an_axis_stays_as_it_is() -> None:
    finding = found(code="ATT032", message="(self.h/self.g)*self.g meets (self.h // self.g)*self.g, whose copies")
    assert Words([(H, G)]).said(finding).message == "self.h meets (self.h // self.g)*self.g, whose copies"


def test_an_expression_in_a_text_ends_where_the_prose_begins() -> None:
    text = "index 2*(n // 2) + 1 into axis 0 of size (a + b) // 2, f(x) and -n"
    assert [text[a:b] for a, b in sizes_in(text) if any(c in text[a:b] for c in "+*/")] == [
        "2*(n // 2) + 1",
        "(a + b) // 2",
    ]


def test_a_number_that_stood_for_a_size_gets_its_name() -> None:
    first, second = found(message="over 2 of [b, 2, 2*d]: axis 2"), found(message="over 3 of [b, 3, 2*d]: axis 2")
    named = under_names(first, {"heads": 2, "k": 5}, second, {"heads": 3, "k": 5})
    assert named.message == "over heads of [b, heads, 2*d]: axis 2"
    both = under_names(first, {"heads": 2, "k": 2}, second, {"heads": 3, "k": 3})
    assert both.message == first.message  # nothing tells which of the two it is
    assert under_names(first, {"heads": 2}, found(message="other text"), {"heads": 3}).message == first.message


def test_a_size_that_had_to_be_a_number_is_told_by_its_name(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n d"], heads: int) -> Float[np.ndarray, "n {heads} d"]:
            parts = [str(i) for i in range(heads)]
            names = {p: 1 for p in parts}
            return np.stack([x.T for _ in names], axis=1)
        """
    )
    assert report.verdict == "REFUTED"
    (finding,) = report.findings
    assert "heads" in finding.message or "heads" in finding.fix or "[d, heads, n]" in str(finding.arrays), finding


# -- names ------------------------------------------------------------------------------------


def test_pytorch_has_its_own_names_for_operations() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")
    text = "np.where(condition, x, y): (np.repeat), numpy.take along axis=-1, keepdims=True; x.swapaxes(0, 1)"
    assert spelled(text, "PyTorch") == (
        "torch.where(condition, x, y): (torch.repeat_interleave), torch.take along dim=-1, keepdim=True; x.transpose(0, 1)"
    )
    assert spelled(text, "numpy") == text


def test_jax_has_its_own_names_for_operations() -> None:
    pytest.importorskip("jax.numpy", reason="JAX is not installed: pip install 'mha-verifier[jax]'")
    assert spelled("np.where(c, x, y) or np.repeat, np.noSuch", "jax") == "jnp.where(c, x, y) or jnp.repeat, np.noSuch"


def test_every_name_is_one_that_pytorch_has() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")
    homes = {"torch": torch, "F": torch.nn.functional}
    for name in TORCH.values():
        home, _, last = name.partition(".")
        assert callable(getattr(homes[home], last)), name


def test_a_line_that_calls_numpy_is_told_in_numpys_names(tmp_path: Path) -> None:
    file = tmp_path / "mixed.py"
    file.write_text("y = np.where(a, b, c)\n")
    finding = found(file=str(file), line=1, message="np.where(condition, x, y)")
    assert saying.in_framework(finding, "PyTorch").message == "np.where(condition, x, y)"


# -- one cause --------------------------------------------------------------------------------


def report_of(name: str, *findings: Finding, verdict: str = "REFUTED") -> Report:
    return Report(name, "model.py", 1, verdict, findings=list(findings))


def test_a_cause_is_told_where_it_is_nearest() -> None:
    outer = report_of("Block.forward", found(via=[Step("Block.forward", "model.py", 9, "self.attention")]))
    inner, other = report_of("Attention.forward", found()), report_of("other", found(line=4))
    join([outer, inner, other])
    (mine,), (repeated,) = inner.findings, outer.findings
    assert mine.repeats is None and mine.also == [Step("Block.forward", "model.py", 9, "self.attention")]
    assert repeated.repeats == Step("Attention.forward", "model.py", 3)
    assert outer.reason == "by ATT002 in Attention.forward, line 3" and not inner.reason and not other.reason
    outer.findings.append(found(line=20))
    outer.reason = ""
    join([outer])
    assert outer.reason.startswith("also by ATT002")


def test_a_requirement_is_one_whatever_path_leads_to_its_sizes() -> None:
    first = found(code="ATT020", severity="warning", fix="# verifier: given self.h % self.g == 0")
    far = replace(first, fix=first.fix.replace("self.", "self.config."), via=[Step("f", "model.py", 8)])
    other = replace(first, fix="# verifier: given self.h >= 2", via=[Step("f", "model.py", 8)])
    reports = [report_of("g", first, verdict="PROVED_IF"), report_of("f", far, other, verdict="PROVED_IF")]
    join(reports)
    assert far.repeats is not None and other.repeats is None
    text = text_of(Checked(reports))
    assert text.count("ATT020") == 2 and "also         reached from f (line 8)" in text


def test_a_finding_whose_home_is_not_shown_is_shown_itself() -> None:
    outer = report_of("Block.forward", found(via=[Step("Block.forward", "model.py", 9)]))
    join([outer, report_of("Attention.forward", found())])
    assert "ATT002" in text_of(Checked([outer]))


def test_two_findings_of_one_severity_do_not_hide_a_worse_one() -> None:
    remark = report_of("inner", found(severity="info"), verdict="UNSUPPORTED")
    error = report_of("outer", found(via=[Step("outer", "model.py", 9)]))
    join([remark, error])
    assert error.findings[0].repeats is None


CALLS = """
class Model:
    def forward(self, x):
        for name, block in self.blocks.items():
            x = block(x)
        for block, gate in zip(self.blocks, self.gates):
            x = gate(block(x))
        first = self.layers[0]
        x = first(x)
        return [layer(x) for layer in reversed(self.layers)], self.norm(x), helper(x)

def helper(x):
    return x
"""


def test_a_short_name_is_told_by_what_it_stands_for(tmp_path: Path) -> None:
    from verifier.check import reached

    file = tmp_path / "calls.py"
    file.write_text(CALLS)
    called = [reached._callee(c.func, str(file)) for c in reached._calls(str(file)).values()]
    for name in ("self.blocks[i]", "self.gates[i]", "self.layers[0]", "self.layers[i]", "self.norm", "helper"):
        assert name in called, called
    assert function_at(str(file), 5) == "Model.forward" and function_at(str(file), 13) == "helper"
    steps = [Step("Model.forward", str(file), 10, "helper")]
    assert chain_text(steps, "helper") == "Model.forward line 10 -> helper"


def test_what_only_follows_from_a_wrong_line_is_not_told(told: Told) -> None:
    report = told(
        """
        def f(s: Float[np.ndarray, "b h"], m: Float[np.ndarray, "n"], w: Float[np.ndarray, "b h"]) -> Float[np.ndarray, "_ _"]:
            t = s + m
            return t.reshape(w.shape) + w
        """
    )
    (finding,) = report.findings
    assert finding.code == "ATT003" and "t = s + m" in Path(finding.file).read_text().splitlines()[finding.line - 1]


def test_a_second_mistake_of_its_own_is_told_too(told: Told) -> None:
    report = told(
        """
        def f(s: Float[np.ndarray, "b h"], m: Float[np.ndarray, "n"], w: Float[np.ndarray, "k"]) -> Float[np.ndarray, "_ _"]:
            t = s + m
            u = w.reshape(2, 3)
            return t
        """
    )
    assert len(report.findings) == 2, report.findings


def test_a_requirement_is_told_beside_a_mistake_further_down(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n d"], w: Float[np.ndarray, "m k"], h: int) -> Float[np.ndarray, "_ _"]:
            y = x.reshape(x.shape[0], h, x.shape[1] // h)
            return y.reshape(x.shape) @ w
        """
    )
    assert report.verdict == "REFUTED"
    asked, mistake = report.findings
    assert asked.code == "ATT020" and asked.message.startswith("needs d % h == 0, which nothing declares")
    assert mistake.code == "ATT002" and mistake.why == "where d != m"


# -- remedies ---------------------------------------------------------------------------------


def test_a_join_that_only_needs_an_even_size_asks_for_it() -> None:
    d = symbol("d")
    error = ShapeMismatch(Obligation(d == 2 * (d // 2), "concatenating along axis 0, axis 1 must agree"))
    assert fix_of("ATT005", error, ["x: [n, d]", "y: [n, 2*(d // 2)]"]).startswith("# verifier: given d % 2 == 0")
    other = ShapeMismatch(Obligation(d == symbol("k"), "concatenating along axis 0, axis 1 must agree"))
    assert fix_of("ATT005", other, ["x: [n, d]", "y: [n, k]"]) == "join along axis 1, the only one that differs"


def test_a_ceiling_is_not_more_by_a_number(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n half"]) -> Float[np.ndarray, "n half"]:
            return x * x[:, ::2]
        """
    )
    assert "make half and (half + 1) // 2 agree" in report.findings[0].fix, report.findings


@pytest.mark.parametrize(
    ("source", "fact"),
    [
        ('def f(x: Float[np.ndarray, "h d"]) -> Float[np.ndarray, "h**d"]:\n    return x[:, 0]', "'h**d' is an axis that is not followed"),
        ('def f(x: Float[np.ndarray, "h**d d"]) -> Float[np.ndarray, "d"]:\n    return x[0]', "'h**d' is an axis that is not followed"),
    ],
)  # fmt: skip
def test_an_axis_without_a_normal_form_is_no_mistake(told: Told, source: str, fact: str) -> None:
    report = told(source)
    assert report.verdict == "UNSUPPORTED" and report.reason.startswith(fact)
    assert "fix  give the axis one name" in text_of(Checked([report]))


def test_a_slice_at_a_random_place_is_no_error_of_ours(told: Told) -> None:
    report = told(
        """
        def f(x: Float[np.ndarray, "n d"], rng: np.random.Generator) -> Float[np.ndarray, "_ d"]:
            return x[rng.integers(0, 2):]
        """
    )
    assert report.verdict == "TESTED" and "a place in an array that only values decide" in report.reason
    assert "Term" not in text_of(Checked([report]), verbose=True)


def test_every_refusal_names_a_way_on() -> None:
    assert remedy_for("numpy.no_such_thing") == OTHERWISE
    assert remedy_for("a branch on the values of an array").startswith("choose by np.where")
    assert remedy_for("Tensor.numpy") != OTHERWISE and remedy_for("logsumexp with return_sign") != OTHERWISE
    assert all(pattern and remedy for pattern, remedy in REMEDIES)


@pytest.mark.parametrize(
    "body",
    ["x[x > 0][0] if x[0, 0] > 0 else x", "np.array(list(map(float, x[0])))", "np.unique(x, return_counts=True)"],
)
def test_what_cannot_be_run_is_told_with_a_remedy(told: Told, body: str) -> None:
    report = told(f'def f(x: Float[np.ndarray, "n d"], y: object) -> Float[np.ndarray, "n"]:\n    return {body}')
    if report.verdict == "UNSUPPORTED":
        assert "  fix  " in text_of(Checked([report]))


def test_a_module_that_is_not_there_has_no_line() -> None:
    (unread,) = (checked := check([Target(None, "no_such_module")], Options())).unread
    assert unread.line == 0 and unread.place == "no_such_module"
    assert text_of(checked).startswith("no_such_module: does not import: ModuleNotFoundError")
    assert "fix  install no_such_module" in text_of(checked)
    assert github_of(checked).startswith("::error::no_such_module: does not import")


def test_a_file_that_does_not_import_has_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import math\nimport no_such_module\n")
    with pytest.raises(VerifierError) as caught:
        subjects_of(Target(file))
    assert caught.value.place is not None and caught.value.place.line == 2


# -- the time for imports ---------------------------------------------------------------------

SLOW = "import time\ntime.sleep(30)\nfrom jaxtyping import Float\n"


def test_a_project_says_how_long_imports_may_take(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(SLOW)
    (unread,) = check([Target(file)], Options(timeout=20, import_timeout=1)).unread
    assert unread.fact == "took longer than 1 s while it was imported" and unread.line == 0
    assert "import_timeout under [tool.verifier]" in unread.fix


def test_the_time_for_imports_is_a_setting(tmp_path: Path) -> None:
    from verifier.check.settings import settings_near

    (tmp_path / "pyproject.toml").write_text("[tool.verifier]\nimport_timeout = 300\n")
    assert settings_near(tmp_path).import_timeout == 300
    assert Options().for_imports == pool.IMPORTING and Options(timeout=500).for_imports == 500
    assert Options(timeout=500, import_timeout=7).for_imports == 7


# -- parameters -------------------------------------------------------------------------------

TWO = """
import torch
from torch import nn
from jaxtyping import Float


class Norm(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d))

    def forward(self, x: Float[torch.Tensor, "b n d"]) -> Float[torch.Tensor, "b n d"]:
        return x / x.pow(2).mean(1, keepdim=True).sqrt() * self.gain


class Two(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.norms = nn.ModuleList([Norm(d), Norm(d)])

    def forward(self, x: Float[torch.Tensor, "b n d"]) -> Float[torch.Tensor, "b n d"]:
        for norm in self.norms:
            x = norm(x)
        return x
"""


def test_a_parameter_is_told_by_its_path(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")
    file = tmp_path / "two.py"
    file.write_text(textwrap.dedent(TWO))
    forget()
    norm, two = (judge(s) for s in subjects_of(Target(file)))
    forget()
    assert "and self.gain scales or shifts them" in norm.findings[0].message
    assert "and self.norms.0.gain scales or shifts them" in two.findings[0].message
    assert [(s.function, s.call) for s in two.findings[0].via] == [("Two.forward", "self.norms[i]")]
