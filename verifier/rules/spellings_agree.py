"""A field that is given under two names has one value.

Why: a family reads one of its spellings and maps the other onto it: which of two different values wins depends on
the library and on the order of the keys.

Fix: keep one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG040"
SEVERITY = Severity.WARNING
FIELDS = ("hidden_size", "n_embd")
SAME = (("torch_dtype", "dtype"), ("rope_scaling", "rope_parameters"))
"""Pairs that every config class takes for one another."""
ELSEWHERE = {
    "num_hidden_layers": ("n_layer", "n_layers", "num_layers", "num_hidden_layer"),
    "num_attention_heads": ("n_head", "n_heads", "num_heads", "num_attention_head"),
    "num_key_value_heads": ("num_kv_heads", "n_kv_heads", "n_head_kv", "num_key_value_head"),
    "hidden_size": ("n_embd", "d_model", "dim", "hidden_dim"),
    "intermediate_size": ("n_inner", "d_ff", "ffn_dim"),
    "head_dim": ("head_size", "d_head"),
    "max_position_embeddings": ("n_positions", "n_ctx", "max_seq_len"),
}
"""Sizes as other families and libraries spell them."""
GOOD = {"model_type": "gpt2", "n_embd": 64, "hidden_size": 64}
BAD = {"model_type": "gpt2", "n_embd": 64, "hidden_size": 128}


def check(v: View) -> Iterator[Finding]:
    seen: set[str] = set()
    pairs = [(alias, own) for alias, own in v.config.aliases.items()]
    for alias, own in [*pairs, *SAME]:
        if alias in v.raw and own in v.raw and alias not in seen and v.raw[alias] != v.raw[own]:
            if (alias, own) not in SAME and not v.was_read(own):
                continue
            seen.add(alias)
            names = [v.config.prefix + own, v.config.prefix + alias]
            message = (
                f"{names[0]} = {show(v.raw[own])} and {names[1]} = {show(v.raw[alias])} are one field with two values"
            )
            yield finding(message, names, f"delete {names[1]}, or make them equal")
    yield from _of_other_families(v)
    nested = v.raw.get("rope_parameters")
    outside = v.raw.get("rope_theta")
    if isinstance(nested, dict) and outside is not None and nested.get("rope_theta", outside) != outside:
        names = [v.config.prefix + n for n in ("rope_theta", "rope_parameters.rope_theta")]
        message = f"{names[0]} = {show(outside)} and {names[1]} = {show(nested['rope_theta'])} differ"
        yield finding(message, names, f"delete {names[0]}")


def _of_other_families(v: View) -> Iterator[Finding]:
    """A size under another family's name, beside this one's own: it counts for nothing."""
    known = set(v.known.get("fields", {})) | set(v.known.get("aliases", {}))
    if not known:
        return
    for field, spellings in ELSEWHERE.items():
        own = next((s for s in v.config.names(field) if s in v.raw and v.was_read(s)), None)
        if own is None:
            continue
        for key in spellings:
            value = v.raw.get(key)
            if key in known or v.was_read(key) or type(value) is not int or value == v.raw[own]:
                continue
            names = [v.config.prefix + own, v.config.prefix + key]
            message = f"{names[1]} = {value} is no field of {v.model_type}: {names[0]} = {show(v.raw[own])} counts"
            yield finding(message, names, f"delete {names[1]}, or write its value as {names[0]}")


def show(value: Any) -> str:
    return repr(value)[:40]
