"""A mixture of experts has a layer with experts.

Why: with as many dense layers as layers no expert is built, and every expert field is without effect; the depth was
cut and first_k_dense_replace was not.

Fix: fewer dense layers, or more layers.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG010"
SEVERITY = Severity.WARNING
FIELDS = ("first_k_dense_replace", "num_hidden_layers")
GOOD = {"model_type": "deepseek_v3", "num_hidden_layers": 4, "first_k_dense_replace": 1}
BAD = {"model_type": "deepseek_v3", "num_hidden_layers": 2, "first_k_dense_replace": 3}


def check(v: View) -> Iterator[Finding]:
    layers, dense = v.size("num_hidden_layers"), v.value("first_k_dense_replace")
    if (
        layers is None
        or type(dense) is not int
        or v.size("n_routed_experts") is None
        or v.size("moe_intermediate_size") is None
    ):
        return
    if dense >= layers:
        d, n = v.name("first_k_dense_replace"), v.name("num_hidden_layers")
        yield finding(
            f"{d} = {dense} with {n} = {layers}: no layer has experts", [d, n], f"{d} = {max(layers - 1, 0)} or less"
        )
