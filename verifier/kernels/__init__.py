"""Attention and its relatives in NumPy, one kernel a file named after it; jaxtyping and beartype check every call.

What belongs here is a function that people would run: plain NumPy, axes in its annotations, nothing of ours
imported. Everything the tool says of attention is read off these functions.

Names: n queries, m keys, h heads, d_model the width of a token, d_k of queries and keys, d_v of values. An argument
named `W_...`, `b_...`, `gain` or `bias` is learned; every other is an activation.
"""

from .attention_scores import attention_scores
from .causal_mask import causal_mask
from .concatenate_heads import concatenate_heads
from .concatenate_pair import concatenate_pair
from .cross_attention import cross_attention
from .decode_step import decode_step
from .multi_head_attention import multi_head_attention
from .output_projection import output_projection
from .project_and_add import project_and_add
from .project_heads import project_heads
from .scaled_dot_product_attention import scaled_dot_product_attention
from .self_attention import self_attention
from .single_head_attention import single_head_attention
from .sinusoidal_positional_encoding import sinusoidal_positional_encoding
from .softmax import softmax
from .split_heads import split_heads
from .sum_heads import sum_heads
from .weighted_values import weighted_values

__all__ = [
    "attention_scores",
    "causal_mask",
    "concatenate_heads",
    "concatenate_pair",
    "cross_attention",
    "decode_step",
    "multi_head_attention",
    "output_projection",
    "project_and_add",
    "project_heads",
    "scaled_dot_product_attention",
    "self_attention",
    "single_head_attention",
    "sinusoidal_positional_encoding",
    "softmax",
    "split_heads",
    "sum_heads",
    "weighted_values",
]
