"""tie_word_embeddings is what the library does.

Why: transformers 5 ties the embeddings of the T5 family whatever the config says: the separate lm_head of a v1.1
checkpoint is not counted and not loaded.

Fix: count the saved lm_head too: the derived part gives parameters as built and as saved.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG026"
SEVERITY = Severity.WARNING
FIELDS = ("tie_word_embeddings",)
GOOD = {"model_type": "t5", "tie_word_embeddings": True}
BAD = {"model_type": "t5", "tie_word_embeddings": False}


def check(v: View) -> Iterator[Finding]:
    if (
        v.raw.get("tie_word_embeddings") is False
        and v.architecture is not None
        and v.architecture.facts.get("tied") is True
    ):
        name = v.name("tie_word_embeddings")
        message = f"{name} = false is overridden: "
        message += f"transformers 5 ties the embeddings of {v.model_type}, a saved lm_head is left out"
        yield finding(message, [name], "count the separate lm_head where the checkpoint has one (params as saved)")
