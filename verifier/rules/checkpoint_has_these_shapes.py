"""The tensors of a checkpoint have the shapes that the config says.

Why: a wrong or absent field builds another model: loading fails, or leaves tensors at random.

Fix: the field that the shape contradicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..architectures.derive import weight_shapes
from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG027"
SEVERITY = Severity.ERROR
FIELDS = ("head_dim", "num_key_value_heads")
IGNORED = re.compile(
    r"(rotary_emb\.inv_freq|masked_bias|\.attn\.bias|position_ids|e_score_correction_bias|lm_head\.weight)$"
)
"""Buffers of older versions, and heads that are tied and saved all the same."""
PREFIXES = frozenset({"model", "transformer", "bert", "roberta", "gpt_neox", "distilbert", "electra", "vit", "deberta"})
GOOD = (
    {
        "model_type": "llama",
        "hidden_size": 64,
        "num_attention_heads": 4,
        "num_key_value_heads": 1,
        "num_hidden_layers": 2,
    },
    {"checkpoint": {"model.layers.0.self_attn.k_proj.weight": (16, 64)}},
)
BAD = (
    {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2},
    {"checkpoint": {"model.layers.0.self_attn.k_proj.weight": (16, 64)}},
)


def check(v: View) -> Iterator[Finding]:
    saved = v.context.checkpoint
    if not saved or v.architecture is None:
        return
    rows = weight_shapes(v.architecture)
    expected = {name: [tuple(shape) for shape, _ in shapes] for name, shapes in rows.items()}
    reported: set[tuple[str, ...]] = set()
    unknown: list[str] = []
    seen: dict[str, set[int]] = {}
    plain_queries = False
    for name, shape in sorted(saved.items(), key=lambda item: (order(item[0]), item[0])):
        pattern = re.sub(r"\.\d+(?=\.|$)", ".*", name)
        known = next((p for p in spellings(pattern) if p in expected), None)
        if known is None:
            plain_queries |= compressed_queries(v, pattern)
            if not IGNORED.search(name) and not one_expert(pattern, expected):
                unknown.append(name)
            continue
        layer = re.search(r"\.(\d+)\.", name)
        seen.setdefault(known, set()).add(int(layer.group(1)) if layer else 0)
        if shape is None or tuple(shape) in expected[known]:
            continue
        fields, why = blame(v, pattern, tuple(shape), expected[known][0])
        if tuple(fields) in reported:
            continue
        reported.add(tuple(fields))
        message = f"{name} is {show(shape)} in the checkpoint, the config makes it {show(expected[known][0])}{why[0]}"
        yield finding(message, fields, why[1])
    if plain_queries:
        q = v.name("q_lora_rank")
        message = f"{q} is absent, so rank {v.value('q_lora_rank')} is built; the checkpoint has a plain q_proj"
        yield finding(message, [q], f"{q} = null", Severity.WARNING)
    elif unknown:
        message = f"the checkpoint has tensors that this config does not make: {few(unknown)}"
        yield finding(message, ["model_type"], "another model_type, head or flag", Severity.WARNING)
    if v.context.checkpoint_is_whole:
        yield from absent(v, rows, seen)


def absent(v: View, rows: dict[str, list[list[Any]]], seen: dict[str, set[int]]) -> Iterator[Finding]:
    """Layers and tensors that the config makes and a whole checkpoint does not hold."""
    layers = v.size("num_hidden_layers")
    repeated = {name: shapes for name, shapes in rows.items() if name.count(".*.") == 1}
    depth = max((max(seen[name]) + 1 for name in repeated if name in seen), default=None)
    one_stack = v.architecture is not None and v.architecture.kind != "encoder-decoder"
    if one_stack and layers is not None and depth is not None and depth != layers:
        n = v.name("num_hidden_layers")
        yield finding(f"the checkpoint has {depth} layers, {n} is {layers}", [n], f"{n} = {depth}")
    if seen:
        missing = [name for name in rows if name not in seen and "expert" not in name]
        if missing:
            message = f"the checkpoint lacks tensors that this config makes: {few(missing)}"
            fix = "another head, flag or model_type; a tied head is saved once"
            yield finding(message, ["architectures", "tie_word_embeddings"], fix, Severity.WARNING)


def few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def spellings(pattern: str) -> tuple[str, ...]:
    """A name with and without the model's prefix: bare models and ones with a head differ in it."""
    head, _, rest = pattern.partition(".")
    return (pattern, f"model.{pattern}", rest if head in PREFIXES else pattern)


def one_expert(pattern: str, expected: dict[str, list[tuple[Any, ...]]]) -> bool:
    """A tensor of one expert, where transformers 5 keeps all experts of a layer in one."""
    return ".experts.*." in pattern and any(".experts." in name for name in expected)


def order(name: str) -> int:
    """Queries first: they say most about heads."""
    return 0 if "q_proj" in name or "query" in name else 1


def show(shape: Any) -> str:
    return f"[{', '.join(map(str, shape))}]"


def compressed_queries(v: View, pattern: str) -> bool:
    return (
        pattern.endswith("self_attn.q_proj.weight") and v.size("q_lora_rank") is not None and not v.given("q_lora_rank")
    )


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
    if (
        leaf in ("k_proj", "v_proj", "key", "value", "k", "v")
        and groups
        and head_dim
        and len(got) == 2
        and got[0] % head_dim == 0
    ):
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
