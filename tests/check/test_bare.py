"""Arrays whose annotations name no axes: the contract of right programs, the finding of wrong ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge
from verifier.check.loading import forget

FOLDER = Path(__file__).parent.parent / "data" / "bare"
NEEDS = {
    "torch_right": "torch",
    "torch_wrong": "torch",
    "guards": "torch",
    "jax_programs": "equinox",
    "numpy_programs": "numpy",
}
WRONG = re.compile(r"# wrong: (ATT\d+)")


def marks(file: str) -> dict[int, str]:
    lines = (FOLDER / f"{file}.py").read_text().splitlines()
    return {number: found[1] for number, line in enumerate(lines, 1) if (found := WRONG.search(line))}


_told: dict[str, dict[str, Report]] = {}


def told(file: str) -> dict[str, Report]:
    """The reports of a file, by the function's name."""
    pytest.importorskip(NEEDS[file], reason=f"{NEEDS[file]} is not installed")
    if file not in _told:
        forget()
        _told[file] = {s.name: judge(s) for s in subjects_of(Target(FOLDER / f"{file}.py"))}
    return _told[file]


D = "self.dim"
RIGHT: list[tuple[str, str, dict[str, list[str]], str, list[str]]] = [
    ("torch_right", "LayerNorm.forward", {"input": ["input0", "input1", "self.ndim"]},
     "[input0, input1, self.ndim]", []),
    ("torch_right", "CausalSelfAttention.forward", {"x": ["x0", "x1", "self.config.n_embd"]},
     "[x0, x1, self.config.n_embd]", ["self.config.n_embd % self.config.n_head == 0", "x1 <= self.config.block_size"]),
    ("torch_right", "MLP.forward", {"x": ["x0", "x1", "self.config.n_embd"]}, "[x0, x1, self.config.n_embd]", []),
    ("torch_right", "Block.forward", {"x": ["x0", "x1", "self.config.n_embd"]},
     "[x0, x1, self.config.n_embd]", ["self.config.n_embd % self.config.n_head == 0", "x1 <= self.config.block_size"]),
    ("torch_right", "GPT.forward", {"idx": ["idx0", "idx1"]}, "([idx0, 1, self.config.vocab_size], None)",
     ["idx1 <= self.config.block_size", "self.config.n_embd % self.config.n_head == 0"]),
    ("torch_right", "PatchEmbed.forward", {"x": ["x0", "self.in_chans", "x2", "x3"]},
     "[x0, (x2 // self.patch_size)*(x3 // self.patch_size), self.embed_dim]",
     ["self.patch_size <= x2", "self.patch_size <= x3"]),
    ("torch_right", "ViTEmbeddings.forward", {"patches": ["patches0", "patches1", "self.patch_dim"]},
     "[patches0, patches1 + 1, self.dim]", ["patches1 <= self.num_patches"]),
    ("torch_right", "CrossAttention.forward",
     {"x": ["x0", "x1", "self.query_dim"], "context": ["x0", "context1", "self.context_dim"]},
     "[x0, x1, self.query_dim]", []),
    ("torch_right", "rotate_half", {"x": ["x0", "x1", "x2"]}, "[x0, x1, x2]", []),
    ("torch_right", "apply_rotary", {n: ["x0", "x1", "x2"] for n in ("x", "cos", "sin")}, "[x0, x1, x2]", []),
    ("torch_right", "RMSNorm.forward", {"x": ["x0", "x1", D]}, "[x0, x1, self.dim]", []),
    ("torch_right", "SwiGLU.forward", {"x": ["x0", D]}, "[x0, self.dim]", []),
    ("torch_right", "BiasedAttention.forward", {"x": ["x0", "x1", "self.d_model"]}, "[x0, x1, self.d_model]",
     ["self.d_model % self.n_heads == 0"]),
    ("torch_right", "CachedAttention.forward",
     {"x": ["x0", "x1", D], **{f"past_{i}": ["x0", "self.n_heads", "past_0_2", "(self.dim // self.n_heads)"] for i in (0, 1)}},
     "([x0, x1, self.dim], ([x0, self.n_heads, past_0_2 + x1, (self.dim // self.n_heads)], "
     "[x0, self.n_heads, past_0_2 + x1, (self.dim // self.n_heads)]))", ["self.dim % self.n_heads == 0"]),
    ("torch_right", "Attention.forward", {"x": ["x0", "x1", D]}, "[x0, x1, self.dim]", []),
    ("torch_right", "scaled_dot_product",
     {"q": ["q0", "q1", "q2"], "k": ["q0", "k1", "q2"], "v": ["q0", "k1", "v2"], "mask": ["q0", "q1", "k1"]},
     "[q0, q1, v2]", []),
    ("torch_right", "PositionalEncoding.forward", {"x": ["x0", "x1", "self.d_model"]}, "[x0, x1, self.d_model]",
     ["x1 <= self.max_len"]),
    ("torch_right", "TokenEmbedding.forward", {"x": ["x0", "x1"]}, "[x0, x1, self.d_model]", []),
    ("guards", "one_assert", {"x": ["p", "q"]}, "[p, q]", []),
    ("guards", "one_test", {"x": ["x0", "x1"]}, "[(x0 // p), p, (x1 // p), p]", ["x0 % p == 0", "x1 % p == 0"]),
    ("guards", "GroupedKeys.forward", {"x": ["x0", "x1", D]}, "[x0, x1, (self.dim // self.h)*(self.h // self.g)*self.g]",
     ["self.dim % self.h == 0", "self.h % self.g == 0"]),
    ("guards", "Skeleton.forward", {"idx": ["idx0", "idx1"]}, "[idx0, idx1, self.d]", ["idx1 <= self.n"]),
    ("torch_right", "window_partition", {"x": ["x0", "x1", "x2", "x3"]},
     "[(x1 // window_size)*(x2 // window_size)*x0, window_size, window_size, x3]",
     ["x1 % window_size == 0", "x2 % window_size == 0"]),
    ("numpy_programs", "softmax", {"x": ["x0", "x1"]}, "[x0, x1]", []),
    ("numpy_programs", "attention", {"q": ["q0", "q1"], "k": ["k0", "q1"], "v": ["k0", "v1"]}, "[q0, v1]", []),
    ("numpy_programs", "split_heads", {"x": ["x0", "x1"]}, "[heads, x0, (x1 // heads)]", ["x1 % heads == 0"]),
    ("numpy_programs", "multi_head",
     {"x": ["x0", "x1"], **{f"w_{n}": ["x1", "x1"] for n in "qkv"}, "w_o": ["x1", "w_o1"]}, "[x0, w_o1]",
     ["x1 % heads == 0"]),
    ("numpy_programs", "embed", {"tokens": ["tokens0", "tokens1"], "table": ["table0", "table1"]},
     "[tokens0, tokens1, table1]", []),
    ("numpy_programs", "layer_norm", {"x": ["x0", "x1"], "gain": ["x0", "x1"], "bias": ["x0", "x1"]}, "[x0, x1]", []),
    ("numpy_programs", "symmetric", {"a": ["a0", "a0"]}, "[a0, a0]", []),
    ("jax_programs", "SelfAttention.__call__", {"x": ["x0", D]}, "[x0, self.dim]", ["self.dim % self.heads == 0"]),
    ("jax_programs", "FeedForward.__call__", {"x": [D]}, "[self.dim]", []),
    ("jax_programs", "Scale.__call__", {n: ["self.weight0"] for n in ("self.weight", "self.bias", "x")},
     "[self.weight0]", []),
    ("jax_programs", "rotary", {"x": ["x0"], "cos": ["(x0 // 2)"], "sin": ["(x0 // 2)"]}, "[2*(x0 // 2)]",
     ["x0 % 2 == 0"]),
    ("jax_programs", "attention",
     {"q": ["q0", "q1", "q2", "q3"], "k": ["q0", "k1", "q2", "q3"], "v": ["q0", "k1", "q2", "v3"],
      "bias": ["q0", "q2", "q1", "k1"]},
     "[q0, q1, q2, v3]", []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "name", "shapes", "result", "conditions"), RIGHT, ids=[f"{r[0]}-{r[1]}" for r in RIGHT]
)
def test_a_right_program_is_proved_under_its_contract(
    file: str, name: str, shapes: dict[str, list[str]], result: str, conditions: list[str]
) -> None:
    report = told(file)[name]
    assert report.verdict == "PROVED_IF", report
    assert not report.fails
    assert not [f for f in report.findings if f.severity != "info"]
    rows = [r for r in report.contract if r["shapes"] == shapes]
    assert len(rows) == 1, [r["shapes"] for r in report.contract]
    assert (rows[0]["result"], sorted(rows[0]["conditions"])) == (result, conditions)


def test_every_right_program_is_in_the_table() -> None:
    for file in NEEDS:
        listed = {r[1] for r in RIGHT if r[0] == file}
        right = {n for n, r in told(file).items() if r.verdict == "PROVED_IF" and not r.fails}
        assert right == listed, file


@pytest.mark.parametrize("file", NEEDS)
def test_a_planted_mistake_is_found_on_its_line(file: str) -> None:
    reports = told(file).values()
    wanted = marks(file)
    found = {f.line: f.code for r in reports for f in r.findings if f.severity != "info"}
    assert found == wanted
    for report in reports:
        if any(f.severity == "error" for f in report.findings):
            assert report.verdict == "REFUTED"
            assert not report.contract


def test_there_are_many() -> None:
    assert sum(len(marks(file)) for file in NEEDS) >= 15
    assert len(RIGHT) >= 30


def test_what_no_size_of_the_caller_can_mend_names_the_coincidence() -> None:
    reports = told("torch_wrong")
    assert reports["ScoresWithoutTranspose.forward"].reason == (
        "no x of 0 to 5 axes was found to pass, except where x1 == (self.n_embd // self.n_head)"
    )
    assert reports["ResidualOfOtherWidth.forward"].reason == "no x of 0 to 5 axes was found to pass"


def test_elements_are_told_where_the_code_demands_them() -> None:
    report = told("torch_right")["GPT.forward"]
    assert [r["elements"] for r in report.contract] == [{"idx": "int"}]
    assert report.contract[0]["annotations"] == {"idx": 'Int[Tensor, "idx0 idx1"]'}
    assert told("numpy_programs")["embed"].contract[0]["elements"] == {"tokens": "int", "table": "float"}


def test_annotations_that_say_the_contract_are_told() -> None:
    report = told("torch_right")["CausalSelfAttention.forward"]
    assert report.contract[0]["annotations"] == {"x": 'Float[Tensor, "x0 x1 {self.n_embd}"]'}
    report = told("torch_right")["RMSNorm.forward"]
    assert report.contract[0]["annotations"] == {"x": 'Float[Tensor, "x0 x1 dim"]'}


def test_a_requirement_on_sizes_of_the_object_is_a_finding_and_stands_in_the_contract() -> None:
    report = told("torch_wrong")["HeadsDoNotDivide.forward"]
    assert report.verdict == "PROVED_IF"
    assert report.fails
    assert [r["conditions"] for r in report.contract] == [["self.width % self.heads == 0"]]


def test_what_is_supposed_is_told() -> None:
    report = told("torch_right")["Block.forward"]
    assert report.assumptions == ["self.config is a GPTConfig", "x has no annotation and is taken as an array"]
