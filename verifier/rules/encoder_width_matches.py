"""A decoder takes an encoder's output at the width that its cross-attention was made for.

Why: keys and values are projected from the encoder's width: another width needs a projection between the two, or
cross_attention_hidden_size.

Fix: an encoder of that width, or a projection.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG028"
SEVERITY = Severity.ERROR
FIELDS = ("hidden_size", "cross_attention_hidden_size")
GOOD = (
    {"model_type": "bart", "d_model": 64, "encoder_attention_heads": 4, "decoder_attention_heads": 4},
    {"encoder_width": 64},
)
BAD = (
    {"model_type": "bart", "d_model": 64, "encoder_attention_heads": 4, "decoder_attention_heads": 4},
    {"encoder_width": 96},
)


def check(v: View) -> Iterator[Finding]:
    given, width = v.context.encoder_width, v.fact("width")
    if width is None:
        return
    own = v.size("cross_attention_hidden_size")
    name = v.name("cross_attention_hidden_size" if own is not None else "hidden_size")
    if given is not None and given != (own or width):
        message = f"the encoder gives vectors of {given}, cross-attention takes {own or width} ({name})"
        yield finding(message, [name], f"an encoder of {own or width}, or a projection from {given} to {own or width}")
    encoder, decoder = v.raw.get("encoder"), v.raw.get("decoder")
    if isinstance(encoder, dict) and isinstance(decoder, dict):
        e = encoder.get("hidden_size", encoder.get("d_model"))
        d = decoder.get("cross_attention_hidden_size", decoder.get("hidden_size", decoder.get("d_model")))
        if type(e) is int and type(d) is int and e != d:
            names = ["encoder.hidden_size", "decoder.hidden_size"]
            message = f"encoder.hidden_size = {e}, decoder.hidden_size = {d}: a projection is added between them"
            yield finding(message, names, "nothing to do where the library adds one", Severity.INFO)
