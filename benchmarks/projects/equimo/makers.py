"""How the benchmark makes what equimo's constructors leave open: registered words, stages, one of two widths.

Widths are symbols. What is a number here (depths, windows, resolutions) is one in the published configurations too.
"""

from typing import Literal

from equimo.experimental.text import TextEncoder, Transformer
from equimo.layers.attention import MllaBlock, RFAttentionBlock
from equimo.layers.convolution import ATConvBlock, C3k, C3k2, FasterNetBlock, FreeNetBlock
from equimo.layers.generic import WindowedSequence
from equimo.models import fastervit as faster
from equimo.models import partialformer as partial
from equimo.models.iformer import IFormer
from equimo.models.lowformer import LowFormer
from equimo.models.reduceformer import ReduceFormer
from equimo.models.shvit import BasicBlock
from jaxtyping import PRNGKeyArray


def at_conv_block(base: int, key: PRNGKeyArray) -> ATConvBlock:
    """A block of one width; of less than 8 channels, none would be hidden."""
    return ATConvBlock(8 * base, key=key)


def faster_net_block(base: int, key: PRNGKeyArray) -> FasterNetBlock:
    """A quarter of the channels is convolved."""
    return FasterNetBlock(4 * base, key=key)


def free_net_block(base: int, key: PRNGKeyArray) -> FreeNetBlock:
    """An eighth of the channels is sampled, by two kernels."""
    return FreeNetBlock(16 * base, key=key)


def c3k(base: int, key: PRNGKeyArray) -> C3k:
    """Half of the width is hidden; as many channels come out as go in, which the annotation says."""
    return C3k(2 * base, 2 * base, key=key)


def c3k2(base: int, c3k: Literal[True, False], key: PRNGKeyArray) -> C3k2:
    """A quarter of the width is hidden in the inner blocks; as many channels come out as go in."""
    return C3k2(4 * base, 4 * base, c3k=c3k, key=key)


def mlla_block(base: int, num_heads: int, key: PRNGKeyArray) -> MllaBlock:
    """Linear attention on 14 by 14 tokens."""
    return MllaBlock(2 * base * num_heads, input_resolution=(14, 14), num_heads=num_heads, key=key)


def rf_attention_block(base: int, key: PRNGKeyArray) -> RFAttentionBlock:
    """Heads of 32 channels."""
    return RFAttentionBlock(32 * base, key=key)


def windowed_sequence(base: int, depth: Literal[1, 2], key: PRNGKeyArray) -> WindowedSequence:
    """Generated convolutions in windows of 16 by 16."""
    return WindowedSequence(8 * base, depth, ATConvBlock, {}, key=key)


def text_transformer(base: int, num_heads: int, depth: Literal[1, 2], key: PRNGKeyArray) -> Transformer:
    """Four times the width is hidden."""
    return Transformer(base * num_heads, depth, num_heads, 4.0, key=key)


def text_encoder(base: int, num_heads: int, vocab_size: int, depth: Literal[1, 2], key: PRNGKeyArray) -> TextEncoder:
    """Four times the width is hidden."""
    return TextEncoder(base * num_heads, 4.0, depth, num_heads, vocab_size, key=key)


def shvit_block(base: int, qk_dim: int, block_type: Literal["s", "i"], key: PRNGKeyArray) -> BasicBlock:
    """A part of the channels attends."""
    return BasicBlock(4 * base, qk_dim, base, block_type, key=key)


def token_initializer(dim: int, key: PRNGKeyArray) -> faster.TokenInitializer:
    """One carrier token for each window of 7 by 7."""
    return faster.TokenInitializer(dim, 14, 7, key=key)


def fastervit_chunk(
    base: int, num_heads: int, block: Literal["doubleconvblock", "hatblock"], key: PRNGKeyArray
) -> faster.BlockChunk:
    """Two blocks of a stage with carrier tokens, whose windows are 7 by 7."""
    return faster.BlockChunk(14, 7, 2, block=block, dim=base * num_heads, num_heads=num_heads, key=key)


def fastervit(in_channels: int, base: int, in_dim: int, key: PRNGKeyArray) -> faster.FasterViT:
    """Four stages of one block."""
    return faster.FasterViT(
        img_size=224,
        in_channels=in_channels,
        dim=8 * base,
        in_dim=in_dim,
        num_heads=[2, 4, 8, 8],
        hat=[False, False, True, False],
        depths=[1, 1, 1, 1],
        window_size=[7, 7, 7, 7],
        ct_size=1,
        key=key,
    )


def partialformer_chunk(base: int, key: PRNGKeyArray) -> partial.BlockChunk:
    """Two blocks of two heads, whose patches are 7 by 7, half of them in the foreground."""
    return partial.BlockChunk(2, dim=8 * base, num_heads=2, foreground_ratio=0.5, patch_size=7, key=key)


def partialformer(in_channels: int, base: int, key: PRNGKeyArray) -> partial.PartialFormer:
    """Two stages of one block."""
    return partial.PartialFormer(
        img_size=112,
        in_channels=in_channels,
        dim=8 * base,
        num_heads=[2, 2],
        depths=[1, 1],
        foreground_ratios=(0.5, 0.5),
        key=key,
    )


def iformer(in_channels: int, base: int, key: PRNGKeyArray) -> IFormer:
    """Two stages, of convolutions and of attention."""
    return IFormer(
        in_channels,
        modules=["iformerblock", "shmablock"],
        module_kwargs=[{"kernel_size": 7, "expand_ratio": 3.0}, {"num_heads": 1, "head_dim_reduce_ratio": 2}],
        downsamplers=["iformerstem", "convnormdownsampler"],
        downsampler_kwargs=[{}, {}],
        dims=[8 * base, 16 * base],
        depths=[1, 1],
        key=key,
    )


def lowformer(
    in_channels: int, base: int, attention_type: Literal["softmax", "sigmoid"], key: PRNGKeyArray
) -> LowFormer:
    """A stem and two stages, of convolutions and of attention."""
    return LowFormer(
        in_channels,
        widths=[8 * base, 16 * base, 32 * base],
        depths=[1, 1, 1],
        att_strides=[2, 2, 1],
        block_types=["conv", "conv", "attention"],
        attention_type=attention_type,
        fuse_mbconv=True,
        key=key,
    )


def reduceformer(in_channels: int, base: int, key: PRNGKeyArray) -> ReduceFormer:
    """A stem and two stages, of convolutions and of attention."""
    return ReduceFormer(
        in_channels,
        widths=[8 * base, 16 * base, 32 * base],
        depths=[1, 1, 1],
        block_types=["conv", "conv", "attention"],
        key=key,
    )
