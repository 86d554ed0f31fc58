"""The tensors of a checkpoint have the shapes that the config says.

Why: a wrong or absent field builds another model: loading fails, or leaves tensors at random.

Fix: the field that the shape contradicts.
"""

from __future__ import annotations

from collections.abc import Iterator
import re
from typing import Any

from ..architectures.derive import weight_shapes
from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG027"
SEVERITY = Severity.ERROR
FIELDS = ('head_dim', 'num_key_value_heads')
GOOD = ({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 1, "num_hidden_layers": 2}, {"checkpoint": {"model.layers.0.self_attn.k_proj.weight": (16, 64)}})
BAD = ({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}, {"checkpoint": {"model.layers.0.self_attn.k_proj.weight": (16, 64)}})


def check(v: View) -> Iterator[Finding]:
    saved = v.context.checkpoint
    if not saved or v.architecture is None:
        return
    expected = {name: [tuple(shape) for shape, _ in rows] for name, rows in weight_shapes(v.architecture).items()}
    reported: set[tuple[str, ...]] = set()
    unknown: list[str] = []
    missing_parts = False
    for name, shape in sorted(saved.items(), key=lambda item: (order(item[0]), item[0])):
        pattern = re.sub(r"\.\d+(?=\.)", ".*", name)
        wanted = next((expected[p] for p in (pattern, f"model.{pattern}", pattern.removeprefix("model.")) if p in expected), None)
        if wanted is None:
            missing_parts |= compressed_queries(v, pattern)
            unknown.append(name)
            continue
        if tuple(shape) in wanted:
            continue
        fields, why = blame(v, pattern, tuple(shape), wanted[0])
        if tuple(fields) in reported:
            continue
        reported.add(tuple(fields))
        message = f"{name} is {show(shape)} in the checkpoint, the config makes it {show(wanted[0])}{why[0]}"
        yield finding(message, fields, why[1])
    if missing_parts:
        q = v.name("q_lora_rank")
        message = f"{q} is absent, so rank {v.value('q_lora_rank')} is built; the checkpoint has a plain q_proj"
        yield finding(message, [q], f"{q} = null", Severity.WARNING)
    elif unknown:
        few = ", ".join(unknown[:3]) + (f" and {len(unknown) - 3} more" if len(unknown) > 3 else "")
        message = f"the checkpoint has tensors that this config does not make: {few}"
        yield finding(message, ["model_type"], "another model_type, head or flag", Severity.WARNING)


def order(name: str) -> int:
    """Queries first: they say most about heads."""
    return 0 if "q_proj" in name or "query" in name else 1


def show(shape: Any) -> str:
    return f"[{', '.join(map(str, shape))}]"


def compressed_queries(v: View, pattern: str) -> bool:
    return pattern.endswith("self_attn.q_proj.weight") and v.size("q_lora_rank") is not None and not v.given("q_lora_rank")


def blame(v: View, pattern: str, got: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[list[str], tuple[str, str]]:
    """The fields behind a shape that differs, what it would mean, and what to write."""
    heads, head_dim, groups = v.fact("heads"), v.fact("head_dim"), v.fact("kv_heads")
    leaf = pattern.split(".")[-2] if "." in pattern else pattern
    if leaf in ("q_proj", "query", "q", "o_proj") and heads and head_dim:
        side = 0 if leaf != "o_proj" else 1
        if len(got) == 2 and got[side] % heads == 0 and got[side] != wanted[side]:
            dim = got[side] // heads
            name = v.name("head_dim")
            return [name], (f": {heads} heads of {dim}, not {head_dim}", f"{name} = {dim}")
    if leaf in ("k_proj", "v_proj", "key", "value", "k", "v") and groups and head_dim and len(got) == 2 and got[0] % head_dim == 0:
        g = v.name("num_key_value_heads")
        how = "" if v.given("num_key_value_heads") else f" ({g} is absent, so {groups} are assumed)"
        return [g], (f": {got[0] // head_dim} key/value heads, not {groups}{how}", f"{g} = {got[0] // head_dim}")
    if "embed" in pattern or leaf in ("wte", "lm_head", "shared"):
        name = v.name("vocab_size") if got[:1] != wanted[:1] else v.name("hidden_size")
        return [name], ("", f"{name} = {got[0] if got[:1] != wanted[:1] else got[-1]}")
    if leaf in ("gate_proj", "up_proj", "down_proj", "fc1", "fc2", "c_fc", "wi", "wo", "dense_h_to_4h"):
        name = v.name("intermediate_size")
        other = next((a for a, b in zip(got, wanted, strict=False) if a != b), None)
        return [name], ("", f"{name} = {other}")
    return [v.name("hidden_size")], ("", "the sizes of the checkpoint's own config")
