"""The family is one that this tool builds tensor by tensor.

Why: for another model_type the numbers are those of a Llama-like decoder with the generic fields, and tensor names
are guesses; a misspelt model_type is refused by every library.

Fix: check model_type; otherwise take the numbers as an estimate.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from ..architectures import known_families, known_model_types
from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG035"
SEVERITY = Severity.INFO
FIELDS = ("model_type",)
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
}
BAD = {
    "model_type": "somebodys_new_model",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "vocab_size": 9,
}


def check(v: View) -> Iterator[Finding]:
    kind = v.raw.get("model_type")
    name = v.config.prefix + "model_type"
    if kind is not None and not isinstance(kind, str):
        yield finding(f"{name} = {kind!r:.40} is no text", [name], '"llama", say', Severity.ERROR)
        return
    if not v.is_generic:
        for note in v.notes:
            yield finding(note, [name], "nothing to do where that is so")
        return
    everyone = {*known_families(), *known_model_types()}
    near = get_close_matches(v.model_type.lower(), known_model_types(), 1, 0.85) if v.model_type not in everyone else []
    if near:
        message = f"{name} = {v.model_type!r} is unknown; {near[0]!r} is known"
        yield finding(message, [name], f"{name} = {near[0]!r}", Severity.WARNING)
    elif not v.model_type:
        message = f"{name} is absent: the numbers are those of a Llama-like decoder with these sizes"
        yield finding(message, [name], "give model_type", Severity.WARNING)
    else:
        message = (
            f"{v.model_type!r} has no family file here: the numbers are those of a Llama-like decoder with these sizes"
        )
        yield finding(message, [name], "take parameter counts and tensor names as an estimate")
