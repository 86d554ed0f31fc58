"""How the benchmark makes a configuration of transformer-lens: every size a symbol, the texts chosen."""

from transformer_lens.HookedTransformerConfig import HookedTransformerConfig


def config(
    n_layers: int, d_model: int, n_ctx: int, d_head: int, n_heads: int, d_mlp: int, d_vocab: int
) -> HookedTransformerConfig:
    """A decoder of GPT-2's kind."""
    return HookedTransformerConfig(
        n_layers=n_layers,
        d_model=d_model,
        n_ctx=n_ctx,
        d_head=d_head,
        n_heads=n_heads,
        d_mlp=d_mlp,
        d_vocab=d_vocab,
        act_fn="gelu",
        init_weights=False,
        device="cpu",
    )
