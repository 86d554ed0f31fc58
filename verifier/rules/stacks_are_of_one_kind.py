"""is_encoder_decoder and is_decoder say what the family is.

Why: the flags choose masks, caches and classes: an encoder-decoder family with is_encoder_decoder false is
generated from as if it were a decoder.

Fix: delete the flag, or set it to what the family is.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG039"
SEVERITY = Severity.WARNING
FIELDS = ("is_encoder_decoder",)
GOOD = {"model_type": "t5", "is_encoder_decoder": True}
BAD = {"model_type": "llama", "is_encoder_decoder": True}


def check(v: View) -> Iterator[Finding]:
    flag = v.raw.get("is_encoder_decoder")
    if v.architecture is None or v.is_generic or not isinstance(flag, bool):
        return
    both = v.architecture.kind == "encoder-decoder"
    only_encoder = v.architecture.kind == "encoder" and "EncoderModel" in v.config.architecture
    if flag != both and not only_encoder:
        name = v.name("is_encoder_decoder")
        message = f"{name} = {str(flag).lower()}, but {v.model_type} is {'an encoder-decoder' if both else 'none'}"
        yield finding(message, [name], f"delete {name}")
