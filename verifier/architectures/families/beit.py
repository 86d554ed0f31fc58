"""BEiT: ViT with a factor for each channel after each sub-layer and learned biases for distances within the image."""

from __future__ import annotations

from ..blocks import attention, norm, plain, prepended, project, table
from ..decoder import number_of_labels
from ..fields import Config
from ..part import Architecture
from ..vision import patch_part, patches, vision_facts

MODEL_TYPES = ("beit",)


def build(c: Config) -> Architecture:

    a = Architecture()
    width, layers, heads = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("num_attention_heads")
    inner = c.size("intermediate_size")
    rows, columns, _, _ = patches(c)
    tokens = rows * columns + 1
    name = c.architecture
    base = "" if name.endswith("Model") else "beit."
    a.add(prepended(f"{base}embeddings.cls_token", 1, width))
    if c.flag("use_mask_token"):
        a.add(prepended(f"{base}embeddings.mask_token", 1, width))
    if c.flag("use_absolute_position_embeddings"):
        a.add(prepended(f"{base}embeddings.position_embeddings", tokens, width, role="position"))
    a.add(patch_part(c, f"{base}embeddings.patch_embeddings.projection", width))
    path = f"{base}layers.*"
    if float(c.get("layer_scale_init_value") or 0) > 0:
        for which in ("lambda_1", "lambda_2"):
            a.add(norm(f"{path}.{which}", width, "scale", weight="", count=layers, tokens=tokens))
    own = f"{path}.attention"
    a.add(
        attention(own, width, heads, width // heads, bias=True, bias_k=False, causal=False, tokens=tokens, count=layers)
    )
    for which in ("layernorm_before", "layernorm_after"):
        a.add(norm(f"{path}.{which}", width, "layer", count=layers, tokens=tokens))
    a.add(plain(f"{path}.mlp.fc1", f"{path}.mlp.fc2", width, inner, count=layers, tokens=tokens))
    distances = (2 * rows - 1) * (2 * columns - 1) + 3
    if c.flag("use_relative_position_bias"):
        bias_table = f"{path}.relative_position_bias.relative_position_bias_table"
        a.add(table(bias_table, distances, heads, count=layers, tokens=tokens))
    if c.flag("use_shared_relative_position_bias"):
        a.add(
            table(f"{base}encoder.relative_position_bias.relative_position_bias_table", distances, heads, tokens=tokens)
        )
    pooled = c.flag("use_mean_pooling", True)
    if not pooled:
        a.add(norm(f"{base}layernorm", width, "layer", tokens=tokens))
    if pooled and "MaskedImage" not in name:
        a.add(norm(f"{base}pooler.layernorm", width, "layer", tokens=1))
    if "ImageClassification" in name:
        a.add(project("classifier", width, number_of_labels(c), tokens=1, role="head"))
    a.lengths = {"new": tokens}
    return vision_facts(a, c, width, layers, heads, inner)
