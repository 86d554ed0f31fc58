"""A list of layers names layers that there are.

Why: an index past the last layer has no effect, so that a layer which was to be dense, or to see everything, is
not; the depth was cut and the list was not.

Fix: indices from 0 to num_hidden_layers - 1.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG042"
SEVERITY = Severity.WARNING
FIELDS = ("mlp_only_layers", "num_hidden_layers")
LISTS = (
    "mlp_only_layers",
    "moe_layers",
    "full_attn_idxs",
    "global_attn_indexes",
    "cross_attention_layers",
    "attn_layer_indices",
    "skip_layers",
    "kv_shared_layers",
    "dense_layers",
)
GOOD = {"model_type": "qwen3_moe", "num_hidden_layers": 4, "mlp_only_layers": [0]}
BAD = {"model_type": "qwen3_moe", "num_hidden_layers": 4, "mlp_only_layers": [0, 7]}


def check(v: View) -> Iterator[Finding]:
    layers = v.size("num_hidden_layers")
    for field in LISTS:
        value = v.raw.get(field)
        if layers is None or not isinstance(value, list):
            continue
        outside = [i for i in value if type(i) is int and not -layers <= i < layers]
        if outside:
            names = [v.config.prefix + field, v.name("num_hidden_layers")]
            message = f"{names[0]} names layer {outside[0]} of only {layers}"
            yield finding(message, names, f"indices from 0 to {layers - 1}")
