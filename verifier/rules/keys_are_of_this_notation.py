"""A config is written in the field names of its model_type.

Why: keys of another notation (Meta's dim, n_layers, n_heads in a Hugging Face config) are kept and ignored: a model
of default size is built.

Fix: the names of this family, or drop model_type so that the notation is recognised.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG019"
SEVERITY = Severity.WARNING
FIELDS = ("dim", "n_layers", "n_heads")
TARGETS = {
    "dim": "hidden_size",
    "d_model": "hidden_size",
    "n_embd": "hidden_size",
    "hidden_dim": "intermediate_size",
    "n_layers": "num_hidden_layers",
    "n_layer": "num_hidden_layers",
    "num_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "n_head": "num_attention_heads",
    "num_heads": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads",
    "num_kv_heads": "num_key_value_heads",
    "num_query_groups": "num_key_value_heads",
    "n_inner": "intermediate_size",
    "ffn_hidden_size": "intermediate_size",
    "ffn_dim": "intermediate_size",
    "n_positions": "max_position_embeddings",
    "max_seq_len": "max_position_embeddings",
    "n_vocab": "vocab_size",
    "norm_eps": "rms_norm_eps",
}
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
}
BAD = {"model_type": "llama", "dim": 64, "n_layers": 2, "n_heads": 4}


def check(v: View) -> Iterator[Finding]:
    known = {*v.known.get("fields", {}), *v.known.get("aliases", {})}
    if not known:
        return
    foreign = {
        key: target
        for key, target in TARGETS.items()
        if key in v.raw and key not in known and not v.was_read(key) and target in known
    }
    ignored = {k: t for k, t in foreign.items() if not any(s in v.raw for s in v.config.names(t))}
    if not ignored or (len(ignored) < 2 and len(next(iter(ignored))) < 6):
        return
    defaults = [f"{v.name(t)} {v.value(t)}" for t in ignored.values() if v.value(t) is not None]
    names = [v.config.prefix + k for k in ignored]
    taken = f": the defaults are taken ({', '.join(defaults)})" if defaults else ""
    fix = "; ".join(f"rename {k} to {v.name(t)}" for k, t in ignored.items())
    yield finding(
        f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} not read by {v.model_type}{taken}", names, fix
    )
