"""The quantisation names a method that loaders know, with bits that it has.

Why: a misspelt quant_method is refused when the weights are loaded, after the download; GPTQ has kernels for 2, 3, 4
and 8 bits and AWQ for 4; bits in quotes are compared with numbers and never equal one.

Fix: the method's own spelling, and a number of bits that it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG045"
SEVERITY = Severity.ERROR
FIELDS = ("quantization_config.quant_method", "quantization_config.bits")
METHODS = frozenset(
    [
        *("aqlm", "auto-round", "awq", "bitnet", "bitsandbytes", "bitsandbytes_4bit", "bitsandbytes_8bit"),
        *("compressed-tensors", "eetq", "fbgemm_fp8", "finegrained_fp8", "fp8", "fp_quant", "gguf", "gptq", "higgs"),
        *(
            "fouroversix",
            "gemma",
            "mxfp8",
            "hqq",
            "intel/auto-round",
            "marlin",
            "metal",
            "modelopt",
            "mxfp4",
            "nvfp4",
            "quanto",
            "quark",
            "sinq",
        ),
        *("spqr", "torchao", "vptq", "gptq_marlin", "awq_marlin", "exl2", "exl3", "int8", "int4"),
    ]
)
BITS = {"gptq": (2, 3, 4, 8), "awq": (4,)}
GOOD = {"model_type": "llama", "quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128}}
BAD = {"model_type": "llama", "quantization_config": {"quant_method": "gtpq", "bits": 4, "group_size": 128}}


def check(v: View) -> Iterator[Finding]:
    settings = v.raw.get("quantization_config")
    name = v.config.prefix + "quantization_config"
    if settings is None:
        return
    if not isinstance(settings, Mapping):
        kind = type(settings).__name__
        yield finding(f"{name} is a {kind}, not an object", [name], '{"quant_method": "gptq", "bits": 4}, say')
        return
    method, bits = settings.get("quant_method"), settings.get("bits", settings.get("w_bit"))
    if isinstance(method, str) and method.lower() not in METHODS:
        near = get_close_matches(method.lower(), sorted(METHODS), 1, 0.6)
        fix = f"{name}.quant_method = {near[0]!r}" if near else "the name that the quantiser writes"
        severity = Severity.ERROR if near else Severity.INFO
        yield finding(
            f"{name}.quant_method = {method!r:.40} is no known method", [f"{name}.quant_method"], fix, severity
        )
    elif method is not None and not isinstance(method, str):
        yield finding(f"{name}.quant_method is no text", [f"{name}.quant_method"], '"gptq", say')
    if isinstance(bits, str):
        fix = f"bits = {bits} without the quotes" if bits.isdigit() else "a plain integer"
        yield finding(f"{name}.bits = {bits!r:.40} is text, not a number", [f"{name}.bits"], fix)
    elif isinstance(method, str) and type(bits) is int and bits not in BITS.get(method.lower(), (bits,)):
        known = " or ".join(map(str, BITS[method.lower()]))
        yield finding(f"{name}.bits = {bits}: {method} has {known}", [f"{name}.bits"], f"bits = {known}")
    group = settings.get("group_size", settings.get("q_group_size"))
    if group is not None and (type(group) is not int or (group < 1 and group != -1)):
        fix = "128, or -1 for one scale a row"
        yield finding(f"{name}.group_size = {group!r:.40} is no size of a group", [f"{name}.group_size"], fix)
