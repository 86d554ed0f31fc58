"""Probabilities lie between 0 and 1, and small constants are positive.

Why: a dropout of 10 (per cent) or a norm epsilon of 0 is a slip: dropout raises in training, epsilon 0 divides by
zero on a zero vector.

Fix: a fraction; epsilon near 1e-6; rope_theta of at least 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG032"
SEVERITY = Severity.WARNING
FIELDS = ("attention_dropout",)
PROBABILITY = re.compile(r"(^|_)(dropout|pdrop|layerdrop|drop_rate|drop_path_rate|dropout_prob|dropout_rate)$")
EPSILONS = frozenset({"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_epsilon", "norm_eps"})
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "attention_dropout": 0.1,
}
BAD = {"model_type": "llama", "attention_dropout": 10}


def check(v: View) -> Iterator[Finding]:
    for key, value in v.raw.items():
        name = v.config.prefix + key
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if PROBABILITY.search(key):
            if number and not 0 <= value <= 1:
                yield finding(f"{name} = {value} is no probability", [name], f"{name} = 0.1, say")
            elif isinstance(value, str):
                yield finding(
                    f"{name} = {value!r:.40} is text, not a number", [name], f"{name} = 0.1, say", Severity.ERROR
                )
        elif key in EPSILONS:
            if isinstance(value, str):
                message = f"{name} = {value!r:.40} is text, not a number"
                fix = f"{name} = {as_number(value) or 1e-06} without quotes"
                yield finding(message, [name], fix, Severity.ERROR)
            elif number and not 0 < value < 0.1:
                yield finding(f"{name} = {value} is no small positive number", [name], f"{name} = 1e-06")
        elif key == "rope_theta" and (isinstance(value, str) or (number and value <= 0)):
            meant = as_number(value) if isinstance(value, str) else None
            fix = f"{name} = {meant} without quotes" if meant else f"{name} = 10000.0"
            yield finding(f"{name} = {value!r:.40} is no positive number", [name], fix, Severity.ERROR)
        elif key in ("initializer_range", "initializer_factor", "init_std") and number and value < 0:
            message = f"{name} = {value} is negative: the weights' standard deviation is not"
            yield finding(message, [name], f"{name} = {abs(value)}", Severity.ERROR)
        elif key in ("partial_rotary_factor", "rotary_pct") and number and not 0 < value <= 1:
            yield finding(f"{name} = {value} is no part of a head", [name], f"{name} between 0 and 1", Severity.ERROR)


def as_number(text: str) -> float | None:
    """The positive number that a text writes; None where it writes none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value < float("inf") else None
