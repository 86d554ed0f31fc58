"""RWKV 4: a running average of values in place of attention, and a feed-forward that looks one token back."""

from __future__ import annotations

from typing import Any

from ..blocks import embedding, head, norm, project
from ..decoder import ending
from ..fields import Config
from ..part import Architecture, Part, Weight
from ..state_space import keeps

MODEL_TYPES = ("rwkv",)


def build(c: Config) -> Architecture:
    a = Architecture(kind="decoder")
    width, layers, vocabulary = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("vocab_size")
    mixed, inner = c.size("attention_hidden_size", width), c.size("intermediate_size", 4 * width)
    base = "rwkv." if ending(c) != "base" else ""
    path = f"{base}blocks.*"
    a.add(embedding(f"{base}embeddings.weight", vocabulary, width))
    a.add(norm(f"{path}.pre_ln", width, "layer"))
    a.add([norm(f"{path}.{name}", width, "layer", count=layers) for name in ("ln1", "ln2")])
    own = f"{path}.attention"
    read = (Weight(f"{own}.time_first", "d", ("W_first",)), Weight(f"{own}.time_decay", "d", ("W_decay",)))
    a.add(Part("time mixing", "weighted_key_value_step", {"n": "new", "d": mixed}, read, count=layers))
    each: dict[str, Any] = {"bias": False, "count": layers}
    for name in ("key", "value", "receptance"):
        a.add(shift(f"{own}.time_mix_{name}", width, layers))
        a.add(project(f"{own}.{name}", width, mixed, role="time mixing", **each))
    a.add(project(f"{own}.output", mixed, width, role="time mixing", **each))
    feed = f"{path}.feed_forward"
    for name in ("key", "receptance"):
        a.add(shift(f"{feed}.time_mix_{name}", width, layers))
    for name, (inside, outside) in {
        "key": (width, inner),
        "receptance": (width, width),
        "value": (inner, width),
    }.items():
        a.add(project(f"{feed}.{name}", inside, outside, role="feed-forward", **each))
    a.add(norm(f"{base}ln_out", width, "layer"))
    tied = c.tied()
    if ending(c) == "lm":
        a.add(head("head", width, vocabulary, tied=tied))
        if tied:
            a.tied.append((f"{base}embeddings.weight", "head.weight"))
    keeps(a, 2 * width + 3 * mixed, layers)
    a.facts.update(width=width, layers=layers, inner=inner, vocabulary=vocabulary, tied=tied, rotary=None)
    return a


def shift(name: str, width: Any, layers: Any) -> Part:
    """How much of the token before is mixed into each channel."""
    sizes = {"n": "new", "d": width}
    return Part("time mixing", "scale_channels", sizes, (Weight(name, "1 1 d", ("gain",)),), count=layers)
