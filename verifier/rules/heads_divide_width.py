"""The heads cut the width into equal parts, unless a head size is given that the family reads.

Why: a head takes width / heads channels; what is left over belongs to no head. Some libraries refuse, others round
down and the model is narrower than it says. It is the condition of the kernel `split_heads`.

Fix: a width that is a multiple of the heads, a number of heads that divides it, or an explicit head_dim where the
family reads one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..architectures.counting import broken_conditions
from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG003"
SEVERITY = Severity.ERROR
FIELDS = ("hidden_size", "num_attention_heads")
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
}
PAIRS = (
    ("hidden_size", "num_attention_heads"),
    ("d_model", "encoder_attention_heads"),
    ("d_model", "decoder_attention_heads"),
    ("hidden_size", "num_encoder_attention_heads"),
    ("hidden_size", "num_decoder_attention_heads"),
)
OWN_HEADS = frozenset(
    {"t5", "mt5", "umt5", "longt5", "jetmoe", "mobilebert", "whisper", "bart", "mbart", "marian", "pegasus"}
) | {"plbart", "m2m_100", "mvp", "blenderbot", "blenderbot-small", "prophetnet", "xlm-prophetnet"}
BAD = {"model_type": "gpt2", "n_embd": 100, "n_head": 12}


def check(v: View) -> Iterator[Finding]:
    for width_field, heads_field in PAIRS:
        width, heads = v.size(width_field), v.size(heads_field)
        if width is None or heads is None or not applies(v, heads_field):
            continue
        if broken_conditions("split_heads", {"d_model": width, "h": heads, "n": 1}):
            w, h = v.name(width_field), v.name(heads_field)
            below, near = width // heads * heads, nearest_divisor(width, heads, v.size("num_key_value_heads") or 1)
            options = [f"{w} = {below or heads}"]
            if near is not None:
                options.append(f"{h} = {near}")
            if v.was_read("head_dim"):
                options.append("an explicit head_dim")
            rest = f"{width} = {heads} * {width // heads} + {width % heads}"
            message = f"{h} = {heads} does not divide {w} = {width}: {rest}, {width % heads} channels belong to no head"
            yield finding(message, [w, h], ", or ".join(options))


def applies(v: View, heads_field: str) -> bool:
    """Whether the head size follows from the width: no head size is given, or the family has none to give."""
    if heads_field != "num_attention_heads":
        return heads_field in v.raw or v.was_read(heads_field)
    latent = v.size("kv_lora_rank") is not None and v.size("qk_nope_head_dim") is not None
    own = any(v.size(n) is not None for n in ("d_kv", "kv_channels", "attention_head_size"))
    if latent or own or v.model_type in OWN_HEADS:
        return False
    given = v.size("head_dim") is not None
    return not (given and (v.was_read("head_dim") or v.architecture is None)) and bool(v.raw)


def nearest_divisor(width: int, heads: int, groups: int) -> int | None:
    """The number of heads nearest to the one given that divides the width, and that the key/value heads divide."""
    for distance in range(min(heads, 4096)):
        for candidate in (heads - distance, heads + distance):
            if candidate > 0 and width % candidate == 0 and candidate % groups == 0:
                return candidate
    return None
