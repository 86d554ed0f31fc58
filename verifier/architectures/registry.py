"""Which family builds which `model_type`: the files of `families`, found by a scan of the folder.

The scan reads each file's MODEL_TYPES as text and imports none of them: of a hundred families one is needed.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from types import ModuleType

from .fields import Config
from .part import Architecture

NOT_DERIVED: Mapping[tuple[str, str], object] = {
    ("deberta", "legacy"): True,
    ("deberta-v2", "legacy"): True,
    ("mobilebert", "use_bottleneck_attention"): False,
    ("mvp", "use_prompt"): False,
    ("phimoe", "num_experts_per_tok"): 2,
    ("prophetnet", "add_cross_attention"): True,
    ("xlm-prophetnet", "add_cross_attention"): True,
}
"""Settings of a family whose other values change tensors or work in ways that its file does not follow."""
DECLARED = re.compile(r"^MODEL_TYPES = (\([^)]*\))", re.MULTILINE)


@lru_cache(maxsize=1)
def index() -> Mapping[str, str]:
    """The file, without its ending, that builds each model type."""
    found: dict[str, str] = {}
    for file in sorted(resources.files(f"{__package__}.families").iterdir(), key=lambda f: f.name):
        if file.name.endswith(".py") and (declared := DECLARED.search(file.read_text("utf-8"))):
            for model_type in ast.literal_eval(declared.group(1)):
                found[model_type] = file.name[:-3]
    return found


def known_model_types() -> frozenset[str]:
    """Every `model_type` that a family file builds."""
    return frozenset(index())


def family_of(model_type: str) -> ModuleType | None:
    """The family's module, or None where no file builds that `model_type`."""
    name = index().get(model_type)
    return importlib.import_module(f"{__package__}.families.{name}") if name else None


def build(config: Config) -> Architecture:
    """The architecture of a config; an unknown family is built from its generic field names and says so.

    Raises:
        FieldError: a field that is needed is missing or cannot be used.
    """
    module = family_of(config.model_type)
    if module is None:
        module = importlib.import_module(f"{__package__}.generic")
    a = module.build(config)
    for (model_type, field), followed in NOT_DERIVED.items():
        if model_type == config.model_type and field in config.raw and config.raw[field] != followed:
            given = config.raw[field]
            a.notes.append(f"{field} = {given!r:.20} changes this family in a way that is not derived: an estimate")
    return a
