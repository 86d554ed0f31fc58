"""What is kept between processes is what was counted; a damaged file is as if it were not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from verifier.architectures.counting import facts_of, read_off
from verifier.architectures.kept import plain, restore

CODE = """
import json, sys
from verifier.config import load
fields = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 9}
found = load(fields).as_json()["derived"]
print(found["flops_forward"], found["params_total"], "numpy" in sys.modules)
"""


def run(cache: Path | str) -> str:
    environment = {**os.environ, "VERIFIER_CACHE": str(cache)}
    return subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True, env=environment
    ).stdout


def test_polynomials_survive() -> None:
    for kernel in ("grouped_query_attention", "latent_attention", "patch_embedding", "linear"):
        facts = read_off(kernel, frozenset(), frozenset())
        for size in (facts.forward, facts.backward, *facts.parameters.values()):
            again = restore(json.loads(json.dumps(plain(size))))
            assert str(again) == str(size)
            assert again == size
        assert facts_of(kernel).forward == facts.forward


def test_second_process_needs_no_numpy(tmp_path: Path) -> None:
    first, second = run(tmp_path).split(), run(tmp_path).split()
    assert first[:2] == second[:2]
    assert (first[2], second[2]) == ("True", "False")
    (file,) = tmp_path.glob("kernels-*.json")
    file.write_text('{"linear(;)": {"forward": {"+": 3}}')
    assert run(tmp_path).split()[:2] == first[:2]
    file.write_text('{"linear(;)": {"forward": {"+": 3}, "backward": 0, "parameters": 0, "conditions": []}}')
    assert run(tmp_path).split()[:2] == first[:2]


def test_nothing_is_kept_where_the_folder_is_empty(tmp_path: Path) -> None:
    assert run("").split()[2] == "True"
