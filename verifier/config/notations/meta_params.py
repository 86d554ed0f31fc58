"""Meta's params.json: Llama's own notation, in which the feed-forward width is derived and not written."""

from __future__ import annotations

from math import isfinite
from typing import Any

TITLE = "Meta params.json"
KEYS = {"dim", "n_layers", "n_heads"}


def recognises(raw: dict[str, Any]) -> bool:
    return raw.keys() >= KEYS and not raw.keys() & {"hidden_dim", "inter_dim", "kv_lora_rank", "moe"}


def feed_forward_width(dim: int, multiple_of: int, multiplier: float | None) -> int:
    """Two thirds of four times the width, times the multiplier, rounded up to a multiple.

    Source: meta-llama/llama-models, models/llama3/model.py, class FeedForward.

    >>> feed_forward_width(4096, 1024, 1.3)
    14336
    """
    hidden = int(2 * (4 * dim) / 3)
    if multiplier is not None:
        hidden = int(multiplier * hidden)
    return multiple_of * ((hidden + multiple_of - 1) // multiple_of)


def translate(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    dim, heads = raw["dim"], raw["n_heads"]
    # Llama 3.2 is the one release that ties: its 1B and 3B text models, the only ones so narrow with scaled positions.
    tied = bool(raw.get("use_scaled_rope")) and type(dim) is int and dim <= 3072
    which = "taken as tied, as in Llama 3.2 1B and 3B" if tied else "taken as its own"
    notes = [f"params.json does not say whether the output layer is tied: it is {which}"]
    vocabulary = raw.get("vocab_size", -1)
    if vocabulary == -1:
        vocabulary = 32000
        notes.append("vocab_size -1 is left to the tokenizer: 32000, that of Llama 1 and 2, is taken")
    fields: dict[str, Any] = {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": dim,
        "num_hidden_layers": raw["n_layers"],
        "num_attention_heads": heads,
        "num_key_value_heads": raw.get("n_kv_heads") or heads,
        "vocab_size": vocabulary,
        "rms_norm_eps": raw.get("norm_eps", 1e-5),
        "rope_theta": raw.get("rope_theta", 10000.0),
        "tie_word_embeddings": tied,
        "max_position_embeddings": raw.get("max_seq_len", 131072 if raw.get("use_scaled_rope") else 4096),
    }
    multiple, factor = raw.get("multiple_of", 256), raw.get("ffn_dim_multiplier")
    usable = factor is None or (isinstance(factor, (int, float)) and isfinite(factor) and abs(factor) < 1e6)
    if type(dim) is int and type(multiple) is int and multiple > 0 and usable:
        fields["intermediate_size"] = feed_forward_width(dim, multiple, factor)
    return fields, notes
