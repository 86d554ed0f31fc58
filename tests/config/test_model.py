"""The typed object: quantities, both answers where practice has two, formulas, other notations, checkpoints."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.shared import cases
from verifier.config import Context, load
from verifier.config.checkpoint import read_checkpoint

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "vocab_size": 100,
    "max_position_embeddings": 256,
}


@pytest.mark.parametrize("case", cases("formats"))
def test_other_notations(case: dict[str, Any]) -> None:
    model = load(case["config"])
    assert model.params == case["params_total"]
    assert model.kv_cache() == case["kv_cache_bytes_per_token_bf16"]
    assert not [f for f in model.findings if f.severity != "info"]


def test_megatron_arguments() -> None:
    given = {"num-layers": 2, "hidden-size": 64, "num-attention-heads": 4, "swiglu": True, "ffn-hidden-size": 128}
    given |= {"padded-vocab-size": 100, "num-query-groups": 2, "normalization": "RMSNorm", "add-bias-linear": False}
    given |= {"untie-embeddings-and-output-weights": True, "position-embedding-type": "rope"}
    assert load(given).params == load(LLAMA).params


@pytest.mark.parametrize("case", cases("truth"))
def test_formulas_are_the_numbers(case: dict[str, Any]) -> None:
    model = load(case["config"])
    assert model.architecture is not None
    wanted = {"params": model.params}
    if model.architecture.kind != "speech":
        wanted["flops"] = model.flops()
    if model.caches:
        wanted |= {"decode": model.flops_decode(), "kv_cache": model.kv_cache()}
    for quantity, number in wanted.items():
        found = model.formula(quantity)
        assert found.value == sum(t.value for t in found.terms) == number
        assert int(found.expression.subs(found.values)) == number


def test_exact_beyond_double_precision() -> None:
    size = 2**40 + 2
    model = load({**LLAMA, "hidden_size": size, "head_dim": 16, "intermediate_size": size + 1})
    width, inner = size, size + 1
    attention = 2 * width * 64 + 2 * width * 32
    assert model.params == 2 * (attention + 3 * width * inner + 2 * width) + width + 2 * 100 * width
    assert model.params > 2**53


def test_independent_of_layers() -> None:
    one, many = load({**LLAMA, "num_hidden_layers": 1}), load({**LLAMA, "num_hidden_layers": 90_000})
    assert one.architecture is not None
    assert many.architecture is not None
    assert len(one.architecture.parts) == len(many.architecture.parts)


def test_windows_bound_the_cache() -> None:
    model = load({**LLAMA, "model_type": "mistral", "sliding_window": 8})
    assert model.kv_cache(100, windowed=True) == model.kv_cache(8)
    assert model.kv_cache(100) == 100 * model.kv_cache()


def test_active_and_total_experts() -> None:
    mixtral = {**LLAMA, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}
    model = load(mixtral)
    assert model.params - model.params_active == 6 * 3 * 64 * 128 * 2


def test_a_field_that_is_null_is_not_absent() -> None:
    given = {"model_type": "deepseek_v2", "hidden_size": 64, "num_attention_heads": 4, "num_experts_per_tok": 2}
    absent, null = load(given), load({**given, "q_lora_rank": None})
    assert any("q_a_proj" in name for name in absent.weight_shapes)
    assert not any("q_a_proj" in name for name in null.weight_shapes)


def test_unknown_family_says_so() -> None:
    model = load({**LLAMA, "model_type": "nobody_knows"})
    assert model.params == load(LLAMA).params
    assert [f.code for f in model.findings] == ["CFG035"]
    assert load({**LLAMA, "model_type": "lama"}).findings[0].severity == "warning"


def test_language_model_inside() -> None:
    model = load(
        {"model_type": "some_vision_language_model", "text_config": LLAMA, "vision_config": {"hidden_size": 32}}
    )
    assert model.params == load(LLAMA).params
    inner = {**LLAMA, "num_key_value_heads": 3}
    bad = load({"model_type": "some_vision_language_model", "text_config": inner})
    assert ("text_config.num_attention_heads", "text_config.num_key_value_heads") in [f.fields for f in bad.findings]


def test_towers_inside_are_judged_too() -> None:
    towers = {
        "text_config": {"hidden_size": 100, "num_attention_heads": 12},
        "vision_config": {"image_size": 30, "patch_size": 8},
    }
    found = load({"model_type": "clip", **towers}).findings
    assert {f.fields[0] for f in found if f.severity != "info"} == {
        "text_config.hidden_size",
        "vision_config.image_size",
    }


def checkpoint(path: Path, shapes: dict[str, tuple[int, ...]]) -> Path:
    header = {name: {"dtype": "BF16", "shape": list(s), "data_offsets": [0, 0]} for name, s in shapes.items()}
    data = json.dumps({"__metadata__": {}, **header}).encode()
    path.write_bytes(struct.pack("<Q", len(data)) + data)
    return path


def whole(config: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    rows = load(config).weight_shapes.items()
    return {name.replace("*", str(i)): tuple(s) for name, shapes in rows for s, layers in shapes for i in range(layers)}


def test_checkpoint(tmp_path: Path) -> None:
    path = checkpoint(tmp_path / "model.safetensors", whole(LLAMA))
    context = Context(checkpoint=read_checkpoint(path), checkpoint_is_whole=True)
    assert load(LLAMA, context).findings == []
    findings = load({**LLAMA, "num_hidden_layers": 3, "num_key_value_heads": 1}, context).findings
    assert {f.fields[0] for f in findings} == {"num_hidden_layers", "num_key_value_heads"}


def test_index_beside_its_shards(tmp_path: Path) -> None:
    checkpoint(tmp_path / "a.safetensors", {"model.norm.weight": (64,)})
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(
        json.dumps({"weight_map": {"model.norm.weight": "a.safetensors", "lm_head.weight": "b.safetensors"}})
    )
    assert read_checkpoint(tmp_path) == {"model.norm.weight": (64,), "lm_head.weight": None}


def test_notebook_table_escapes() -> None:
    html = load({**LLAMA, "eos_token_id": 300, "model_type": "<b>"})._repr_html_()
    assert "<b>" not in html
    assert "parameters" in html


def test_sympy_is_not_imported() -> None:
    code = "import sys, json; from verifier.config import load; load(json.loads(sys.argv[1])).as_json(); "
    code += "assert 'sympy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code, json.dumps(LLAMA)], check=True)
