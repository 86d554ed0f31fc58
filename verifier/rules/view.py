"""A config as rules see it: its fields read safely, what its family made of them, and how it is to be run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..architectures import Architecture, Config, FieldError, known_families
from ..architectures.registry import family_of


@dataclass(frozen=True, slots=True)
class Context:
    """What the command line, or whoever runs the model, says beside the config.

    Units: lengths in tokens.
    """

    seq: int | None = None
    batch: int = 1
    dtype: str | None = None
    tensor_parallel: int | None = None
    engine: str | None = None
    tokenizer_length: int | None = None
    encoder_width: int | None = None
    quantization: Mapping[str, Any] | None = None
    attention: str | None = None
    """The attention implementation, such as flash_attention_2."""
    checkpoint: Mapping[str, Sequence[int] | None] | None = None
    """Shapes of saved tensors by name; None where only the name is known."""
    checkpoint_is_whole: bool = False
    """Whether those are all tensors of the checkpoint, so that one that is missing is missing."""


@dataclass
class View:
    """One config under inspection. Reading never raises: what cannot be used is None."""

    raw: Mapping[str, Any]
    config: Config
    architecture: Architecture | None
    problem: FieldError | None
    context: Context
    outer: Mapping[str, Any] = field(default_factory=dict[str, Any])
    notation: str | None = None
    notes: list[str] = field(default_factory=list[str])
    read: frozenset[str] = frozenset()
    """The fields that the family looked at while it built the model."""

    @property
    def model_type(self) -> str:
        return self.config.model_type

    @property
    def known(self) -> Mapping[str, Any]:
        """The family's entry in the table of fields, defaults and aliases; empty where there is none."""
        return known_families().get(self.model_type, {})

    @property
    def is_generic(self) -> bool:
        return family_of(self.model_type) is None

    def name(self, field_name: str) -> str:
        """The field as the config spells it, with the path to it."""
        return self.config.prefix + self.config.written(field_name)

    def given(self, field_name: str) -> bool:
        return self.config.given(field_name)

    def value(self, field_name: str) -> Any:
        """The field's value or its family's default; None where there is neither."""
        return self.config.get(field_name)

    def size(self, field_name: str) -> int | None:
        """A whole number of at least 1, else None."""
        value = self.config.get(field_name)
        return value if type(value) is int and 1 <= value <= 10**15 else None

    def fact(self, name: str) -> int | None:
        """A size that the family settled on: heads, kv_heads, head_dim, width ..."""
        value = self.architecture.facts.get(name) if self.architecture else None
        return value if type(value) is int else None

    def was_read(self, field_name: str) -> bool:
        """Whether the family looked at a field while it built the model."""
        return any(spelling in self.read for spelling in self.config.names(field_name))

    @property
    def kernels(self) -> frozenset[str]:
        """The kernels that the model is made of."""
        return frozenset(p.kernel for p in self.architecture.parts) if self.architecture else frozenset()
