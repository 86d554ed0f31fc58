"""How the benchmark makes configurations of llamascopium.

pydantic's validators want plain numbers, so that the objects are constructed without them.
"""

from typing import Any

from llamascopium.models.clt import CLTConfig
from llamascopium.models.crosscoder import CrosscoderConfig
from llamascopium.models.lorsa import LorsaConfig
from llamascopium.models.molt import MOLTConfig
from llamascopium.models.sae import SAEConfig


class Factor:
    """d_sae over d_model, such that `d_model * factor` is d_sae exactly, which of floats does not always hold."""

    def __init__(self, d_model: int, d_sae: int) -> None:
        self.d_model, self.d_sae = d_model, d_sae

    def __rmul__(self, d_model: int) -> int:
        return self.d_sae

    def __sub__(self, ratio: float) -> float:
        return self.d_sae / self.d_model - ratio


def common(d_model: int, d_sae: int) -> dict[str, Any]:
    """What all have."""
    return {"d_model": d_model, "expansion_factor": Factor(d_model, d_sae), "norm_activation": "inference"}


def sae(d_model: int, d_sae: int, use_glu_encoder: bool) -> SAEConfig:
    return SAEConfig.model_construct(
        **common(d_model, d_sae), hook_point_in="in", hook_point_out="out", use_glu_encoder=use_glu_encoder
    )


def crosscoder(d_model: int, d_sae: int, n_heads: int) -> CrosscoderConfig:
    return CrosscoderConfig.model_construct(**common(d_model, d_sae), hook_points=[f"{i}" for i in range(n_heads)])


def clt(d_model: int, d_sae: int, n_layers: int) -> CLTConfig:
    names = range(n_layers)
    return CLTConfig.model_construct(
        **common(d_model, d_sae), hook_points_in=[f"in {i}" for i in names], hook_points_out=[f"out {i}" for i in names]
    )


def molt(d_model: int, d_sae: int) -> MOLTConfig:
    """One transform of rank 2, all others of rank 1."""
    return MOLTConfig.model_construct(
        **common(d_model, d_sae), hook_point_in="in", hook_point_out="out", rank_counts={1: d_sae - 1, 2: 1}
    )


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
