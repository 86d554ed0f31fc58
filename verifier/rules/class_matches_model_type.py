"""The class in architectures belongs to the family in model_type.

Why: libraries differ in which of the two they believe: one builds the other family, with other norms and biases,
and loads what fits.

Fix: make both name one family.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ..architectures import known_families, known_model_types
from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG018"
SEVERITY = Severity.ERROR
FIELDS = ("model_type", "architectures")
SHARED = (
    frozenset({"deepseek_v3", "kimi_k2", "sarvam_mla"}),
    frozenset({"llama", "exaone", "internlm3", "iquestcoder"}),
    frozenset({"glm4_moe", "sarvam_moe"}),
    frozenset({"gpt2", "gpt-sw3"}),
    frozenset({"mistral", "ministral"}),
    frozenset({"t5", "mt5", "umt5", "flan-t5"}),
    frozenset({"roberta", "xlm-roberta", "camembert"}),
    frozenset({"marian", "pegasus", "bart", "mbart"}),
    frozenset({"gemma3", "gemma3_text"}),
    frozenset({"vit", "deit", "vit_mae", "vit_msn"}),
    frozenset({"openai-gpt", "openaigpt"}),
    frozenset({"m2m_100", "nllb"}),
    frozenset({"wav2vec2", "hubert", "wavlm"}),
    frozenset({"bert", "electra"}),
)
GOOD = {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"]}
BAD = {"model_type": "qwen2", "architectures": ["Qwen3ForCausalLM"]}


def check(v: View) -> Iterator[Finding]:
    names = v.outer.get("architectures") if v.outer else v.raw.get("architectures")
    outer_type = str((v.outer or v.raw).get("model_type", ""))
    if not isinstance(names, list):
        if names is not None:
            yield finding("architectures is no list", ["architectures"], '["LlamaForCausalLM"], say')
        return
    families = class_families()
    for name in names:
        if not isinstance(name, str):
            yield finding(
                f"architectures has {name!r:.40}, which is no class name", ["architectures"], "class names alone"
            )
            continue
        stem = stem_of(name)
        owners = families.get(stem)
        if owners and outer_type and outer_type not in owners and not related(outer_type, stem, owners):
            message = f"model_type is {outer_type!r}, but {name} belongs to {sorted(owners)[0]!r}"
            fix = f"model_type = {sorted(owners)[0]!r}, or a class of {outer_type}"
            yield finding(message, ["model_type", "architectures"], fix)


def stem_of(name: str) -> str:
    """LlamaForCausalLM -> llama."""
    for mark in ("For", "LMHead", "Model", "DoubleHeads", "MTModel", "Encoder", "With"):
        index = name.find(mark)
        if index > 0:
            name = name[:index]
    return name.lower()


def related(model_type: str, stem: str, owners: frozenset[str]) -> bool:
    """Text and vision parts of one family, and families that share classes."""
    flat = model_type.replace("-", "").replace("_", "").lower()
    return (
        flat.startswith(stem)
        or stem.startswith(flat)
        or any(model_type in group and owners & group for group in SHARED)
    )


@lru_cache(maxsize=1)
def class_families() -> dict[str, frozenset[str]]:
    """The stem of a class's name -> the model types that spell it; names that mean several families are left out."""
    found: dict[str, set[str]] = {}
    for model_type in {*known_families(), *known_model_types()}:
        flat = model_type.replace("-", "").replace("_", "").lower()
        for stem in {flat, flat.removesuffix("text"), flat.removesuffix("model").removesuffix("text")}:
            found.setdefault(stem, set()).add(model_type)
    return {stem: frozenset(types) for stem, types in found.items() if stem}
