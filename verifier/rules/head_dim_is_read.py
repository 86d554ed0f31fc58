"""A head size that is given is the one that is used.

Why: some families take width / heads whatever head_dim says, while rotary code or other libraries read it; in
others the output projection is as wide as the model, so that heads * head_dim must be the width.

Fix: delete head_dim, or make it width / heads.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG006"
SEVERITY = Severity.WARNING
FIELDS = ("head_dim",)
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "head_dim": 32,
}
NARROW = frozenset({"helium", "dia"})
"""Families whose output projection takes the width, not heads * head_dim."""
BAD = {"model_type": "gpt_neox", "hidden_size": 64, "num_attention_heads": 4, "head_dim": 32}


def check(v: View) -> Iterator[Finding]:
    width, heads = v.size("hidden_size"), v.size("num_attention_heads")
    given = v.raw.get("head_dim")
    if type(given) is not int or given < 1 or width is None or heads is None or v.architecture is None or v.is_generic:
        return
    own, name = width // heads, v.name("head_dim")
    if v.size("kv_lora_rank") is not None:
        return
    if v.model_type in NARROW and given * heads != width:
        message = f"{name} = {given} with {heads} heads is {given * heads}, but the output projection expects {width}"
        yield finding(message, [name], f"{name} = {own}, or delete it", Severity.ERROR)
    elif not v.was_read("head_dim") and given != own:
        message = f"{name} = {given} has no effect in {v.model_type}: {width} / {heads} = {own} is used"
        yield finding(message, [name], f"delete {name}, or {name} = {own}")
