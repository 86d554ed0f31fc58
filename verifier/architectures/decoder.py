"""Decoder-only language models: one composition from which most families differ in names, biases and norms alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .blocks import attention, bias_alone, embedding, gated, head, norm, plain
from .fields import Config
from .part import Architecture, Bound, Cache, Part

FeedForward = Callable[[str, Any], "list[Part]"]
"""What a layer's feed-forward is: (the layers' path, how many layers) -> parts."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes that every decoder has, read under their standard names or a family's aliases."""

    width: Any
    layers: Any
    heads: Any
    kv_heads: Any
    head_dim: Any
    inner: Any
    vocabulary: Any


def sizes_of(
    c: Config, *, own_head_dim: bool = True, inner: Any = None, kv_heads: Any = None, head_dim: Any = None
) -> Sizes:
    """The sizes of a decoder; the head size is width // heads where no field gives it."""
    width, heads = c.size("hidden_size"), c.size("num_attention_heads")
    given = head_dim if head_dim is not None else (c.size("head_dim", None) if own_head_dim else None)
    return Sizes(
        width=width,
        layers=c.size("num_hidden_layers"),
        heads=heads,
        kv_heads=c.size("num_key_value_heads", heads) if kv_heads is None else kv_heads,
        head_dim=width // heads if given is None else given,
        inner=c.size("intermediate_size", 4 * width) if inner is None else inner,
        vocabulary=c.size("vocab_size"),
    )


def layer_windows(c: Config, layers: Bound, types: Sequence[str] | None = None) -> dict[int | None, Any]:
    """How many layers see which window, from `layer_types` or the family's own pattern.

    None is the whole past. Layers of another kind (linear attention, convolutions) are not counted here.
    """
    kinds = c.list("layer_types")
    if kinds is None:
        kinds = None if types is None else list(types)
    window = c.get("sliding_window")
    if type(window) is not int or window < 1:
        window = None
    if kinds is None:
        return {None: layers}
    number = c.number("num_hidden_layers")
    kinds = [kinds[i] if i < len(kinds) else "full_attention" for i in range(min(number, 100_000))]
    chunk = c.get("attention_chunk_size")
    spans = {"sliding_attention": window, "chunked_attention": chunk if type(chunk) is int else None}
    counted = Counter(spans.get(kind) for kind in kinds if kind in ("full_attention", "attention", *spans))
    if len(counted) == 1 and sum(counted.values()) == number:
        return {next(iter(counted)): layers}
    return dict(counted)


def alternating(c: Config, every: int) -> list[str]:
    """Each `every`-th layer sees everything, the others a window."""
    number = min(c.number("num_hidden_layers"), 100_000)
    return ["full_attention" if every and (i + 1) % every == 0 else "sliding_attention" for i in range(number)]


def ending(c: Config) -> str:
    """What the class that the config names puts on top: "lm", "base", "classify", "token", "qa" or "other"."""
    name = c.architecture
    for mark, kind in (
        ("SequenceClassification", "classify"),
        ("TokenClassification", "token"),
        ("QuestionAnswering", "qa"),
        ("MultipleChoice", "choice"),
        ("ImageClassification", "image"),
        ("MaskedLM", "mlm"),
        ("PreTraining", "pretrain"),
        ("CausalLM", "lm"),
        ("LMHead", "lm"),
        ("ConditionalGeneration", "lm"),
        ("MTModel", "lm"),
    ):
        if mark in name:
            return kind
    if name.endswith("Model"):
        return "base"
    return "lm"


def decoder(
    c: Config,
    *,
    sizes: Sizes | None = None,
    own_head_dim: bool = True,
    model: str = "model",
    layers: str = "layers",
    tokens: str = "embed_tokens",
    positions: tuple[str, Bound] | None = None,
    embedding_width: Bound | None = None,
    embedding_norm: str | None = None,
    norm_kind: str = "rms",
    norms: Mapping[str, str] | Sequence[str] = ("input_layernorm", "post_attention_layernorm"),
    final_norm: str | None = "norm",
    attn: str = "self_attn",
    attention_names: Mapping[str, Any] | None = None,
    bias: bool = False,
    bias_o: bool | None = None,
    qk_norm: str | None = None,
    qk_names: tuple[str, str] = ("q_norm", "k_norm"),
    qk_kind: str | None = None,
    mlp: str = "mlp",
    mlp_bias: bool = False,
    feed_forward: str | FeedForward = "gated",
    mlp_names: tuple[str, ...] = (),
    sparse: tuple[Any, FeedForward] | None = None,
    windows: Mapping[int | None, Any] | None = None,
    head_name: str = "lm_head",
    head_bias: bool = False,
    tied: bool | None = None,
    extra: Callable[[Architecture, str, Sizes], None] | None = None,
    rotary: Any = None,
    cache_heads: Any = None,
    score_head: str = "score",
) -> Architecture:
    """A causal language model; the keywords say how a family departs from Llama.

    `sparse` gives how many layers have experts and what those are; the others keep `feed_forward`.
    """
    s = sizes or sizes_of(c, own_head_dim=own_head_dim)
    a = Architecture(kind="decoder")
    top = ending(c)
    base = f"{model}." if top != "base" and model else ""
    path = f"{base}{layers}.*"
    a.add(embedding(f"{base}{tokens}.weight", s.vocabulary, embedding_width or s.width))
    if positions:
        a.add(embedding(f"{base}{positions[0]}.weight", positions[1], s.width, role="position"))
    if embedding_norm:
        a.add(norm(f"{base}{embedding_norm}", s.width, norm_kind))
    seen = dict(windows) if windows is not None else layer_windows(c, s.layers)
    attending = total(seen.values())
    a.add(
        attention(
            f"{path}.{attn}" if attn else path,
            s.width,
            s.heads,
            s.head_dim,
            kv_heads=s.kv_heads,
            bias=bias,
            bias_o=bias_o,
            windows=seen,
            **(attention_names or {}),
        )
    )
    if qk_norm:
        own = {"head": (s.head_dim, s.head_dim), "width": (s.heads * s.head_dim, s.kv_heads * s.head_dim)}[qk_norm]
        for name, span in zip(qk_names, own, strict=True):
            a.add(norm(f"{path}.{attn}.{name}", span, qk_kind or norm_kind, count=attending))
    dense = s.layers if sparse is None else s.layers - sparse[0]
    make = feed_forward if callable(feed_forward) else _feed_forward(s, feed_forward, mlp, mlp_names, mlp_bias)
    if type(dense) is not int or dense > 0:
        a.add(make(path, dense))
    if sparse is not None and (type(sparse[0]) is not int or sparse[0] > 0):
        a.add(sparse[1](path, sparse[0]))
    for item in norms.items() if isinstance(norms, Mapping) else [(n, norm_kind) for n in norms]:
        a.add(norm(f"{path}.{item[0]}", s.width, item[1], count=s.layers))
    if final_norm:
        a.add(norm(f"{base}{final_norm}", s.width, norm_kind))
    share = c.tied() if tied is None else tied
    if top == "lm":
        a.add(head(head_name, embedding_width or s.width, s.vocabulary, tied=share, bias=head_bias))
        if share:
            a.tied.append((f"{base}{tokens}.weight", f"{head_name}.weight"))
    elif top in ("classify", "token", "qa"):
        labels = 2 if top == "qa" else number_of_labels(c)
        name = {"qa": "qa_outputs"}.get(top, score_head)
        a.add(head(name, s.width, labels, tied=False, bias=top != "classify"))
    for window, number in seen.items():
        kept = s.kv_heads * s.head_dim
        stored = kept if cache_heads is None else cache_heads * s.head_dim
        a.caches.append(Cache((stored, stored), number, window, (kept, kept)))
    a.facts.update(describe(c, s, tied=share, rotary=rotary, windows=seen))
    if extra:
        extra(a, path, s)
    return a


def _feed_forward(s: Sizes, kind: str, mlp: str, names: tuple[str, ...], bias: bool) -> FeedForward:
    def make(path: str, count: Any) -> list[Part]:
        place = f"{path}.{mlp}" if mlp else path
        if kind == "plain":
            first, second = names or ("up_proj", "down_proj")
            return [plain(f"{place}.{first}", f"{place}.{second}", s.width, s.inner, bias=bias, count=count)]
        if kind == "fused":
            both, down = names or ("gate_up_proj", "down_proj")
            return [gated(place, s.width, s.inner, fused=both, down=down, bias=bias, count=count)]
        gate, up, down = names or ("gate_proj", "up_proj", "down_proj")
        return [gated(place, s.width, s.inner, gate=gate, up=up, down=down, bias=bias, count=count)]

    return make


def total(counts: Any) -> Any:
    result: Any = 0
    for count in counts:
        result = result + count
    return result


def number_of_labels(c: Config) -> int:
    """How many classes a classifier has: `num_labels`, or the names in `id2label`; 2 by default."""
    labels = c.get("num_labels")
    if type(labels) is int and labels > 0:
        return labels
    names = c.raw.get("id2label")
    return len(names) if isinstance(names, dict) and names else 2


def describe(c: Config, s: Sizes, *, tied: bool, rotary: Any, windows: Mapping[int | None, Any]) -> dict[str, Any]:
    """The facts that rules and reports ask for, in the field's terms."""
    return {
        "width": s.width,
        "layers": s.layers,
        "heads": s.heads,
        "kv_heads": s.kv_heads,
        "head_dim": s.head_dim,
        "inner": s.inner,
        "vocabulary": s.vocabulary,
        "tied": tied,
        "rotary": rotary,
        "windows": {str(k): v for k, v in windows.items() if k is not None},
    }


def sparse_layers(c: Config, *, first_dense: int = 0, step: int = 1, offset: int = 0) -> int:
    """How many layers have experts: those from `first_dense` on whose index is `offset` modulo `step`."""
    number = c.number("num_hidden_layers")
    return sum(1 for i in range(min(number, 100_000)) if i >= first_dense and (i + 1 - offset) % step == 0)


__all__ = ["Sizes", "alternating", "bias_alone", "decoder", "ending", "layer_windows", "sizes_of", "sparse_layers"]
