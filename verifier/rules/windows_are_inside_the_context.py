"""A sliding window that is used is shorter than the context.

Why: a window as long as the context hides nothing; one that is given beside use_sliding_window false is not read;
layers of kind sliding_attention without a window see everything.

Fix: a shorter window, or none.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG034"
SEVERITY = Severity.INFO
FIELDS = ("sliding_window", "max_position_embeddings")
GOOD = {"model_type": "mistral", "sliding_window": 1024, "max_position_embeddings": 4096}
BAD = {"model_type": "mistral", "sliding_window": 8192, "max_position_embeddings": 4096}


def check(v: View) -> Iterator[Finding]:
    window, longest = v.value("sliding_window"), v.size("max_position_embeddings")
    w, m = v.name("sliding_window"), v.name("max_position_embeddings")
    kinds = v.raw.get("layer_types")
    slides = isinstance(kinds, list) and "sliding_attention" in kinds
    if slides and (window is None or v.value("use_sliding_window") is False):
        other = "use_sliding_window" if window is not None else "sliding_window"
        names = [v.name("layer_types"), v.name(other)]
        severity = Severity.WARNING if window is None else Severity.INFO
        message = f"{names[0]} has sliding_attention, but {names[1]} = {str(v.value(other)).lower()}"
        yield finding(message, names, "a window, or full_attention", severity)
    elif type(window) is int and longest is not None and window >= longest and v.given("sliding_window"):
        used = v.value("use_sliding_window")
        if used is not False and v.given("max_position_embeddings"):
            yield finding(
                f"{w} = {window} is not below {m} = {longest}: it hides nothing", [w, m], f"{w} = null, or less"
            )
    heads = v.size("max_window_layers")
    layers = v.size("num_hidden_layers")
    if (
        heads is not None
        and layers is not None
        and v.raw.get("use_sliding_window") is True
        and heads >= layers
        and not slides
    ):
        names = [v.name("max_window_layers"), v.name("num_hidden_layers")]
        message = f"{names[0]} = {heads} with {layers} layers: no layer has the window"
        yield finding(message, names, f"{names[0]} = {max(layers - 1, 0)} or less", Severity.WARNING)
