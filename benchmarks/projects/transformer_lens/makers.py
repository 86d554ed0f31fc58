"""How the benchmark makes objects of transformer-lens: every size a symbol, the texts chosen."""

import torch
from jaxtyping import Float
from transformer_lens import ActivationCache, HookedEncoder, HookedEncoderDecoder, HookedTransformer
from transformer_lens.components import T5Attention, T5Block
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


def encoder(
    n_layers: int, d_model: int, n_ctx: int, d_head: int, n_heads: int, d_mlp: int, d_vocab: int
) -> HookedEncoder:
    """An encoder with a table of positions, as BERT has it."""
    told = config(n_layers, d_model, n_ctx, d_head, n_heads, d_mlp, d_vocab, None)
    told.positional_embedding_type = "standard"
    return HookedEncoder(told)


def _t5(
    n_layers: int, d_model: int, n_ctx: int, d_head: int, n_heads: int, d_mlp: int, d_vocab: int
) -> HookedTransformerConfig:
    """Positions as T5 was published with: 32 buckets of distances up to 128."""
    return HookedTransformerConfig(
        n_layers=n_layers,
        d_model=d_model,
        n_ctx=n_ctx,
        d_head=d_head,
        n_heads=n_heads,
        d_mlp=d_mlp,
        d_vocab=d_vocab,
        positional_embedding_type="relative_positional_bias",
        relative_attention_num_buckets=32,
        relative_attention_max_distance=128,
        normalization_type="RMS",
        act_fn="relu",
        init_weights=False,
        device="cpu",
    )


def encoder_decoder(
    n_layers: int, d_model: int, n_ctx: int, d_head: int, n_heads: int, d_mlp: int, d_vocab: int
) -> HookedEncoderDecoder:
    return HookedEncoderDecoder(_t5(n_layers, d_model, n_ctx, d_head, n_heads, d_mlp, d_vocab))


def t5_block(d_model: int, n_ctx: int, d_head: int, n_heads: int, d_mlp: int, is_decoder: bool) -> T5Block:
    """The first block, which has the table of positions."""
    return T5Block(_t5(1, d_model, n_ctx, d_head, n_heads, d_mlp, 1), 0, is_decoder)


def t5_attention(d_model: int, n_ctx: int, d_head: int, n_heads: int) -> T5Attention:
    return T5Attention(_t5(1, d_model, n_ctx, d_head, n_heads, 1, 1), has_relative_attention_bias=True)


def cache(
    n_layers: int,
    d_model: int,
    d_head: int,
    n_heads: int,
    d_mlp: int,
    d_vocab: int,
    stream: Float[torch.Tensor, "batch pos d_model"],
) -> ActivationCache:
    """What a decoder with rotary positions leaves in its cache, by the names that its hooks have."""
    batch, pos, _ = stream.shape
    model = HookedTransformer(config(n_layers, d_model, pos, d_head, n_heads, d_mlp, d_vocab, None))
    kept = {"hook_embed": stream, "ln_final.hook_scale": stream[..., :1], "ln_final.hook_normalized": stream}
    for layer in range(n_layers):
        block = f"blocks.{layer}"
        for name in ("hook_resid_pre", "hook_resid_mid", "hook_resid_post", "hook_attn_out", "hook_mlp_out"):
            kept[f"{block}.{name}"] = stream
        for name in ("hook_q", "hook_k", "hook_v", "hook_z"):
            kept[f"{block}.attn.{name}"] = torch.empty(batch, pos, n_heads, d_head)
        for name in ("hook_attn_scores", "hook_pattern"):
            kept[f"{block}.attn.{name}"] = torch.empty(batch, n_heads, pos, pos)
        for name in ("hook_pre", "hook_post"):
            kept[f"{block}.mlp.{name}"] = torch.empty(batch, pos, d_mlp)
        for name in ("ln1", "ln2"):
            kept[f"{block}.{name}.hook_scale"] = stream[..., :1]
            kept[f"{block}.{name}.hook_normalized"] = stream
    return ActivationCache(kept, model)
