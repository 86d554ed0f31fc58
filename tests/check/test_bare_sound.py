"""Contracts held against the real functions: what fits runs and has the shape told; what fails fits none."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from verifier.check.finding import Report
from verifier.check.loading import load_file

from .test_bare import told

NAME = re.compile(r"[A-Za-z_][\w.]*")
DRAWS = 60


@dataclass(frozen=True)
class Case:
    """A function of the data, how an object for it is made of the contract's own sizes, and its arrays in order."""

    file: str
    name: str
    make: Callable[[Any, Mapping[str, int]], Callable[..., Any]]
    arrays: tuple[str, ...]
    own: tuple[str, ...] = ()
    pack: Callable[..., tuple[Any, ...]] = lambda *arrays: arrays


def plain(name: str, *own: str) -> Callable[[Any, Mapping[str, int]], Callable[..., Any]]:
    return lambda module, sizes: lambda *arrays: getattr(module, name)(*arrays, *(sizes[n] for n in own))


def config(module: Any, sizes: Mapping[str, int]) -> Any:
    return module.GPTConfig(**{n.rpartition(".")[2]: size for n, size in sizes.items()})


ATTENTION = ("self.config.n_embd", "self.config.n_head", "self.config.block_size")
CASES = [
    Case("torch_right", "LayerNorm.forward", lambda m, s: m.LayerNorm(s["self.ndim"], True), ("input",), ("self.ndim",)),
    Case("torch_right", "CausalSelfAttention.forward", lambda m, s: m.CausalSelfAttention(config(m, s)), ("x",), ATTENTION),
    Case("torch_right", "Block.forward", lambda m, s: m.Block(config(m, s)), ("x",), ATTENTION),
    Case("torch_right", "GPT.forward", lambda m, s: m.GPT(config(m, {**s, "n_layer": 2})), ("idx",),
         (*ATTENTION, "self.config.vocab_size")),
    Case("torch_right", "PatchEmbed.forward",
         lambda m, s: m.PatchEmbed(s["self.patch_size"], s["self.in_chans"], s["self.embed_dim"]), ("x",),
         ("self.patch_size", "self.in_chans", "self.embed_dim")),
    Case("torch_right", "ViTEmbeddings.forward",
         lambda m, s: m.ViTEmbeddings(s["self.num_patches"], s["self.dim"], s["self.patch_dim"]), ("patches",),
         ("self.num_patches", "self.dim", "self.patch_dim")),
    Case("torch_right", "CrossAttention.forward", lambda m, s: m.CrossAttention(s["self.query_dim"], s["self.context_dim"], 2, 3),
         ("x", "context"), ("self.query_dim", "self.context_dim")),
    Case("torch_right", "rotate_half", plain("rotate_half"), ("x",)),
    Case("torch_right", "apply_rotary", plain("apply_rotary"), ("x", "cos", "sin")),
    Case("torch_right", "RMSNorm.forward", lambda m, s: m.RMSNorm(s["self.dim"]), ("x",), ("self.dim",)),
    Case("torch_right", "BiasedAttention.forward", lambda m, s: m.BiasedAttention(s["self.d_model"], s["self.n_heads"], 3),
         ("x",), ("self.d_model", "self.n_heads")),
    Case("torch_right", "CachedAttention.forward", lambda m, s: m.CachedAttention(s["self.dim"], s["self.n_heads"]),
         ("x", "past_0", "past_1"), ("self.dim", "self.n_heads"), lambda x, *past: (x, past) if past else (x,)),
    Case("torch_right", "Attention.forward", lambda m, s: m.Attention(s["self.dim"]), ("x",), ("self.dim",)),
    Case("torch_right", "scaled_dot_product", plain("scaled_dot_product"), ("q", "k", "v", "mask")),
    Case("torch_right", "PositionalEncoding.forward", lambda m, s: m.PositionalEncoding(s["self.d_model"], s["self.max_len"]),
         ("x",), ("self.d_model", "self.max_len")),
    Case("torch_right", "TokenEmbedding.forward", lambda m, s: m.TokenEmbedding(7, s["self.d_model"]), ("x",), ("self.d_model",)),
    Case("torch_right", "window_partition", plain("window_partition", "window_size"), ("x",), ("window_size",)),
    Case("numpy_programs", "softmax", plain("softmax"), ("x",)),
    Case("numpy_programs", "attention", plain("attention"), ("q", "k", "v", "mask")),
    Case("numpy_programs", "split_heads", plain("split_heads", "heads"), ("x",), ("heads",)),
    Case("numpy_programs", "multi_head", plain("multi_head", "heads"), ("x", "w_q", "w_k", "w_v", "w_o"), ("heads",)),
    Case("numpy_programs", "embed", plain("embed"), ("tokens", "table")),
    Case("numpy_programs", "layer_norm", plain("layer_norm"), ("x", "gain", "bias")),
    Case("numpy_programs", "symmetric", plain("symmetric"), ("a",)),
    Case("jax_programs", "rotary", plain("rotary"), ("x", "cos", "sin")),
    Case("jax_programs", "attention", plain("attention"), ("q", "k", "v", "bias")),
]  # fmt: skip


def value(text: str, sizes: Mapping[str, int]) -> Any:
    """A size or condition of a contract at numbers."""
    return eval(
        NAME.sub(lambda m: m[0] if m[0] in ("and", "or", "None") else f"sizes[{m[0]!r}]", text), {"sizes": sizes}
    )


def fits(row: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]], own: Mapping[str, int]) -> bool:
    """Whether concrete shapes are those of a contract."""
    if row["shapes"].keys() != shapes.keys():
        return False
    sizes = dict(own)
    for name, words in row["shapes"].items():
        if len(words) != len(shapes[name]):
            return False
        for word, size in zip(words, shapes[name], strict=True):
            if word.isidentifier() and word not in own:
                sizes.setdefault(word, size)
    alike = all(
        value(w, sizes) == s for n, words in row["shapes"].items() for w, s in zip(words, shapes[n], strict=True)
    )
    return alike and all(value(c, sizes) for c in row["conditions"])


def drawn(
    report: Report, case: Case, rng: random.Random
) -> Iterator[tuple[dict[str, tuple[int, ...]], dict[str, int]]]:
    """Shapes near those of a contract, and sizes of the object's own."""
    while True:
        row = rng.choice(report.contract)
        own = {n: rng.choice((1, 2, 3, 4, 6)) for n in case.own}
        sizes = {n: rng.randint(1, 6) for words in row["shapes"].values() for w in words for n in NAME.findall(w)} | own
        shapes = {n: [value(w, sizes) for w in words] for n, words in row["shapes"].items()}
        if rng.random() < 0.5:
            name = rng.choice(sorted(shapes))
            if shapes[name]:
                shapes[name][rng.randrange(len(shapes[name]))] = rng.randint(1, 6)
        if all(s >= 1 for shape in shapes.values() for s in shape):
            yield {n: tuple(s) for n, s in shapes.items()}, own


def real(file: str, shape: tuple[int, ...], element: str) -> Any:
    values = np.zeros(shape, np.int64) if element == "int" else np.asarray(np.random.default_rng(0).normal(size=shape))
    if element == "bool":
        values = values > 0
    if file.startswith("torch"):
        import torch

        return torch.from_numpy(values.astype(np.float32) if element == "float" else values)
    if file.startswith("jax"):
        import jax.numpy as jnp

        return jnp.asarray(values)
    return values


def shown(result: Any) -> Any:
    """The shapes in a result, nested as it is."""
    if isinstance(result, tuple):
        return tuple(map(shown, result))
    return None if result is None else list(np.shape(result))


@pytest.mark.parametrize("case", CASES, ids=[f"{c.file}-{c.name}" for c in CASES])
def test_what_fits_a_contract_runs(case: Case) -> None:
    report = told(case.file)[case.name]
    module = load_file(Path(report.file))
    rng = random.Random(case.name)
    draws = drawn(report, case, rng)
    ran = failed = 0
    for _ in range(DRAWS if case.file != "jax_programs" else DRAWS // 3):
        shapes, own = next(draws)
        rows = [r for r in report.contract if fits(r, shapes, own)]
        elements = report.contract[0]["elements"]
        arrays = [real(case.file, shapes[n], elements.get(n, "float")) for n in case.arrays if n in shapes]
        try:
            with np.errstate(all="ignore"):
                result = case.make(module, own)(*case.pack(*arrays))
        except Exception as error:
            assert not rows, (shapes, own, rows, error)
            failed += 1
            continue
        ran += bool(rows)
        for row in rows:
            sizes = dict(own)
            for n, words in row["shapes"].items():
                sizes |= {w: s for w, s in zip(words, shapes[n], strict=True) if w.isidentifier()}
            assert shown(result) == value(row["result"], sizes), (shapes, own)
    assert ran >= 5
    if case.name not in ("rotate_half", "softmax", "embed", "TokenEmbedding.forward"):
        assert failed >= 3, "the draws do not try the contract"
