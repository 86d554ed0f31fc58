"""Every language model that transformers registers is exact, marked as not exact, or refused: never silently wrong.

`registered.json` is made by tools/config_truth.py: a class's own defaults with few layers, and odd variants of some
families, built on the meta device. `shapes` is a digest of the tensors' names, shapes and layers.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

import pytest

from tests.shared import DATA
from verifier.architectures.derive import flops
from verifier.config import ModelConfig, load

ROWS: list[dict[str, Any]] = json.loads((DATA / "configs" / "registered.json").read_text("utf-8"))
CASES = [pytest.param(row, id=row["name"]) for row in ROWS]
EXACT_AT_LEAST = 175


def digest(shapes: Any) -> str:
    return blake2b(json.dumps(shapes, sort_keys=True).encode(), digest_size=8).hexdigest()


def differences(model: ModelConfig, row: dict[str, Any]) -> list[str]:
    """The quantities that are not those of the instantiated model."""
    a = model.architecture
    assert a is not None
    found: list[str] = []
    if model.params != row["params_total"]:
        found.append(f"params {model.params} for {row['params_total']}")
    if digest(model.weight_shapes) != row["shapes"]:
        found.append("weight_shapes")
    if a.buffers != row["buffers"]:
        found.append(f"buffers {a.buffers} for {row['buffers']}")
    for name in ("flops", "flops_half"):
        if name in row:
            seq, total = row[name]
            counted = flops(a, {"new": seq, "past": 0, "source": seq, **a.lengths})
            if counted != total:
                found.append(f"{name} {counted} for {total}")
    return found


def is_marked(model: ModelConfig) -> bool:
    return any(f.code == "CFG035" for f in model.findings)


@pytest.mark.parametrize("row", CASES)
def test_nothing_is_silently_wrong(row: dict[str, Any]) -> None:
    model = load(row["config"])
    if model.architecture is None:
        assert model.is_impossible
        return
    wrong = differences(model, row)
    assert not wrong or is_marked(model), wrong


def test_most_are_exact() -> None:
    exact = [row["name"] for row in ROWS if (m := load(row["config"])).architecture and not differences(m, row)]
    assert len(exact) >= EXACT_AT_LEAST


def test_a_difference_is_seen() -> None:
    row = next(r for r in ROWS if r["name"] == "llama.LlamaForCausalLM")
    model = load({**row["config"], "intermediate_size": 11007})
    assert {text.split()[0] for text in differences(model, row)} == {"params", "weight_shapes", "flops", "flops_half"}
