"""`verifier config`: exit statuses, formats, many files, and what people read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.sarif import valid_sarif
from verifier.cli import app

GOOD = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2}
GOOD |= {"num_hidden_layers": 2, "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 256}
BAD = {**GOOD, "hidden_size": 770, "num_attention_heads": 12, "num_key_value_heads": 5}


def run(*arguments: object, stdin: str = "") -> Any:
    return CliRunner().invoke(app, ["config", *map(str, arguments)], input=stdin)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    good, bad, broken = (tmp_path / n for n in ("good.json", "bad.json", "broken.json"))
    good.write_text(json.dumps(GOOD))
    bad.write_text(json.dumps(BAD))
    broken.write_text('{"hidden_size": 64,}')
    return good, bad, broken


def test_exit_statuses(files: tuple[Path, Path, Path]) -> None:
    good, bad, broken = files
    assert run(good).exit_code == 0
    assert run(bad).exit_code == 1
    both = run(broken, bad)
    assert both.exit_code == 2
    assert "broken.json:1:20: is not JSON" in both.output
    assert "CFG003" in both.output  # the other file is done all the same


@pytest.mark.parametrize("size", ['"64"', "0", "-64", "1" + "0" * 30, "1e400", "64.5", "[64]", "true", "null"])
def test_sizes_that_are_none(size: str, files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "size.json"
    path.write_text('{"model_type": "llama", "hidden_size": ' + size + "}")
    result = run(path, files[0])
    assert result.exit_code == 2
    assert "CFG001  error  hidden_size" in result.output
    assert "good.json  llama: 2 layers" in result.output


def test_finding_as_people_read_it(files: tuple[Path, Path, Path]) -> None:
    text = run(files[1]).output
    fact = "num_attention_heads = 12 does not divide hidden_size = 770"
    fix = "hidden_size = 768, or num_attention_heads = 10, or an explicit head_dim"
    wanted = f"CFG003  error  {fact}: 770 = 12 * 64 + 2, 2 channels belong to no head\n        fix  {fix}"
    assert wanted in text
    assert text.rstrip().endswith("2 errors")


def test_json_contract(files: tuple[Path, Path, Path]) -> None:
    found = json.loads(run(files[0], "--format", "json", "--seq", 16, "--batch", 2).output)
    assert set(found) == {"file", "model_type", "findings", "derived"}
    derived = found["derived"]
    names = {"params_total", "params_by_group", "weight_shapes", "flops_forward", "flops_decode_step"}
    assert names | {"kv_cache_bytes_per_token"} <= set(derived)
    assert derived["weight_shapes"]["model.norm.weight"] == [[[64], 1]]
    assert (derived["batch"], derived["seq"]) == (2, 16)
    several = json.loads(run(files[0], files[1], "--format", "json").output)
    assert [x["model_type"] for x in several] == ["llama", "llama"]
    assert set(several[1]["findings"][0]) == {"code", "severity", "fields", "message", "fix"}


def test_sarif(files: tuple[Path, Path, Path]) -> None:
    log = valid_sarif(run(files[1], "--format", "sarif").output)
    (result, *_) = log["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("CFG003", "error")


def test_standard_input_and_folder(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    assert run("-", stdin=json.dumps(GOOD)).exit_code == 0
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text(json.dumps(GOOD))
    (model / "tokenizer.json").write_text("[]")
    assert run(model).exit_code == 0
    (tmp_path / "nothing").mkdir()
    assert run(tmp_path / "nothing").exit_code == 2


def test_several_processes_give_the_same(files: tuple[Path, Path, Path]) -> None:
    paths = [files[0], files[1]] * 3
    one, two = run(*paths, "--format", "json"), run(*paths, "--format", "json", "--jobs", 2)
    assert json.loads(one.output) == json.loads(two.output)
    assert one.exit_code == two.exit_code == 1


def test_options(files: tuple[Path, Path, Path]) -> None:
    good = files[0]
    assert "CFG021" in run(good, "--tensor-parallel", 3).output
    assert run(good, "--tensor-parallel", 4, "--engine", "vllm").exit_code == 0
    assert "CFG020" in run(good, "--tokenizer-length", 101).output
    assert "CFG023" in run(good, "--quantization", "gptq:96").output
    assert "CFG016" in run(good, "--seq", 512).output
    assert "hidden_size*vocab_size" in run(good, "--formula", "all").output
    assert "num_attention_heads: 4 -> 12" in run(good, "--compare", files[1]).output
    assert run(good, "--formula", "beauty").exit_code == 2
    assert run(good, "--quantization", "gptq:x").exit_code == 2
    assert run(good, "--checkpoint", good.parent / "absent").exit_code == 2


def test_explain() -> None:
    page = CliRunner().invoke(app, ["explain", "cfg003"])
    assert page.exit_code == 0
    assert page.output.startswith("CFG003  The heads cut the width into equal parts")
    assert CliRunner().invoke(app, ["explain", "CFG999"]).exit_code == 2
    page = CliRunner().invoke(app, ["explain", "ATT033"])
    assert page.exit_code == 0
    assert page.stdout.startswith("ATT033: ")
    assert "did you mean ATT033?" in CliRunner().invoke(app, ["explain", "ATTO33"]).output
