"""DINOv2: ViT with layer scale, and a gated feed-forward in the largest model."""

from __future__ import annotations

from ..blocks import attention, gated, norm, plain, prepended, project
from ..decoder import number_of_labels
from ..fields import Config
from ..part import Architecture
from ..vision import patch_part, patches, vision_facts

MODEL_TYPES = ("dinov2", "dinov2_with_registers")


def build(c: Config) -> Architecture:

    a = Architecture()
    width, layers, heads = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("num_attention_heads")
    rows, columns, _, _ = patches(c)
    tokens = rows * columns + 1
    registers = c.number("num_register_tokens", 0, least=0) if c.model_type != "dinov2" else 0
    name = c.architecture
    base = "" if name.endswith("Model") else f"{c.model_type}."
    a.add(prepended(f"{base}embeddings.cls_token", 1, width))
    if c.flag("use_mask_token", True):
        a.add(prepended(f"{base}embeddings.mask_token", 1, width, "k d_model"))
    if registers:
        a.add(prepended(f"{base}embeddings.register_tokens", registers, width))
    a.add(prepended(f"{base}embeddings.position_embeddings", tokens, width, role="position"))
    a.add(patch_part(c, f"{base}embeddings.patch_embeddings.projection", width))
    tokens += registers
    path = f"{base}encoder.layer.*"
    own = f"{path}.attention"
    bias = c.flag("qkv_bias", True)
    a.add(
        attention(own, width, heads, width // heads, bias=bias, bias_o=True, causal=False, tokens=tokens, count=layers)
    )
    for number in (1, 2):
        a.add(norm(f"{path}.norm{number}", width, "layer", count=layers, tokens=tokens))
        a.add(norm(f"{path}.layer_scale{number}", width, "scale", weight="lambda1", count=layers, tokens=tokens))
    inner = width * c.size("mlp_ratio")
    if c.flag("use_swiglu_ffn"):
        # Two thirds of the width, rounded up to a multiple of 8.
        inner = (inner * 2 // 3 + 7) // 8 * 8
        a.add(gated(f"{path}.mlp", width, inner, bias=True, count=layers, tokens=tokens))
    else:
        a.add(plain(f"{path}.mlp.fc1", f"{path}.mlp.fc2", width, inner, count=layers, tokens=tokens))
    a.add(norm(f"{base}layernorm", width, "layer", tokens=tokens))
    if "ImageClassification" in name:
        a.add(project("classifier", 2 * width, number_of_labels(c), tokens=1, role="head"))
    a.lengths = {"new": tokens}
    return vision_facts(a, c, width, layers, heads, inner)
