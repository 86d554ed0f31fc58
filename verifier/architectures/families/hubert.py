"""HuBERT, wav2vec 2.0 and WavLM: strided convolutions over samples, one for positions, a text-like encoder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..blocks import attention, bias_alone, norm, plain, project, table
from ..decoder import number_of_labels
from ..fields import Config, FieldError
from ..part import Architecture, Part, Weight

MODEL_TYPES = ("hubert", "wav2vec2", "wavlm", "unispeech", "unispeech-sat")


def build(c: Config) -> Architecture:

    a = Architecture(kind="speech")
    width, layers, heads = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("num_attention_heads")
    inner = c.size("intermediate_size")
    name = c.architecture
    base = "" if name.endswith("Model") else f"{c.model_type.replace('-', '_')}."
    dims, kernels, strides = convolutions(c)
    if mask_prob(c):
        a.add(bias_alone(f"{base}masked_spec_embed", width, role="embedding"))
    inside = 1
    path = f"{base}feature_extractor.conv_layers.*"
    layer_norms = c.text("feat_extract_norm", "group") == "layer"
    for i, (dim, kernel) in enumerate(zip(dims, kernels, strict=True)):
        sizes = {"n": f"frames{i}", "groups": 1, "d_out": dim, "c": inside, "w": kernel}
        weights = [Weight(f"{path}.conv.weight", "(groups d_out) c w", ("W",))]
        if c.flag("conv_bias"):
            weights.append(Weight(f"{path}.conv.bias", "(groups d_out)", ("bias",)))
        optional = frozenset({"bias"} if c.flag("conv_bias") else ())
        constants = frozenset({"windows"} if i == 0 else ())
        a.add(Part("convolution", "windowed_projection", sizes, tuple(weights), optional, constants=constants))
        if layer_norms or i == 0:
            a.add(norm(f"{path}.layer_norm", dim, "layer"))
        inside = dim
    if c.flag("feat_proj_layer_norm", True):
        a.add(norm(f"{base}feature_projection.layer_norm", inside, "layer"))
    a.add(project(f"{base}feature_projection.projection", inside, width))
    a.add(position_convolution(c, f"{base}encoder.pos_conv_embed.conv", width))
    a.add(norm(f"{base}encoder.layer_norm", width, "layer"))
    own = f"{base}encoder.layers.*"
    dim = width // heads
    a.add(attention(f"{own}.attention", width, heads, dim, o="out_proj", bias=True, causal=False, count=layers))
    if c.model_type == "wavlm":
        a.add(gated_positions(c, f"{own}.attention", heads, dim, layers))
    a.add(norm(f"{own}.layer_norm", width, "layer", count=layers))
    feed = f"{own}.feed_forward"
    a.add(plain(f"{feed}.intermediate_dense", f"{feed}.output_dense", width, inner, count=layers))
    a.add(norm(f"{own}.final_layer_norm", width, "layer", count=layers))
    if "CTC" in name:
        a.add(project("lm_head", width, c.size("vocab_size"), role="head"))
    elif "SequenceClassification" in name:
        middle = c.size("classifier_proj_size")
        a.add(project("projector", width, middle, role="head"))
        a.add(project("classifier", middle, number_of_labels(c), tokens=1, role="head"))
    a.facts.update(width=width, layers=layers, heads=heads, kv_heads=heads, head_dim=dim, inner=inner)
    a.facts.update(tied=False, rotary=None, frames=lambda samples: lengths_of(c, samples, kernels, strides))
    a.lengths = lengths_of(c, 16000, kernels, strides)
    return a


def gated_positions(c: Config, name: str, heads: Any, dim: Any, layers: Any) -> list[Part]:
    """WavLM's bias for buckets of distances, saved with the first layer, and its gate of eight numbers a head."""
    constant = Weight(f"{name}.gru_rel_pos_const", "1 d 1 1", ("bias",))
    gate = project(f"{name}.gru_rel_pos_linear", dim, 8, count=layers, role="position")
    return [
        Part("position", "learned_bias", {"n": "new", "d": heads}, (constant,), count=layers),
        replace(gate, runs=layers * heads),
        table(f"{name}.rel_attn_embed.weight", c.size("num_buckets"), heads),
    ]


def mask_prob(c: Config) -> bool:
    """Whether a mask vector is learned: either probability of masking is above 0."""
    return any(isinstance(p, (int, float)) and p > 0 for p in (c.get("mask_time_prob"), c.get("mask_feature_prob")))


def convolutions(c: Config) -> tuple[list[int], list[int], list[int]]:
    """Channels, kernel and stride of each convolution."""
    lists = [c.list(name) or [] for name in ("conv_dim", "conv_kernel", "conv_stride")]
    if len({len(x) for x in lists}) != 1 or not all(type(v) is int and v > 0 for x in lists for v in x):
        raise FieldError("conv_dim", f"conv_dim, conv_kernel and conv_stride have {[len(x) for x in lists]} entries")
    return lists[0], lists[1], lists[2]


def lengths_of(c: Config, samples: int, kernels: list[int], strides: list[int]) -> dict[str, int]:
    """How many windows each convolution sees, without padding; the last is the encoder's length.

    The position convolution pads half its window on both sides: an even one makes one window too many, cut off after.
    """
    lengths: dict[str, int] = {}
    for i, (kernel, stride) in enumerate(zip(kernels, strides, strict=True)):
        samples = max((samples - kernel) // stride + 1, 0)
        lengths[f"frames{i}"] = samples
    return {**lengths, "new": samples, "padded": samples + (c.number("num_conv_pos_embeddings") % 2 == 0)}


def position_convolution(c: Config, name: str, width: Any) -> Part:
    """A grouped convolution whose weight is saved as direction and length along the window."""
    groups, window = c.number("num_conv_pos_embedding_groups"), c.size("num_conv_pos_embeddings")
    sizes = {"n": "padded", "groups": groups, "d_out": width // groups, "c": width // groups, "w": window}
    weights = (
        Weight(f"{name}.bias", "(groups d_out)", ("bias",)),
        Weight(f"{name}.parametrizations.weight.original0", "1 1 w", ()),
        Weight(f"{name}.parametrizations.weight.original1", "(groups d_out) c w", ("W",)),
    )
    return Part("position", "windowed_projection", sizes, weights, frozenset({"bias"}))
