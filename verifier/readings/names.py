"""Names by which the field calls its sizes, where nothing else tells what an axis is."""

from __future__ import annotations

BATCH = frozenset({"b", "B", "bs", "bsz", "batch", "batch_size", "nbatch", "n_batch", "samples", "n_samples"})
"""Independent examples; positions are never counted along them."""

TOKENS = frozenset(
    {"n", "m", "t", "s", "l", "N", "M", "T", "S", "L", "seq", "seq_len", "seqlen", "length", "tokens", "n_tokens"}
    | {"q_len", "k_len", "kv_len", "n_q", "n_k", "queries", "keys", "n_queries", "n_keys", "time"}
)
"""Places of a sequence."""

HEADS = frozenset({"h", "H", "heads", "n_heads", "num_heads", "n_head", "nheads"})
"""Heads of attention."""

__all__ = ["BATCH", "HEADS", "TOKENS"]
