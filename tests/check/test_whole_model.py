"""A whole annotated model, and bugs planted in it one at a time: one finding each, at the line, with a remedy that fits."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

from tests.sarif import valid_sarif
from verifier.check.causes import join
from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Finding, Report
from verifier.check.judge import judge
from verifier.check.loading import forget
from verifier.check.pool import Checked
from verifier.report.check_json import data_of, github_of
from verifier.report.check_sarif import sarif_of
from verifier.report.check_text import text_of

SOURCE = (Path(__file__).parents[1] / "data" / "gpt_model.py").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Bug:
    """A text of the model, what stands there instead, and what is to be told of it."""

    right: str
    wrong: str
    code: str
    line: str
    """What stands on the line of the finding."""
    home: str
    """The function that tells it."""
    fix: str
    message: str = ""
    also: tuple[str, ...] = ("Block.forward", "GPT.forward", "GPT.loss")


BUGS = {
    "softmax over the heads": Bug(
        "F.softmax(scores, dim=-1)\n        out = (weights @ v).t", "F.softmax(scores, dim=1)\n        out = (weights @ v).t",
        "ATT033", "out = (weights @ v).transpose", "Attention.forward", "normalise over n, the axis that is summed over: dim=-1",
        "the weights are normalised over self.h (line ",
    ),
    "keys not transposed": Bug(
        "q @ k.transpose(-2, -1) / d_k**0.5\n        mask", "q @ k / d_k**0.5\n        mask",
        "ATT002", "scores = q @ k", "Attention.forward", "transpose the right one: k.transpose(-1, -2)",
        "axis 3 of [b, self.h, n, 2*self.half] against axis 2 of [b, self.h, n, 2*self.half]",
    ),
    "a view after a transpose": Bug(
        "transpose(1, 2).reshape(b, n, self.h * d_k)", "transpose(1, 2).view(b, n, self.h * d_k)",
        "ATT012", "out = (weights @ v)", "Attention.forward", "reshape(...) in place of view(...)", "RuntimeError: view size",
    ),
    "heads not put back": Bug(
        "(weights @ v).transpose(1, 2).reshape", "(weights @ v).reshape",
        "ATT030", "out = (weights @ v).reshape(b, n,", "Attention.forward", "transpose first, so that n keeps its place",
        "reshaping [b self.h n 2*self.half] to",
    ),
    "tiled keys": Bug(
        "k = k.repeat_interleave(self.h // self.g, dim=1)", "k = k.repeat(1, self.h // self.g, 1, 1)",
        "ATT032", "scores = q @ k", "Attention.forward", "repeat each one in place (torch.repeat_interleave), not the whole",
        "self.h meets (self.h // self.g)*self.g, whose copies come first",
    ),
    "a cache joined along the heads": Bug(
        "torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)",
        "torch.cat([cache_k, k], dim=1), torch.cat([cache_v, v], dim=1)",
        "ATT005", "torch.cat([cache_k, k]", "Attention.decode", "join along axis 2", also=(),
    ),
    "a mask upside down": Bug(
        "torch.tril(torch.ones", "torch.triu(torch.ones",
        "ATT037", "scores.masked_fill(~mask", "Attention.forward", "keep what is up to the diagonal: tril(...)",
    ),
    "normalised over the tokens": Bug(
        "mean(dim=-1, keepdim=True)", "mean(dim=1, keepdim=True)",
        "ATT033", "torch.rsqrt(variance", "RMSNorm.forward", "normalise along d_model", "and self.weight scales or shifts them",
    ),
    "features exchanged": Bug(
        "self.down = nn.Linear(d_ff, d_model, bias=False)", "self.down = nn.Linear(d_model, d_ff, bias=False)",
        "ATT002", "self.down(F.silu", "SwiGLU.forward",
        "give the layer an input of d_model features, or make it Linear(self.d_ff, d_model)",
    ),
    "values not repeated": Bug(
        "        v = v.repeat_interleave(self.h // self.g, dim=1)\n", "",
        "ATT003", "out = (weights @ v)", "Attention.forward", "make self.h and self.g agree",
    ),
    "a mask along the heads": Bug(
        'scores.masked_fill(~mask, float("-inf"))', 'torch.where(mask[:, :, None], scores, float("-inf"))',
        "ATT003", "torch.where(mask", "Attention.forward", "make n and self.h agree", "torch.where(condition, x, y): axis -3 of",
    ),
    "an untransposed head": Bug(
        "self.head(self.norm(x))", "self.norm(x) @ self.head.weight",
        "ATT002", "self.norm(x) @ self.head.weight", "GPT.forward", "transpose the right one", also=("GPT.loss",),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("model")


Checking = Callable[[str], Checked]


@pytest.fixture(scope="module")
def checked(folder: Path) -> Checking:
    @cache
    def check(name: str) -> Checked:
        source = SOURCE
        if name:
            bug = BUGS[name]
            assert source.count(bug.right) == 1, name
            source = source.replace(bug.right, bug.wrong)
        file = folder / f"{name.replace(' ', '_') or 'right'}.py"
        file.write_text(source, encoding="utf-8")
        forget()
        reports = [judge(s) for s in subjects_of(Target(file))]
        forget()
        join(reports)
        return Checked(reports)

    return check


def told_once(checked: Checked) -> list[tuple[Report, Finding]]:
    return [(r, f) for r in checked.reports for f in r.findings if f.repeats is None and f.severity != "info"]


def test_the_model_is_right(checked: Checking) -> None:
    assert {r.verdict for r in checked("").reports} == {"PROVED"} and not told_once(checked(""))


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_one_finding_in_the_innermost_function(checked: Checking, name: str) -> None:
    bug, reports = BUGS[name], checked(name)
    ((report, finding),) = told_once(reports)
    line = Path(finding.file).read_text(encoding="utf-8").splitlines()[finding.line - 1]
    assert finding.code == bug.code and bug.line in line and report.name == bug.home
    assert finding.fix.startswith(bug.fix) and bug.message in finding.message, finding
    assert tuple(s.function for s in finding.also) == bug.also
    texts = (finding.message, finding.why, finding.fix, *finding.arrays)
    assert not any(word in t for t in texts for word in ("np.", "parameter_", "axis=", "//") if bug.code != "ATT032")


@pytest.mark.parametrize("name", ["keys not transposed", "normalised over the tokens"])
def test_who_calls_it_stays_refuted_and_says_by_what(checked: Checking, name: str) -> None:
    bug = BUGS[name]
    refuted = {r.name: r.reason for r in checked(name).reports if r.verdict == "REFUTED"}
    assert set(refuted) == {bug.home, *bug.also} and refuted[bug.home] == ""
    for caller in bug.also:
        assert refuted[caller].startswith(f"by {bug.code} in {bug.home}, line ")


def test_the_way_to_a_line_is_told(checked: Checking) -> None:
    report = next(r for r in checked("normalised over the tokens").reports if r.name == "GPT.forward")
    (finding,) = report.findings
    assert [(s.function, s.call) for s in finding.via] == [
        ("GPT.forward", "self.blocks[i]"),
        ("Block.forward", "self.norm1"),
    ]
    text = text_of(Checked([report]))
    assert f"GPT.forward line {finding.via[0].line} -> self.blocks[i] -> Block.forward line" in text
    assert "-> self.norm1 -> RMSNorm.forward" in text


def test_every_format_tells_one_bug_once(checked: Checking) -> None:
    reports = checked("keys not transposed")
    assert text_of(reports).count("ATT002  ") == 1
    assert "also         reached from Block.forward (line " in text_of(reports)
    (line,) = github_of(reports).splitlines()
    assert "also reached from Block.forward (line " in line
    sarif = valid_sarif(sarif_of(reports))
    (result,) = sarif["runs"][0]["results"]
    assert [p["message"]["text"] for p in result["relatedLocations"]] == [
        "also reached from Block.forward: self.attention", "also reached from GPT.forward: self.blocks[i]",
        "also reached from GPT.loss: self",
    ]  # fmt: skip
    functions = {f["name"]: f for f in json.loads(json.dumps(data_of(reports)))["functions"]}
    assert [s["function"] for s in functions["Attention.forward"]["findings"][0]["also"]] == list(
        BUGS["tiled keys"].also
    )
    assert functions["GPT.forward"]["findings"][0]["repeats"]["function"] == "Attention.forward"
    assert Report.from_dict(functions["GPT.forward"]).as_dict() == functions["GPT.forward"]
