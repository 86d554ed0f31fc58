"""How the benchmark makes a configuration of transformer-lens: every size a symbol, the texts chosen."""

from transformer_lens.HookedTransformerConfig import HookedTransformerConfig


def config(
    n_layers: int,
    d_model: int,
    n_ctx: int,
    d_head: int,
    n_heads: int,
    d_mlp: int,
    d_vocab: int,
    n_key_value_heads: int | None,
) -> HookedTransformerConfig:
    """A decoder with rotary positions, with and without grouped keys and values."""
    return HookedTransformerConfig(
        n_layers=n_layers,
        d_model=d_model,
        n_ctx=n_ctx,
        d_head=d_head,
        n_heads=n_heads,
        d_mlp=d_mlp,
        d_vocab=d_vocab,
        n_key_value_heads=n_key_value_heads,
        positional_embedding_type="rotary",
        act_fn="gelu",
        init_weights=False,
        device="cpu",
    )
