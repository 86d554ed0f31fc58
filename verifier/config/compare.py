"""Two configs side by side: which fields differ, which quantities, and by how much."""

from __future__ import annotations

from typing import Any

from .model import ModelConfig

SHOWN = (
    "params_total",
    "params_active",
    "flops_forward",
    "flops_forward_backward",
    "flops_decode_step",
    "kv_cache_bytes_per_token",
)


def compare(left: ModelConfig, right: ModelConfig) -> dict[str, Any]:
    """Fields, quantities and tensors that differ, each with both values; null where one side has none."""
    ours, theirs = left.as_json()["derived"] or {}, right.as_json()["derived"] or {}
    fields = {
        key: [effective(left, key), effective(right, key)]
        for key in sorted({*left.view.raw, *right.view.raw})
        if effective(left, key) != effective(right, key)
    }
    quantities = {
        name: {"this": ours.get(name), "other": theirs.get(name), "ratio": _ratio(ours.get(name), theirs.get(name))}
        for name in SHOWN
        if ours.get(name) != theirs.get(name)
    }
    shapes, others = ours.get("weight_shapes", {}), theirs.get("weight_shapes", {})
    tensors = {
        name: [shapes.get(name), others.get(name)]
        for name in {**shapes, **others}
        if shapes.get(name) != others.get(name)
    }
    return {"other": right.file, "fields": fields, "quantities": quantities, "tensors": tensors}


def effective(model: ModelConfig, key: str) -> Any:
    """A field's value, or the default that stands in for it."""
    return model.view.raw[key] if key in model.view.raw else model.view.config.get(key)


def _ratio(ours: Any, theirs: Any) -> float | None:
    return round(theirs / ours, 4) if isinstance(ours, int) and isinstance(theirs, int) and ours else None
