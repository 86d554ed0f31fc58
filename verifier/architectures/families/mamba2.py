"""Mamba 2 (Codestral-Mamba): state spaces with one decay a head, no attention and no positions."""

from __future__ import annotations

from ..blocks import embedding, norm
from ..decoder import ending
from ..fields import Config, FieldError
from ..part import Architecture
from ..state_space import keeps, scalar_decay
from .mamba import expanded, finish

MODEL_TYPES = ("mamba2",)


def build(c: Config) -> Architecture:
    a = Architecture(kind="decoder")
    width, layers, state = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("state_size")
    heads, dim, groups, window = c.size("num_heads"), c.size("head_dim"), c.size("n_groups"), c.size("conv_kernel")
    inner, wanted = c.number("num_heads") * c.number("head_dim"), expanded(c, c.number("hidden_size"))
    if inner != wanted:
        fact = f"num_heads * head_dim = {inner} is not expand * hidden_size = {wanted}"
        raise FieldError(c.written("num_heads"), fact, remedy=f"num_heads = {wanted // c.number('head_dim')}, say")
    base = "backbone." if ending(c) != "base" else ""
    path = f"{base}layers.*"
    a.add(embedding(f"{base}embeddings.weight", c.size("vocab_size"), width))
    a.add(norm(f"{path}.norm", width, count=layers))
    biases = {"bias": c.flag("use_bias", False), "conv_bias": c.flag("use_conv_bias", True)}
    chunk = c.number("chunk_size", 256)
    a.add(scalar_decay(f"{path}.mixer", width, heads, dim, groups, state, window, chunk, layers, **biases))
    a.add(norm(f"{base}norm_f", width))
    finish(a, c, f"{base}embeddings.weight", width)
    keeps(a, heads * dim * state + (heads * dim + 2 * groups * state) * window, layers)
    return a
