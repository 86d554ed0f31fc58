"""ModernBERT, encoder and decoder: gated feed-forward, rotary positions, most layers behind a window."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, embedding, gated, head, norm, project
from ..decoder import ending, number_of_labels
from ..fields import Config
from ..part import Architecture, Cache

MODEL_TYPES = ("modernbert", "modernbert-decoder")


def build(c: Config) -> Architecture:

    causal = c.model_type == "modernbert-decoder"
    width, layers, heads = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("num_attention_heads")
    inner, vocabulary = c.size("intermediate_size"), c.size("vocab_size")
    bias, kind = c.flag("attention_bias"), "layer" if c.flag("norm_bias") else "gain"
    top = ending(c)
    base = "" if top == "base" else "model."
    path = f"{base}layers.*"
    number, every = min(c.number("num_hidden_layers"), 100_000), c.number("global_attn_every_n_layers", 3)
    # Every `every`-th layer from the first sees everything; the window counts both sides, of which a decoder has one.
    window = c.number("local_attention", 128)
    span = window // 2 if causal else None
    types = c.list("layer_types") or [
        "full_attention" if i % every == 0 else "sliding_attention" for i in range(number)
    ]
    windows: dict[int | None, Any] = {}
    for kind_of_layer in types[:number]:
        seen = span if kind_of_layer == "sliding_attention" else None
        windows[seen] = windows.get(seen, 0) + 1
    a = Architecture(kind="decoder" if causal else "encoder")
    a.add(embedding(f"{base}embeddings.tok_embeddings.weight", vocabulary, width))
    a.add(norm(f"{base}embeddings.norm", width, kind))
    names: dict[str, Any] = {} if causal else {"fused": "Wqkv"}
    attn = f"{path}.attn"
    a.add(attention(attn, width, heads, width // heads, o="Wo", bias=bias, windows=windows, causal=causal, **names))
    a.add(norm(f"{path}.mlp_norm", width, kind, count=layers))
    both: dict[str, Any] = {"fused": "Wi", "down": "Wo"}
    a.add(gated(f"{path}.mlp", width, inner, bias=c.flag("mlp_bias"), count=layers, **both))
    a.add(norm(f"{path}.attn_norm", width, kind, count=layers - 1))
    a.add(norm(f"{base}final_norm", width, kind))
    tied = c.tied()
    place = "lm_head" if causal else "head"
    if top != "base":
        # A classifier pools first: its head sees one vector a sequence.
        seen: Any = 1 if top == "classify" else "new"
        a.add(project(f"{place}.dense", width, width, bias=c.flag("classifier_bias"), tokens=seen, role="head"))
        a.add(norm(f"{place}.norm", width, kind, role="head"))
    if top in ("lm", "mlm"):
        a.add(head("decoder", width, vocabulary, tied=tied, bias=c.flag("decoder_bias", True)))
        if tied:
            a.tied.append((f"{base}embeddings.tok_embeddings.weight", "decoder.weight"))
    elif top != "base":
        tokens: Any = 1 if top == "classify" else "new"
        a.add(project("classifier", width, number_of_labels(c), tokens=tokens, role="head"))
    if causal:
        a.caches.extend(Cache((width, width), count, w) for w, count in windows.items())
    a.facts.update(width=width, layers=layers, heads=heads, kv_heads=heads, head_dim=width // heads, inner=inner)
    a.facts.update(vocabulary=vocabulary, tied=tied, rotary="full")
    return a
