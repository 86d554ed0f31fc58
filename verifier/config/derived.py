"""The derived part of the JSON contract: every quantity by name, with both answers where practice has two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..architectures.derive import cache_elements, windowed_flops

if TYPE_CHECKING:
    from .model import ModelConfig


def derived(model: ModelConfig) -> dict[str, Any] | None:
    """What follows from the config; None where the model cannot be built.

    Units: parameters in elements; FLOPs of matrix products, a multiply-add is 2; caches in bytes at 2 bytes an element.
    """
    a = model.architecture
    if a is None:
        return None
    seq, batch = model.default_seq, model.context.batch
    text = a.kind in ("decoder", "encoder", "encoder-decoder")
    shown: dict[str, Any] = {
        "kind": a.kind,
        "generic": bool(a.facts.get("generic")),
        "notation": model.view.notation,
        "params_total": model.params,
        "params_saved": model.params_saved,
        "params_active": model.params_active,
        "params_by_group": model.params_by_group,
        "params_by_role": model.params_by_role,
        "persistent_buffer_elems": a.buffers,
        "tied": [list(pair) for pair in a.tied],
        "weight_shapes": model.weight_shapes,
        "weight_bytes": {name: model.weight_bytes(name) for name in ("float32", "bfloat16", "int8", "int4")},
        "batch": batch,
        "seq": seq if text else None,
        "flops_forward": model.flops(),
        "flops_forward_backward": model.flops_training(),
        "flops_decode_step": None,
        "kv_cache_bytes_per_token": None,
        "facts": {k: v for k, v in a.facts.items() if isinstance(v, (int, str, bool)) and not callable(v)},
    }
    if a.facts.get("sees") or any(c.window for c in a.caches):
        shown["flops_forward_windowed"] = windowed_flops(a, model.lengths(seq), batch)
    if a.facts.get("state_elements"):
        shown["state_bytes"] = 2 * a.facts["state_elements"] * batch
        shown["flops_decode_step"] = model.flops_decode(seq)
        shown["decode_cached"] = seq
        shown["kv_cache_bytes_per_token"] = 0
        shown["kv_cache_bytes"] = 0
    if a.kind == "speech":
        shown["samples"] = 16000
    if a.caches:
        shown |= caching(model, seq)
    return shown


def caching(model: ModelConfig, seq: int) -> dict[str, Any]:
    """What one step of decoding costs and what is kept, as executed and as it could be.

    Units: FLOPs; bytes at 2 bytes an element.
    """
    a = model.architecture
    assert a is not None
    least = 2 * cache_elements(a, least=True)
    found: dict[str, Any] = {
        "flops_decode_step": model.flops_decode(seq),
        "decode_cached": seq,
        "kv_cache_bytes_per_token": model.kv_cache(),
        "kv_cache_bytes": model.kv_cache(seq, model.context.batch),
    }
    if least != model.kv_cache():
        found["kv_cache_bytes_per_token_unexpanded"] = least
    if any(c.window for c in a.caches):
        found["kv_cache_bytes_windowed"] = model.kv_cache(seq, model.context.batch, windowed=True)
    if any(c.cross for c in a.caches):
        found["cross_cache_bytes_per_source_token"] = 2 * cache_elements(a, cross=True)
    if any(p.kernel == "latent_attention" for p in a.parts):
        found["flops_decode_step_absorbed"] = model.flops_decode(seq, absorbed=True)
    return found
