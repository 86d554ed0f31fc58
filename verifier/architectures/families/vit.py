"""ViT: a class token, learned positions, norms before each sub-layer, a classifier or a pooler."""

from __future__ import annotations

from ..blocks import attention, norm, plain, prepended, project
from ..decoder import number_of_labels
from ..fields import Config
from ..part import Architecture
from ..vision import patch_part, patches, vision_facts

MODEL_TYPES = ("vit", "deit", "vit_msn", "ijepa")


def build(c: Config) -> Architecture:

    a = Architecture()
    width, layers, heads = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("num_attention_heads")
    inner = c.size("intermediate_size")
    rows, columns, _, _ = patches(c)
    name = c.architecture
    own = c.model_type
    base = "" if name.endswith("Model") else f"{own if own != 'vit_msn' else 'vit'}."
    extra = {"deit": 2, "ijepa": 0}.get(own, 1)
    tokens = rows * columns + extra
    if extra:
        a.add(prepended(f"{base}embeddings.cls_token", 1, width))
    if own == "deit":
        a.add(prepended(f"{base}embeddings.distillation_token", 1, width))
    a.add(prepended(f"{base}embeddings.position_embeddings", tokens, width, role="position"))
    a.add(patch_part(c, f"{base}embeddings.patch_embeddings.projection", width))
    path = f"{base}layers.*"
    bias = c.flag("qkv_bias", True)
    a.add(
        attention(
            f"{path}.attention",
            width,
            heads,
            width // heads,
            bias=bias,
            bias_o=True,
            causal=False,
            tokens=tokens,
            count=layers,
        )
    )
    for which in ("layernorm_before", "layernorm_after"):
        a.add(norm(f"{path}.{which}", width, "layer", count=layers, tokens=tokens))
    a.add(plain(f"{path}.mlp.fc1", f"{path}.mlp.fc2", width, inner, count=layers, tokens=tokens))
    a.add(norm(f"{base}layernorm", width, "layer", tokens=tokens))
    if name.endswith("Model") and own in ("vit", "deit"):
        out = c.size("pooler_output_size", width)
        a.add(project(f"{base}pooler.dense", width, out, tokens=1, role="head", gradient=False))
    elif "ImageClassification" in name:
        labels = number_of_labels(c)
        a.add(project("classifier", width, labels, tokens=1, role="head")) if "WithTeacher" not in name else None
        if "WithTeacher" in name:
            a.add(project("cls_classifier", width, labels, tokens=1, role="head"))
            a.add(project("distillation_classifier", width, labels, tokens=1, role="head"))
    a.lengths = {"new": tokens}
    return vision_facts(a, c, width, layers, heads, inner)
