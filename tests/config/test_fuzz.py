"""No value of any field makes a traceback, a hang, or silence about a model that cannot be built."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.shared import DATA
from verifier.config import Context, UnreadableConfig, load

CONFIGS = [json.loads(p.read_text("utf-8"))["config"] for p in sorted((DATA / "configs" / "truth").glob("*.json"))]
KEYS = sorted({key for config in CONFIGS for key in config})
NUMBERS = (0, -1, 1, 2, 7, 10**30, -(10**30), 1.5, float("nan"), float("inf"), 2**53 + 1, 10**15, 10**9)
OTHERS = (None, True, False, "x", "64", "", [], [1], [None], {}, {"a": 1}, [[["global"], 3]], [0])
SCALINGS = ({"rope_type": "linear"}, {"rope_type": ["x"]})
VALUES = st.sampled_from((*NUMBERS, *OTHERS, *SCALINGS))
CONTEXTS = st.builds(
    Context,
    seq=st.sampled_from([None, 1, 7, 10**9]),
    tensor_parallel=st.sampled_from([None, 2, 3]),
    quantization=st.sampled_from(
        [None, {"group_size": 128}, {"weight_block_size": [128, 128]}, {"weight_block_size": "x"}]
    ),
    checkpoint=st.sampled_from([None, {"model.layers.0.self_attn.q_proj.weight": (3, 4), "x": None}]),
    attention=st.sampled_from([None, "flash_attention_2"]),
)


@given(
    st.sampled_from(CONFIGS),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4),
    st.sets(st.sampled_from(KEYS), max_size=2),
    CONTEXTS,
)
def test_any_field(config: dict[str, Any], changes: dict[str, Any], dropped: set[str], context: Context) -> None:
    fields = {k: v for k, v in {**config, **changes}.items() if k not in dropped}
    try:
        model = load(fields, context)
    except UnreadableConfig:
        return
    json.dumps(model.as_json())
    assert not [f for f in model.findings if "could not judge" in f.message]
    if model.architecture is None:
        assert model.is_impossible
