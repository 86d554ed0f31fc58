"""The lists that describe a stack of convolutions have one entry a convolution; groups divide the channels.

Why: the lists are zipped: the longest are cut, or the model refuses to build.

Fix: lists of equal length; a width that is a multiple of the groups.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG030"
SEVERITY = Severity.ERROR
FIELDS = ("conv_dim", "conv_kernel", "conv_stride")
LISTS = (
    ("conv_dim", "conv_kernel", "conv_stride"),
    ("depths", "num_heads"),
    ("tdnn_dim", "tdnn_kernel", "tdnn_dilation"),
)
GOOD = {"model_type": "wav2vec2", "conv_dim": [8, 8], "conv_kernel": [3, 3], "conv_stride": [2, 2]}
BAD = {"model_type": "wav2vec2", "conv_dim": [8, 8], "conv_kernel": [3], "conv_stride": [2, 2]}


def check(v: View) -> Iterator[Finding]:
    for group in LISTS:
        lengths = {v.config.prefix + f: len(value) for f in group if isinstance((value := v.value(f)), list)}
        if len(set(lengths.values())) > 1:
            text = ", ".join(f"{name} has {length}" for name, length in lengths.items())
            yield finding(f"{text} entries", list(lengths), f"{max(lengths.values())} entries each")
    layers, dims = v.size("num_feat_extract_layers"), v.value("conv_dim")
    if layers is not None and isinstance(dims, list) and v.given("num_feat_extract_layers") and len(dims) != layers:
        names = [v.name("num_feat_extract_layers"), v.name("conv_dim")]
        message = f"{names[0]} = {layers}, {names[1]} has {len(dims)} entries"
        yield finding(message, names, f"{names[0]} = {len(dims)}")
    width, groups = v.size("hidden_size"), v.size("num_conv_pos_embedding_groups")
    if width is not None and groups is not None and width % groups:
        names = [v.name("num_conv_pos_embedding_groups"), v.name("hidden_size")]
        yield finding(f"{names[0]} = {groups} does not divide {names[1]} = {width}", names, f"{names[0]} = 16, say")
