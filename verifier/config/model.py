"""One config as a typed object: what it says, what is wrong with it, and what the model costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ..architectures import Architecture, Config, FieldError, build, known_families, known_model_types
from ..architectures.derive import (
    backward_flops,
    flops,
    parameters_by_group,
    parameters_by_role,
    total_parameters,
    weight_shapes,
)
from ..architectures.fields import SIZE_NAMES
from ..errors import Place, VerifierError
from ..rules import Context, Finding, Severity, View, run
from .notations import translate
from .read import UnreadableConfig, read_file

INNER = ("text_config", "llm_config", "language_config", "thinker_config", "language_model_config")
WRAPPERS = ("config", "model_config", "model", "hparams", "args", "model_args")
SIZES = SIZE_NAMES | {"dim", "model_dim", "embed_dim", "hidden_sizes", "depths", "conv_dim"}
"""Fields of which one at least is in every config of a model."""
INSIDE = (
    "text_config",
    "vision_config",
    "audio_config",
    "encoder",
    "decoder",
    "audio_encoder",
    "text_encoder",
    "vision_encoder",
)
HEADS = (
    *("SequenceClassification", "TokenClassification", "QuestionAnswering", "MultipleChoice", "ImageClassification"),
    *("MaskedLM", "PreTraining", "CausalLM", "LMHead", "ConditionalGeneration", "MTModel", "CTC", "WithProjection"),
    "GenerationDecoder",
)
"""Parts of class names whose heads are built, where the family has them."""
BYTES = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2, "fp8": 1, "int8": 1, "int4": 0.5, "fp4": 0.5}
"""Bytes an element, by dtype."""
SHORT = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16", "float8_e4m3fn": "fp8", "half": "float16"}


@dataclass
class ModelConfig:
    """A config that was read: its findings, and quantities that are exact whatever their size."""

    raw: Mapping[str, Any]
    file: str | None
    view: View
    findings: list[Finding]
    context: Context = field(default_factory=Context)

    @property
    def model_type(self) -> str:
        return self.view.model_type

    @property
    def architecture(self) -> Architecture | None:
        """The parts of the model; None where a field that it needs cannot be used."""
        return self.view.architecture

    @property
    def is_impossible(self) -> bool:
        return any(f.severity is Severity.ERROR for f in self.findings)

    def _built(self) -> Architecture:
        if self.architecture is None:
            reason = self.view.problem.fact if self.view.problem else "nothing could be built"
            raise VerifierError(f"the model cannot be derived: {reason}", remedy="see the findings")
        return self.architecture

    @cached_property
    def weight_shapes(self) -> dict[str, list[list[Any]]]:
        """Every saved tensor: its name with `*` for a layer's number, and [[shape, layers], ...]."""
        return weight_shapes(self._built())

    @cached_property
    def params(self) -> int:
        """Unique parameters as built, tied ones once.

        Units: parameters.
        """
        return total_parameters(self._built())

    @cached_property
    def params_by_group(self) -> dict[str, int]:
        """Parameters by sub-module of a layer, or tensor outside the layers.

        Units: parameters.
        """
        return parameters_by_group(self.weight_shapes)

    @cached_property
    def params_by_role(self) -> dict[str, int]:
        """Parameters by what they do.

        Units: parameters.
        """
        return parameters_by_role(self._built())

    @property
    def params_saved(self) -> int:
        """Elements that a checkpoint holds: buffers that are saved, and a head that the family ties and others save.

        Units: elements.
        """
        a = self._built()
        extra = 0
        if a.facts.get("saved_head") and self.view.raw.get("tie_word_embeddings") is False:
            extra = a.facts["vocabulary"] * a.facts["width"]
        return self.params + a.buffers + extra

    @property
    def params_active(self) -> int:
        """Parameters that one token meets: of e experts only the k that are chosen.

        Units: parameters.
        """
        idle = 0
        for part in self._built().parts:
            e: Any = part.sizes.get("e")
            k: Any = self._built().facts.get("chosen_experts", part.sizes.get("k"))
            if type(e) is int and type(k) is int and part.weights:
                layers: Any = part.count
                stored = sum(_elements(w.layout, part.sizes) for w in part.weights) * layers
                idle += stored - stored // e * min(k, e)
        return self.params - idle

    def lengths(self, seq: int, *, past: int = 0, source: int | None = None) -> dict[str, int]:
        """The lengths of a pass over `seq` tokens; what the config itself decides (an image's patches) wins."""
        a = self._built()
        return {"new": seq, "past": past, "source": seq if source is None else source, **a.lengths}

    def flops(self, seq: int | None = None, batch: int | None = None, *, source: int | None = None) -> int:
        """Matrix-product FLOPs of a forward pass: full scores, logits at every position.

        Units: floating-point operations, a multiply-add is 2.
        """
        lengths = self.lengths(seq or self.default_seq, source=source)
        return flops(self._built(), lengths, batch or self.context.batch)

    def flops_training(self, seq: int | None = None, batch: int | None = None, *, source: int | None = None) -> int:
        """Matrix-product FLOPs of a forward and a backward pass.

        Units: floating-point operations, a multiply-add is 2.
        """
        lengths, times = self.lengths(seq or self.default_seq, source=source), batch or self.context.batch
        return flops(self._built(), lengths, times) + backward_flops(self._built(), lengths, times)

    def flops_decode(
        self, past: int | None = None, batch: int = 1, *, source: int | None = None, absorbed: bool = False
    ) -> int:
        """Matrix-product FLOPs of one more token with `past` cached; `absorbed` never unfolds a latent cache.

        Units: floating-point operations, a multiply-add is 2.
        """
        from dataclasses import replace

        a = self._built()
        if absorbed:
            swapped = [
                replace(p, kernel="absorbed_latent_attention") if p.kernel == "latent_attention" else p for p in a.parts
            ]
            a = replace(a, parts=swapped)
        cached = self.default_seq if past is None else past
        lengths = self.lengths(1, past=cached, source=cached if source is None else source)
        return flops(a, lengths, batch, decoding=True)

    def kv_cache(
        self, seq: int = 1, batch: int = 1, *, dtype: str = "bfloat16", windowed: bool = False, least: bool = False
    ) -> int:
        """Bytes of keys and values of `seq` tokens in all layers.

        `windowed` keeps no more than a layer's window; `least` stores no broadcast heads.

        Units: bytes.
        """
        width = BYTES[SHORT.get(dtype, dtype)]
        elements = 0
        for cache in self._built().caches:
            if cache.cross:
                continue
            kept = min(seq, cache.window) if windowed and cache.window else seq
            each = sum(cache.least if least and cache.least else cache.elements)
            elements += each * cache.layers * kept
        return int(elements * batch * width)

    def weight_bytes(self, dtype: str = "bfloat16") -> int:
        """Bytes of all parameters.

        Units: bytes.
        """
        return int(self.params * BYTES[SHORT.get(dtype, dtype)])

    @property
    def default_seq(self) -> int:
        """The length asked for, else 128 tokens or what the model can take.

        Units: tokens.
        """
        if self.context.seq:
            return self.context.seq
        return min(128, self.view.size("max_position_embeddings") or self.view.size("n_positions") or 128)

    @property
    def caches(self) -> bool:
        """Whether the model keeps keys and values between steps."""
        return bool(self._built().caches)

    def formula(self, quantity: str = "params", *, seq: int | None = None, batch: int | None = None) -> Any:
        """A quantity as a formula in the config's own field names, and the numbers put in.

        `quantity` is "params", "flops", "decode" or "kv_cache".
        """
        from .formula import formula

        return formula(self, quantity, seq=seq, batch=batch)

    def as_json(self) -> dict[str, Any]:
        """The contract of `--format json`."""
        from .derived import derived

        return {
            "file": self.file,
            "model_type": self.model_type or None,
            "findings": [f.as_json() for f in self.findings],
            "derived": derived(self),
        }

    def _repr_html_(self) -> str:
        from .notebook import table

        return table(self)


def _elements(layout: str, sizes: Mapping[str, Any]) -> int:
    from ..architectures.derive import product
    from ..architectures.part import shape_of

    return product(shape_of(layout, sizes))


def load(
    source: str | Path | Mapping[str, Any], context: Context | None = None, *, file: str | None = None
) -> ModelConfig:
    """The config at a path, in a folder (its config.json or params.json), or in a dict, with every finding.

    Raises:
        UnreadableConfig: the file is none.

    >>> load({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12}).params
    124439808
    """
    if isinstance(source, Mapping):
        raw: dict[str, Any] = dict(source)
    else:
        path = Path(source)
        if path.is_dir():
            names = ("config.json", "params.json", "hparams.json")
            path = next((path / n for n in names if (path / n).is_file()), path / "config.json")
        raw, file = read_file(path), file or str(path)
    return from_fields(raw, context or Context(), file)


def names_a_model(fields: Mapping[str, Any]) -> bool:
    """Whether an object can be a config: it has a model_type, a size, or a language model inside."""
    inner = any(isinstance(fields.get(n), dict) for n in INNER)
    return "model_type" in fields or bool(SIZES & fields.keys()) or inner


def from_fields(raw: dict[str, Any], context: Context, file: str | None) -> ModelConfig:
    """Translates another notation, finds the language model inside a larger one, builds it, and runs the rules."""
    fields, notation, notes = translate(raw)
    if not names_a_model(fields):
        wrapped = next(
            (n for n in WRAPPERS if isinstance(fields.get(n), dict) and names_a_model(translate(fields[n])[0])), None
        )
        if wrapped is None:
            place = Place(file) if file else None
            fact = "is JSON, but no config of a model: it names neither a model_type nor a width, depth or heads"
            raise UnreadableConfig(fact, place=place, remedy="name the model's config.json or params.json")
        fields, notation, notes = translate(fields[wrapped])
        notes = [f"the config inside {wrapped!r} is read", *notes]
    model_type = fields.get("model_type")
    kind = model_type if isinstance(model_type, str) else ""
    prefix, outer = "", fields
    if kind not in known_model_types():
        inner = next((n for n in INNER if isinstance(fields.get(n), dict)), None)
        if inner:
            prefix, fields = f"{inner}.", {**fields[inner]}
            own = fields.get("model_type")
            declared = known_families().get(kind, {}).get("parts", {}).get(inner)
            guess = declared or (f"{kind}_text" if f"{kind}_text" in known_model_types() else kind)
            kind = own if isinstance(own, str) else guess
            for key in ("tie_word_embeddings",):
                if key in outer and key not in fields:
                    fields[key] = outer[key]
    config = Config(fields, kind, prefix=prefix)
    architecture, problem = attempt(config)
    if notation:
        notes = [f"read as {notation}", *notes]
    if architecture:
        notes = [*notes, *(n for n in architecture.notes if not architecture.facts.get("generic"))]
    name = config.architecture
    if (
        architecture
        and fields.get("add_cross_attention")
        and not any(p.role == "cross-attention" for p in architecture.parts)
    ):
        notes.append("add_cross_attention is true, and the attention to an encoder that it adds is not counted")
    if architecture and name and not name.endswith("Model") and not any(mark in name for mark in HEADS):
        notes.append(f"the head of {name} is not known here: the numbers are those of a language model, or of none")
    if prefix:
        notes.append(f"only the language model in {prefix[:-1]} is derived")
    read = frozenset({*config.read, *config.read.values()})
    view = View(fields, config, architecture, problem, context, outer if prefix else {}, notation, notes, read)
    return ModelConfig(raw, file, view, [*run(view), *inner_findings(outer, prefix, context)], context)


def inner_findings(fields: Mapping[str, Any], taken: str, context: Context) -> list[Finding]:
    """Findings above information in the other configs inside one: a vision tower, an encoder, a codec."""
    found: list[Finding] = []
    parts: Mapping[str, str] = known_families().get(str(fields.get("model_type", "")), {}).get("parts", {})
    for name in INSIDE:
        inner = fields.get(name)
        if not isinstance(inner, dict) or taken == f"{name}.":
            continue
        own = inner.get("model_type")
        kind = own if isinstance(own, str) else parts.get(name, "")
        if kind not in known_model_types():
            continue
        config = Config(inner, kind, prefix=f"{name}.")
        architecture, problem = attempt(config)
        read = frozenset({*config.read, *config.read.values()})
        alone = Context(dtype=context.dtype, attention=context.attention)
        view = View(inner, config, architecture, problem, alone, {}, None, [], read)
        found += [f for f in run(view) if f.severity is not Severity.INFO]
    return found


def attempt(config: Config) -> tuple[Architecture | None, FieldError | None]:
    """The architecture, or the field that keeps it from being built."""
    try:
        return build(config), None
    except FieldError as error:
        return None, error
    except (TypeError, ValueError, ZeroDivisionError, AttributeError, KeyError, IndexError, OverflowError) as error:
        # A family may trip over a value that no rule forbids yet: the user is told which config, not where we tripped.
        kind = config.model_type or "config"
        return None, FieldError(f"{config.prefix}model_type", f"the sizes of this {kind} do not fit together: {error}")
