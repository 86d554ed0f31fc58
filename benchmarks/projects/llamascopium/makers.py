"""How the benchmark makes configurations of llamascopium.

pydantic's validators want plain numbers, so that the objects are constructed without them.
"""

from fractions import Fraction
from typing import Any

from llamascopium.models.clt import CLTConfig
from llamascopium.models.crosscoder import CrosscoderConfig
from llamascopium.models.lorsa import LorsaConfig
from llamascopium.models.molt import MOLTConfig
from llamascopium.models.sae import SAEConfig


def common(d_model: int, d_sae: int) -> dict[str, Any]:
    """What all have; the factor is such that `int(d_model * factor)` is d_sae, which of floats does not always hold."""
    factor = Fraction(d_sae, d_model) if type(d_model) is type(d_sae) is int else d_sae / d_model
    return {"d_model": d_model, "expansion_factor": factor, "norm_activation": "inference"}


def sae(d_model: int, d_sae: int, use_glu_encoder: bool) -> SAEConfig:
    return SAEConfig.model_construct(
        **common(d_model, d_sae), hook_point_in="in", hook_point_out="out", use_glu_encoder=use_glu_encoder
    )


def crosscoder(d_model: int, d_sae: int) -> CrosscoderConfig:
    """Two heads."""
    return CrosscoderConfig.model_construct(**common(d_model, d_sae), hook_points=["a", "b"])


def clt(d_model: int, d_sae: int) -> CLTConfig:
    """Two layers."""
    return CLTConfig.model_construct(**common(d_model, d_sae), hook_points_in=["a", "b"], hook_points_out=["c", "d"])


def molt(d_model: int) -> MOLTConfig:
    """Two transforms of rank 1 and one of rank 2."""
    values = {**common(d_model, d_model), "hook_point_in": "in", "hook_point_out": "out", "rank_counts": {1: 2, 2: 1}}
    made = MOLTConfig.model_construct()
    made.__dict__.update(values)  # its check of the expansion factor, which it does not use, wants numbers
    return made


def lorsa(d_model: int, d_sae: int, n_qk_heads: int, d_qk_head: int, n_ctx: int) -> LorsaConfig:
    """Low-rank sparse attention with rotary positions."""
    return LorsaConfig.model_construct(
        **common(d_model, d_sae),
        hook_point_in="in",
        hook_point_out="out",
        n_qk_heads=n_qk_heads,
        d_qk_head=d_qk_head,
        rotary_dim=d_qk_head,
        n_ctx=n_ctx,
    )
