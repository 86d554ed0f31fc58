"""A config's fields as a family reads them: by any of their names, with the default of an absent one, typed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

from ..dims import Size, symbol
from ..errors import VerifierError

MAX_LAYERS = 100_000
"""So many layers are a slip; lists with an entry a layer are made for no more."""
MISSING: Any = object()
MAX_SIZE = 10**15
"""A larger number is a mistake, not a size: no field of a published config comes near it."""


SAME = {"gpt-sw3": "gpt2", "kimi_k2": "deepseek_v3", "flan-t5": "t5"}
"""Model types without a config class of their own, and whose they use."""


LEGACY = {("bloom", "hidden_size"): "n_embed", ("falcon", "hidden_size"): "n_embed"}
"""Older spellings that a config class takes among its further keywords."""


SIZE_NAMES = frozenset(
    [
        *("hidden_size", "d_model", "n_embd"),
        *("num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers", "decoder_layers"),
        *("num_attention_heads", "n_head", "n_heads", "num_heads"),
    ]
)
"""What families call their width, depth and heads."""


def limit_of(name: str) -> int:
    """The largest value that a field of this name can mean."""
    return MAX_LAYERS if "layer" in name and "per_layer" not in name else MAX_SIZE


class FieldError(VerifierError):
    """A field whose value cannot be used, named so that a report can point at it."""

    def __init__(self, field: str, fact: str, *, remedy: str | None = None) -> None:
        super().__init__(fact, remedy=remedy)
        self.field = field


@lru_cache(maxsize=1)
def known_families() -> Mapping[str, Mapping[str, Any]]:
    """Fields, defaults and aliases of every config class of transformers 5.24, by model_type."""
    text = resources.files("verifier.architectures").joinpath("transformers_defaults.json").read_text("utf-8")
    return json.loads(text)


class Config:
    """The fields of one config.

    A field that is null is given as None; one that is absent takes its family's default. In a formula's run
    (`symbolic`) a size is the symbol of its field's name instead of its number.
    """

    def __init__(self, raw: Mapping[str, Any], model_type: str, *, symbolic: bool = False, prefix: str = "") -> None:
        self.raw = raw
        self.model_type = model_type
        self.symbolic = symbolic
        self.prefix = prefix
        known = known_families().get(model_type) or known_families().get(SAME.get(model_type, ""), {})
        self.defaults: Mapping[str, Any] = known.get("fields", {})
        self.aliases: Mapping[str, str] = known.get("aliases", {})
        self.read: dict[str, str] = {}
        self.values: dict[str, int] = {}

    def names(self, name: str) -> list[str]:
        """Every spelling under which a field may be written, the family's own first."""
        own = self.aliases.get(name, name)
        older = LEGACY.get((self.model_type, own))
        found = [own, name, *(k for k, v in self.aliases.items() if v == own), *([older] if older else [])]
        return list(dict.fromkeys(found))

    def written(self, name: str) -> str:
        """The field as the config spells it, or as its family does where it is absent."""
        spellings = self.names(name)
        return next((s for s in spellings if s in self.raw), spellings[0])

    def given(self, name: str) -> bool:
        """Whether the field is there, null or not."""
        return any(s in self.raw for s in self.names(name))

    def get(self, name: str, default: Any = MISSING) -> Any:
        """The field's value, else the family's default, else `default`."""
        field = self.written(name)
        self.read[name] = field
        if field in self.raw:
            return self.raw[field]
        if default is not MISSING:
            return default
        return next((self.defaults[s] for s in self.names(name) if s in self.defaults), None)

    def number(self, name: str, fallback: Any = MISSING, *, least: int = 1) -> int:
        """A whole number of at least `least`; null or absent without a default gives the fallback.

        Raises:
            FieldError: another type, out of range, or missing.
        """
        value = self.get(name)
        field = self.prefix + self.written(name)
        if value is None:
            if fallback is MISSING:
                raise FieldError(field, f"{field} is needed and is not there", remedy=f"give {field} a whole number")
            return fallback
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is not int:
            raise FieldError(field, f"{field} = {value!r} is no whole number", remedy="write it as a plain integer")
        if value < least:
            raise FieldError(field, f"{field} = {value} is below {least}", remedy=f"at least {least}")
        limit = limit_of(name)
        if value > limit:
            fact = f"{field} has {len(str(value))} digits: no model is so large"
            raise FieldError(field, fact, remedy=f"at most {limit:,}")
        return value

    def size(self, name: str, fallback: Any = MISSING) -> Any:
        """A size of at least 1: its number, or its symbol where a formula is wanted."""
        value = self.number(name, fallback)
        if not self.symbolic or self.get(name) is None:
            return value
        field = self.written(name)
        self.values[field] = value
        return symbol(field)

    def flag(self, name: str, default: Any = MISSING) -> bool:
        """A truth value, as Python takes it: null is False."""
        value = self.get(name, default)
        return bool(value)

    def text(self, name: str, default: str = "") -> str:
        value = self.get(name)
        return value if isinstance(value, str) else default

    def list(self, name: str) -> list[Any] | None:
        value = self.get(name)
        return list(value) if isinstance(value, (list, tuple)) else None

    def inner(self, name: str, model_type: str) -> Config:
        """A config inside this one, such as `text_config`."""
        value = self.get(name)
        inner = value if isinstance(value, dict) else {}
        found = Config(inner, str(inner.get("model_type", model_type)), symbolic=self.symbolic, prefix=f"{name}.")
        found.values = self.values
        return found

    @property
    def architecture(self) -> str:
        """The class that the config names first, such as LlamaForCausalLM; empty where it names none."""
        names = self.raw.get("architectures")
        return names[0] if isinstance(names, list) and names and isinstance(names[0], str) else ""

    def tied(self, default: Any = MISSING) -> bool:
        return self.flag("tie_word_embeddings", default)


def size_value(size: Size, values: Mapping[str, int]) -> int:
    """The number behind a size of a formula's run."""
    from ..dims.dim import evaluate

    return evaluate(size, values)
