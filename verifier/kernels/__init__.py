"""Attention and its relatives in NumPy, one kernel a file named after it; jaxtyping and beartype check every call.

What belongs here is a function that people would run: plain NumPy, axes in its annotations, nothing of ours
imported. Everything the tool says of attention is read off these functions.

Names: n queries, m keys, h heads, d_model the width of a token, d_k of queries and keys, d_v of values. An argument
named `W_...`, `b_...`, `gain` or `bias` is learned; every other is an activation.
"""

from . import _decorating  # noqa: F401  # pyright: ignore[reportUnusedImport]  before the first decorator
from .absorbed_latent_attention import absorbed_latent_attention
from .alibi_bias import alibi_bias
from .attend_to_memory import attend_to_memory
from .attention_scores import attention_scores
from .bucketed_position_bias import bucketed_position_bias
from .cached_scores import cached_scores
from .causal_mask import causal_mask
from .concatenate_heads import concatenate_heads
from .concatenate_pair import concatenate_pair
from .content_to_position_scores import content_to_position_scores
from .cross_attention import cross_attention
from .decode_step import decode_step
from .delta_rule_chunks import delta_rule_chunks
from .delta_rule_system import delta_rule_system
from .depthwise_window import depthwise_window
from .embedding_lookup import embedding_lookup
from .feed_forward import feed_forward
from .gated_feed_forward import gated_feed_forward
from .gated_recurrence_step import gated_recurrence_step
from .grouped_query_attention import grouped_query_attention
from .head_gradients import head_gradients
from .index_scores import index_scores
from .latent_attention import latent_attention
from .layer_norm import layer_norm
from .learned_bias import learned_bias
from .linear import linear
from .mix_streams import mix_streams
from .mix_values import mix_values
from .multi_head_attention import multi_head_attention
from .output_projection import output_projection
from .patch_embedding import patch_embedding
from .prepend_token import prepend_token
from .project_and_add import project_and_add
from .project_heads import project_heads
from .project_memory import project_memory
from .rms_norm import rms_norm
from .rotary_embedding import rotary_embedding
from .routed_experts import routed_experts
from .routed_plain_experts import routed_plain_experts
from .routed_projection import routed_projection
from .router_scores import router_scores
from .scale_channels import scale_channels
from .scaled_dot_product_attention import scaled_dot_product_attention
from .selective_state_step import selective_state_step
from .self_attention import self_attention
from .single_head_attention import single_head_attention
from .sinusoidal_positional_encoding import sinusoidal_positional_encoding
from .softmax import softmax
from .softmax_gradient import softmax_gradient
from .split_heads import split_heads
from .state_space_chunks import state_space_chunks
from .state_space_step import state_space_step
from .stream_scores import stream_scores
from .sum_heads import sum_heads
from .weighted_key_value_step import weighted_key_value_step
from .weighted_values import weighted_values
from .windowed_projection import windowed_projection

__all__ = [
    "absorbed_latent_attention",
    "alibi_bias",
    "attend_to_memory",
    "attention_scores",
    "bucketed_position_bias",
    "cached_scores",
    "causal_mask",
    "concatenate_heads",
    "concatenate_pair",
    "content_to_position_scores",
    "cross_attention",
    "decode_step",
    "delta_rule_chunks",
    "delta_rule_system",
    "depthwise_window",
    "embedding_lookup",
    "feed_forward",
    "gated_feed_forward",
    "gated_recurrence_step",
    "grouped_query_attention",
    "head_gradients",
    "index_scores",
    "latent_attention",
    "layer_norm",
    "learned_bias",
    "linear",
    "mix_streams",
    "mix_values",
    "multi_head_attention",
    "output_projection",
    "patch_embedding",
    "prepend_token",
    "project_and_add",
    "project_heads",
    "project_memory",
    "rms_norm",
    "rotary_embedding",
    "routed_experts",
    "routed_plain_experts",
    "routed_projection",
    "router_scores",
    "scale_channels",
    "scaled_dot_product_attention",
    "selective_state_step",
    "self_attention",
    "single_head_attention",
    "sinusoidal_positional_encoding",
    "softmax",
    "softmax_gradient",
    "split_heads",
    "state_space_chunks",
    "state_space_step",
    "stream_scores",
    "sum_heads",
    "weighted_key_value_step",
    "weighted_values",
    "windowed_projection",
]
