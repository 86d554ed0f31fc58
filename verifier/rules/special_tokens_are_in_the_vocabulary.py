"""Special tokens are tokens: their ids are below vocab_size.

Why: an end token that no logit stands for is never produced, so that generation never stops; a padding id outside
the table raises when the embedding is built.

Fix: the tokenizer's ids, or the tokenizer's vocabulary size.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG012"
SEVERITY = Severity.WARNING
FIELDS = ("eos_token_id", "bos_token_id", "pad_token_id", "vocab_size")
GOOD = {"model_type": "qwen2", "vocab_size": 256, "eos_token_id": 2}
EFFECTS = {
    "eos_token_id": "generation can never stop",
    "bos_token_id": "the first token has no embedding",
    "pad_token_id": "the embedding cannot be built",
    "decoder_start_token_id": "decoding cannot start",
    "sep_token_id": "pairs cannot be separated",
    "cls_token_id": "nothing can be classified",
    "mask_token_id": "nothing can be masked",
}
BAD = {"model_type": "qwen2", "vocab_size": 256, "eos_token_id": 300}


def check(v: View) -> Iterator[Finding]:
    vocabulary = v.size("vocab_size")
    if vocabulary is None:
        return
    if v.model_type == "marian" and v.size("decoder_vocab_size") is not None:
        vocabulary = max(vocabulary, v.size("decoder_vocab_size") or 0)
    size = v.name("vocab_size")
    for field, effect in EFFECTS.items():
        value = v.raw.get(field)
        ids = value if isinstance(value, list) else [value]
        outside = [i for i in ids if type(i) is int and i >= vocabulary]
        negative = [i for i in ids if type(i) is int and i < 0 and not (field == "pad_token_id" and i == -1)]
        name = v.config.prefix + field
        strange = [i for i in ids if i is not None and type(i) is not int]
        if strange:
            message = f"{name} has {strange[0]!r:.40}, which is no token id: {effect}"
            yield finding(message, [name], "a whole number, or a list of them", Severity.ERROR)
        if outside:
            severity = Severity.ERROR if field == "pad_token_id" else None
            message = f"{name} = {outside[0]} is outside the vocabulary of {vocabulary}: {effect}"
            yield finding(
                message, [name, size], f"an id below {vocabulary}, or {size} = {outside[0] + 1} or more", severity
            )
        elif negative:
            yield finding(f"{name} = {negative[0]} is no token: {effect}", [name], "an id of at least 0, or null")
    pad = v.value("pad_token_id")
    if (
        not v.given("pad_token_id")
        and not v.is_generic
        and type(pad) is int
        and pad >= vocabulary
        and v.was_read("vocab_size")
    ):
        name = v.name("pad_token_id")
        message = f"{name} is left out, so the default {pad} of {v.model_type} is taken, outside {vocabulary} tokens"
        message += f": {EFFECTS['pad_token_id']}"
        yield finding(message, [name, size], f"{name} = 0, or null", Severity.ERROR)
