"""Pieces that families are put together from: each gives the parts of one sub-module, with its weights' names.

What belongs here binds a kernel's sizes and says how its parameters are saved; which config field a size comes from
is a family's business.
"""

from .attention import attention, cross_attention
from .embeddings import embedding, prepended, table
from .experts import experts, shared_expert
from .feed_forward import gated, plain
from .heads import bias_alone, head, project
from .norms import norm

__all__ = [
    "attention",
    "bias_alone",
    "cross_attention",
    "embedding",
    "experts",
    "gated",
    "head",
    "norm",
    "plain",
    "prepended",
    "project",
    "shared_expert",
    "table",
]
