"""Which family builds which `model_type`: the files of `families`, found by a scan."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from types import ModuleType

from . import families
from .fields import Config
from .part import Architecture


@lru_cache(maxsize=1)
def _modules() -> dict[str, ModuleType]:
    found: dict[str, ModuleType] = {}
    for info in pkgutil.iter_modules(families.__path__):
        module = importlib.import_module(f"{families.__name__}.{info.name}")
        for model_type in module.MODEL_TYPES:
            found[model_type] = module
    return found


def known_model_types() -> frozenset[str]:
    """Every `model_type` that a family file builds."""
    return frozenset(_modules())


def family_of(model_type: str) -> ModuleType | None:
    """The family's module, or None where no file builds that `model_type`."""
    return _modules().get(model_type)


def build(config: Config) -> Architecture:
    """The architecture of a config; an unknown family is built from its generic field names and says so.

    Raises:
        FieldError: a field that is needed is missing or cannot be used.
    """
    module = family_of(config.model_type)
    if module is None:
        module = importlib.import_module(f"{__package__}.generic")
    return module.build(config)
