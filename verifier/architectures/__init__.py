"""Model families: a config's fields become kernels with sizes bound, names of saved tensors and repeat counts.

What belongs here says what a model is made of; what that costs is read off the kernels (`derive`), and whether a
config makes sense is a rule's business. A family is one file in `families`, found by a scan of the folder: it has
`MODEL_TYPES` and `build(config) -> Architecture`.
"""

from .fields import Config, FieldError, known_families
from .part import Architecture, Cache, Part, Weight
from .registry import build, family_of, known_model_types

__all__ = [
    "Architecture",
    "Cache",
    "Config",
    "FieldError",
    "Part",
    "Weight",
    "build",
    "family_of",
    "known_families",
    "known_model_types",
]
