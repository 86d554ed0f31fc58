"""Mamba and Falcon-Mamba: selective state spaces alone, no attention and no positions."""

from __future__ import annotations

from ..blocks import embedding, head, norm
from ..decoder import ending
from ..fields import Config, FieldError
from ..part import Architecture
from ..state_space import keeps, selective

MODEL_TYPES = ("mamba", "falcon_mamba")


def build(c: Config) -> Architecture:
    a = Architecture(kind="decoder")
    width, layers, state = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("state_size")
    inner = expanded(c, width)
    window = c.size("conv_kernel")
    base = "backbone." if ending(c) != "base" else ""
    path = f"{base}layers.*"
    a.add(embedding(f"{base}embeddings.weight", c.size("vocab_size"), width))
    a.add(norm(f"{path}.norm", width, count=layers))
    biases = {"bias": c.flag("use_bias", False), "conv_bias": c.flag("use_conv_bias", True)}
    a.add(selective(f"{path}.mixer", width, inner, state, step_rank(c, width), window, layers, **biases))
    a.add(norm(f"{base}norm_f", width))
    finish(a, c, f"{base}embeddings.weight", width)
    keeps(a, inner * (state + window), layers)
    return a


def expanded(c: Config, width: int, name: str = "expand") -> int:
    """The channels inside: `expand` times the width, rounded down."""
    factor = c.get(name)
    if isinstance(factor, bool) or not isinstance(factor, (int, float)) or not 0 < factor < 1e6:
        raise FieldError(c.written(name), f"{c.written(name)} = {factor!r} is no factor", remedy="2, say")
    return factor * width if type(factor) is int else int(factor * c.number("hidden_size"))


def step_rank(c: Config, width: int, name: str = "time_step_rank") -> int:
    """The rank of the step sizes: a sixteenth of the width, rounded up, where the field says "auto"."""
    given = c.get(name)
    if isinstance(given, str) and given != "auto":
        fact = f"{c.written(name)} = {given!r:.40} is neither a whole number nor 'auto'"
        raise FieldError(c.written(name), fact, remedy='"auto", or a plain integer')
    return (width + 15) // 16 if given == "auto" else c.size(name)


def finish(a: Architecture, c: Config, table: str, width: int) -> None:
    """The head over the vocabulary, and the facts of a model without attention."""
    tied = c.tied()
    if ending(c) == "lm":
        a.add(head("lm_head", width, c.size("vocab_size"), tied=tied))
        if tied:
            a.tied.append((table, "lm_head.weight"))
    a.facts.update(
        width=width, layers=c.size("num_hidden_layers"), vocabulary=c.size("vocab_size"), tied=tied, rotary=None
    )
