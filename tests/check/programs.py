"""Random small programs whose truth is known: each is run on a grid of sizes under our own annotation check."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

SYMBOLS = ("n", "m", "d")
HEADER = "import math\nimport numpy as np\nfrom jaxtyping import Float\n\n\n"
SIZES = (
    "n",
    "m",
    "d",
    "n",
    "d",
    "1",
    "2",
    "n + 1",
    "n // 2",
    "d // 2",
    "n * d",
    "m + d",
    "min(n, m)",
    "max(n - 1, 1)",
    "-1",
)
RESULTS = (
    "n",
    "m",
    "d",
    "1",
    "2",
    "n+1",
    "n*d",
    "n*m",
    "m*d",
    "n+m",
    "2*n",
    "2*d",
    "d//2",
    "n//2",
    "m+1",
    "d+1",
    "n+d",
    "d-d//2",
    "n*d//2",
)
ANNOTATIONS = ("n d", "m d", "n m", "n", "d", "n n", "n d 2", "n*d", "m n d", "d d", "n 1", "1 d", "n+1 d", "2 n")


def statement(rng: random.Random, names: list[str], new: str) -> str:
    v, w = rng.choice(names), rng.choice(names)
    a, b, c = (rng.choice(SIZES) for _ in range(3))
    k = rng.choice(("0", "-1", "1"))
    s = rng.choice(("n", "m", "d", "1", "2", "n - 1", "d // 2"))
    return rng.choice(
        (
            f"{new} = {v}.T",
            f"{new} = {v} @ {w}",
            f"{new} = {v} @ {w}.T",
            f"{new} = {v} + {w}",
            f"{new} = {v} * {w}",
            f"{new} = {v} / {v}.sum(axis={k}, keepdims=True)",
            f"{new} = {v}.sum(axis={k})",
            f"{new} = {v}.max(axis={k}, keepdims=True)",
            f"{new} = np.mean({v}, axis={k}) + {w}",
            f"{new} = {v}.reshape({a}, {b})",
            f"{new} = {v}.reshape({a}, {b}, {c})",
            f"{new} = np.ravel({v})",
            f"{new} = {v}[:{s}]",
            f"{new} = {v}[{s}:]",
            f"{new} = {v}[..., :{s}]",
            f"{new} = {v}[::2]",
            f"{new} = {v}[..., 1::2]",
            f"{new} = {v}[::-1]",
            f"{new} = {v}[:, None]",
            f"{new} = {v}[None]",
            f"{new} = {v}[0]",
            f"{new} = {v}[-1]",
            f"{new} = {v}[..., {s} - 1]",
            f"{new} = np.concatenate([{v}, {w}], axis={k})",
            f"{new} = np.stack([{v}, {w}], axis={k})",
            f"{new} = np.repeat({v}, 2, axis={k})",
            f"{new} = np.tile({v}, (2, 1))",
            f"{new} = np.tile({v}, {s})",
            f"{new} = np.squeeze({v})",
            f"{new} = np.squeeze({v}, axis={k})",
            f"{new} = np.split({v}, 2, axis={k})[0]",
            f"{new} = np.array_split({v}, 3, axis={k})[1]",
            f"{new} = np.pad({v}, 1)",
            f"{new} = np.where({v} > 0, {v}, {w})",
            f"{new} = np.swapaxes({v}, 0, -1)",
            f"{new} = np.outer({v}, {w})",
            f"{new} = np.einsum('ij,jk->ik', {v}, {w})",
            f"{new} = np.einsum('...i,...i->...', {v}, {w})",
            f"{new} = np.tensordot({v}, {w}, axes=1)",
            f"{new} = np.zeros(({a}, {b})) + {v}",
            f"{new} = np.arange({s})[:, None] * {v}",
            f"{new} = {v}[np.arange({s})]",
            f"{new} = np.sort({v}, axis={k})[:1]",
            f"{new} = np.cumsum({v}, axis={k})",
            f"{new} = np.argmax({v}, axis={k}) + {w}",
            f"{new} = np.flip({v}, axis={k})",
            f"{new} = np.diff({v}, axis={k})",
            f"{new} = np.broadcast_to({v}, ({a}, {b}))",
            f"{new} = np.expand_dims({v}, {k})",
            f"{new} = np.tril(np.ones(({a}, {b}))) * {v}",
            f"{new} = {v} / math.sqrt({v}.shape[-1])",
            f"{new} = sum({v}[i] for i in range({v}.shape[0]))",
            f"{new} = np.concatenate(list({v}), axis={k})",
            f"{new} = {v}.copy()\n    {new}[0] = {w}",
            f"{new} = {v}.copy()\n    {new}[..., ::2] = {w}",
            f"{new} = {v}.copy()\n    {new} += {w}",
            f"{new} = {v} if {v}.shape[0] > {w}.shape[0] else {w}",
            f"assert {rng.choice(('n % 2 == 0', 'd % 2 == 0', 'n <= m', 'n >= 2', 'd % n == 0', 'n == m'))}\n    {new} = {v} * 2",
        )
    )


def program(seed: int) -> str | None:
    """The source of a function `f`, with an annotation that its result fits at two sizes at least; None where there is none."""
    rng = random.Random(seed)
    inputs = {f"x{i}": rng.choice(ANNOTATIONS) for i in range(rng.choice((1, 2, 2, 3)))}
    needed = " ".join(inputs.values()).replace("*", " ").replace("+1", "").split()
    for name in SYMBOLS:
        if name not in needed:
            inputs[f"{name}_in"] = name
    names = [n for n in inputs if not n.endswith("_in")]
    lines = ["n, m, d = " + ", ".join(_size_of(s, inputs) for s in SYMBOLS)]
    for step in range(rng.randint(1, 4)):
        lines.append(statement(rng, names, f"y{step}"))
        names.append(f"y{step}")
    lines.append(f"return {names[-1]}")
    parameters = ", ".join(f'{n}: Float[np.ndarray, "{a}"]' for n, a in inputs.items())
    body = "\n    ".join(lines)
    plain = f"{HEADER}def f({parameters}):\n    {body}\n"
    shapes = [(sizes, shape_at(plain, inputs, sizes)) for sizes in reference(rng)]
    known = [(s, t) for s, t in shapes if t is not None]
    if len(known) < 2 or len({len(t) for _, t in known}) != 1:
        return None
    words = []
    for axis in range(len(known[0][1])):
        fitting = [r for r in RESULTS if all(eval(r, {}, dict(s)) == t[axis] for s, t in known[:2])]
        words.append(rng.choice(fitting or ["_"]))
    result = f'Float[np.ndarray, "{" ".join(words)}"]' if known[0][1] else 'Float[np.ndarray, ""]'
    return f"{HEADER}def f({parameters}) -> {result}:\n    {body}\n"


def _size_of(symbol: str, inputs: dict[str, str]) -> str:
    for name, annotation in inputs.items():
        words = annotation.split()
        if symbol in words:
            return f"{name}.shape[{words.index(symbol)}]"
    for name, annotation in inputs.items():
        if annotation == "n+1 d" and symbol == "n":
            return f"{name}.shape[0] - 1"
    return "1"


def reference(rng: random.Random) -> list[dict[str, int]]:
    return [dict(zip(SYMBOLS, rng.sample((2, 3, 4, 5, 6), 3), strict=True)) for _ in range(4)] + [
        dict.fromkeys(SYMBOLS, k) for k in (2, 4)
    ]


def shape_at(source: str, inputs: dict[str, str], sizes: dict[str, int]) -> tuple[int, ...] | None:
    space: dict[str, Any] = {}
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            exec(compile(source, "<program>", "exec"), space)
            arrays = [np.ones(tuple(eval(w, {}, dict(sizes)) for w in a.split())) for a in inputs.values()]
            return np.shape(space["f"](*arrays))
    except Exception:
        return None


def grid(limit: int = 4) -> list[dict[str, int]]:
    return [dict(zip(SYMBOLS, values, strict=True)) for values in product(range(1, limit + 1), repeat=3)]


def judge_program(source: str, folder: Path, number: int) -> tuple[Any, Callable[[dict[str, int]], Any]]:
    """The report on a program, and what real arrays say at given sizes."""
    from verifier.check.discovery import Target, subjects_of
    from verifier.check.judge import judge
    from verifier.check.loading import forget
    from verifier.check.replay import failure_at
    from verifier.check.variants import Variant

    file = folder / f"program_{number}.py"
    file.write_text(source)
    forget()
    (subject,) = subjects_of(Target(file))
    report = judge(subject, axes=False)
    return report, lambda sizes: failure_at(subject.function, None, Variant(()), sizes)


def disagreement(report: Any, real: Callable[[dict[str, int]], Any], limit: int = 4) -> str | None:
    """Where a verdict is contradicted by real arrays on the grid; None where it is not."""
    for finding in report.findings:
        shown = finding.severity in ("error", "warning") and finding.code != "ATT021"
        if shown and (not finding.sizes or real(finding.sizes) is None):
            return f"{finding.code} does not replay at {finding.sizes}"
    if report.verdict not in ("PROVED", "PROVED_IF", "BOUNDED"):
        return None
    bounds = dict(re.findall(r"(\w+) <= (\d+)", report.reason)) if report.verdict == "BOUNDED" else {}
    for sizes in grid(limit):
        if any(sizes[n] > int(b) for n, b in bounds.items()):
            continue
        if not all(eval(a, {}, dict(sizes)) for a in report.assumptions):
            continue
        error = real(sizes)
        if error is not None:
            return f"{report.verdict} {report.assumptions}, but at {sizes}: {type(error).__name__}: {error}"
    return None
