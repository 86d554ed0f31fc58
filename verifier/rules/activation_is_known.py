"""The activation is one that the library has.

Why: the name is looked up in a table; an unknown one raises when the model is built.

Fix: the nearest known name.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG031"
SEVERITY = Severity.ERROR
FIELDS = ("hidden_act",)
KNOWN = frozenset(
    [
        "gelu",
        "gelu_10",
        "gelu_fast",
        "gelu_new",
        "gelu_python",
        "gelu_pytorch_tanh",
        "gelu_python_tanh",
        "gelu_accurate",
        "hardswish",
        "laplace",
        "leaky_relu",
        "linear",
        "mish",
        "quick_gelu",
        "relu",
        "relu2",
        "relu6",
        "sigmoid",
        "silu",
        "sqrtsoftplus",
        "swish",
        "tanh",
        "prelu",
        "xielu",
        "geglu",
        "glu",
        "selu",
        "swiglu_oai",
        "swigluoai",
        "gelu_erf",
        "elu",
    ]
)
GOOD = {"model_type": "llama", "hidden_act": "silu"}
BAD = {"model_type": "llama", "hidden_act": "swiglu"}


def check(v: View) -> Iterator[Finding]:
    for field in ("hidden_act", "activation_function", "hidden_activation", "activation", "hidden_activation_function"):
        value = v.raw.get(field)
        if not isinstance(value, str) or value in KNOWN or v.is_generic or not v.given(field):
            continue
        name = v.config.prefix + field
        near = get_close_matches(value.lower(), KNOWN, 1, 0.5)
        hint = "silu" if "swi" in value.lower() else near[0] if near else "gelu"
        yield finding(f"{name} = {value!r} is no known activation", [name], f"{name} = {hint!r}")
