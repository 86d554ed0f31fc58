"""Granite with sliding windows: a learned sink for each head, dense or with experts."""

from __future__ import annotations

from ..blocks import bias_alone
from ..fields import Config
from ..part import Architecture
from . import granitemoe, llama

MODEL_TYPES = ("granite_swa", "granitemoe_swa")


def build(c: Config) -> Architecture:
    a = llama.build(c) if c.model_type == "granite_swa" else granitemoe.build(c)
    a.add(bias_alone("model.layers.*.self_attn.sinks", a.facts["heads"], count=a.facts["layers"], role="attention"))
    return a
