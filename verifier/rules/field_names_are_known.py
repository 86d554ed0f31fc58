"""A field that a family does not read has no effect: a misspelt one leaves the default in place.

Why: configs accept any key. `num_hidden_layer` is kept, ignored, and a model of the default depth is built.

Fix: use the nearest name that the family knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG002"
SEVERITY = Severity.WARNING
FIELDS = ("num_hidden_layers",)
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
}
COMMON = frozenset(
    [
        "model_type",
        "architectures",
        "torch_dtype",
        "dtype",
        "transformers_version",
        "auto_map",
        "_name_or_path",
        "name_or_path",
        "use_cache",
        "is_decoder",
        "is_encoder_decoder",
        "add_cross_attention",
        "tie_word_embeddings",
        "tie_encoder_decoder",
        "pruned_heads",
        "chunk_size_feed_forward",
        "output_hidden_states",
        "output_attentions",
        "return_dict",
        "id2label",
        "label2id",
        "num_labels",
        "problem_type",
        "bos_token_id",
        "eos_token_id",
        "pad_token_id",
        "sep_token_id",
        "decoder_start_token_id",
        "rope_theta",
        "rope_scaling",
        "rope_parameters",
        "quantization_config",
        "task_specific_params",
        "finetuning_task",
        "tokenizer_class",
        "prefix",
        "max_length",
        "min_length",
        "num_beams",
        "sliding_window_pattern",
        "layer_norm_epsilon",
        "initializer_range",
        "attn_implementation",
        "cross_attention_hidden_size",
        "torchscript",
        "do_sample",
        "temperature",
        "top_k",
        "top_p",
        "partial_rotary_factor",
        "unk_token_id",
        "cls_token_id",
        "mask_token_id",
        "layer_types",
        "head_dim",
    ]
)
HARMLESS = frozenset({"rms_norm_epsilon", "pretraining_tp", "attention_softmax_in_fp32", "initializer_factor"})
BAD = {"model_type": "qwen2", "num_hidden_layer": 2, "hidden_size": 64}


def check(v: View) -> Iterator[Finding]:
    known = set(v.known.get("fields", {})) | set(v.known.get("aliases", {}))
    if not known:
        return
    known |= COMMON | {s for n in v.read for s in v.config.names(n)}
    absent = [k for k in known if not any(s in v.raw for s in v.config.names(k))]
    for key in v.raw:
        if key in known or key in HARMLESS or len(key) < 5:
            continue
        plain = in_snake_case(key)
        near = [plain] if plain in absent else get_close_matches(key, absent, 1, 0.86)
        if near and (near[0] == plain or differs_by_a_slip(key, near[0])):
            default = v.value(near[0])
            left = "" if default is None or isinstance(default, (dict, list)) else f": the default {default!r} is taken"
            name = v.config.prefix + key
            fields = [name, v.config.prefix + near[0]]
            yield finding(
                f"{name} is no field of {v.model_type}, {near[0]} is{left}", fields, f"rename it to {near[0]}"
            )


def in_snake_case(key: str) -> str:
    """A key as a config spells keys: hiddenSize, hidden-size and "hidden_size " are hidden_size.

    >>> in_snake_case("numHiddenLayers"), in_snake_case("hidden-size ")
    ('num_hidden_layers', 'hidden_size')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key.strip()).replace("-", "_").replace(" ", "_").lower()


def differs_by_a_slip(key: str, known: str) -> bool:
    """Not by a word, as attention_probs_dropout and attention_dropout do, nor by a number, as lambda_1 and lambda_2."""
    ours, theirs = key.split("_"), known.split("_")
    if sorted(ours) == sorted(theirs):
        return True
    extra = [w for w in ours if w not in theirs], [w for w in theirs if w not in ours]
    if len(extra[0]) != 1 or len(extra[1]) != 1:
        return "".join(ours) == "".join(theirs)
    left, right = extra[0][0], extra[1][0]
    if left.isdigit() or right.isdigit():
        return False
    return bool(get_close_matches(left, [right], 1, 0.6))
