"""What an object keeps from call to call: the verdict speaks of every call, or says that it speaks of the first."""

from __future__ import annotations

import inspect
import random
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

import torch

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge
from verifier.check.loading import forget

FILE = Path(__file__).parent.parent / "data" / "torch" / "kept.py"
SAME = "every call of one object has the same "
VERDICTS = {
    "Cache": "PROVED_IF",  # grows along its tokens: no other batch
    "Last": "PROVED_IF",
    "Counter": "BOUNDED",
    "Stat": "PROVED",
    "StatInplace": "PROVED",
    "BufferShape": "PROVED_IF",
    "ListCache": "BOUNDED",
    "DictCache": "PROVED_IF",
    "RopeCache": "PROVED_IF",
    "RopeCacheGrows": "PROVED",
    "LastAux": "PROVED",
    "SubState": "PROVED_IF",
    "CacheInplace": "BOUNDED",
    "ParamSwap": "BOUNDED",
    "SetData": "BOUNDED",
    "Flag": "BOUNDED",
    "BatchNorm": "PROVED_IF",
    "Iterator": "BOUNDED",
    "Closure": "BOUNDED",
    "Hook": "BOUNDED",
    "Toggle": "BOUNDED",
    "FloatState": "BOUNDED",
    "TextState": "BOUNDED",
    "BufferCount": "BOUNDED",
    "Slots": "PROVED_IF",
    "ClassCount": "BOUNDED",
    "MaskCache": "PROVED",
    "Steps": "PROVED",
    "Heads": "PROVED_IF",
    "Static": "PROVED",
    "Reset": "PROVED_IF",
    **dict.fromkeys(("BoundMethod", "Replaced", "PartialList", "PartialKeywords", "Bytes", "TypedArray"), "BOUNDED"),
    **dict.fromkeys(("Defaults", "FunctionAttribute"), "BOUNDED"),
    "ClosedOver": "PROVED_IF",
    "Wrapped": "PROVED_IF",
    **dict.fromkeys(("OwnRandom", "TorchGenerator", "Context", "NegativeZero", "CachedCall", "Switched"), "BOUNDED"),
    "Short": "PROVED",
    "MethodOnce": "PROVED",
}
ALIKE = {
    "Cache": "b",
    "Last": "n",
    "BufferShape": "n",
    "DictCache": "n",
    "RopeCache": "n",
    "SubState": "n",
    "Heads": "b",
    "ClosedOver": "n",
    "Wrapped": "n",
}
SIZES = {"d": 4, "h": 2, "size": 9, "batch": 3}


Judged = dict[str, tuple[Subject, Report]]


@pytest.fixture(scope="module")
def judged() -> Judged:
    forget()
    return {s.name.partition(".")[0]: (s, judge(s)) for s in subjects_of(Target(FILE))}


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_says_of_which_calls_it_speaks(name: str, judged: Judged) -> None:
    _, report = judged[name]
    assert report.verdict == VERDICTS[name], report
    alike = ALIKE.get(name)
    assert alike is None or SAME + alike in report.assumptions
    if report.verdict == "BOUNDED":
        assert report.reason.startswith("the first call of an object: self")


def breaks(subject: Subject, rng: random.Random, alike: set[str]) -> bool:
    """Whether one of several real calls of one object fails, at sizes that differ from call to call but for some."""
    assert subject.owner is not None
    made = subject.owner(**{n: SIZES[n] for n in inspect.signature(subject.owner).parameters})
    axes = str(inspect.signature(subject.function).parameters["x"].annotation.dim_str).split()
    fixed = {n: rng.choice((2, 3, 5)) for n in axes}
    for _ in range(rng.randint(2, 7)):
        drawn = {n: rng.choice((2, 3, 5)) for n in axes}
        sizes = {n: SIZES.get(n, fixed[n] if n in alike else drawn[n]) for n in axes}
        rest: dict[str, Any] = (
            {"reset": rng.random() < 0.3} if "reset" in inspect.signature(subject.function).parameters else {}
        )
        try:
            if made.__class__.__call__ is subject.function:
                value = made(torch.randn(*(sizes[n] for n in axes)))
            else:
                value = made(torch.randn(*(sizes[n] for n in axes)), **rest)
        except AssertionError:
            return False
        except Exception:
            return True
        if tuple(value.shape) != tuple(sizes[n] for n in axes):
            return True
    return False


@pytest.mark.parametrize("name", VERDICTS)
def test_what_real_calls_do_agrees(name: str, judged: Judged) -> None:
    """What is proved of all calls never breaks under its conditions; a size that must be alike, or a first call alone, does."""
    subject, report = judged[name]
    alike = {n for a in report.assumptions if a.startswith(SAME) for n in re.findall(r"\w+", a.removeprefix(SAME))}
    rng = random.Random(7)
    tries = 60
    if report.verdict != "BOUNDED":
        assert not any(breaks(subject, rng, alike) for _ in range(tries))
        assert not alike or any(breaks(subject, rng, set()) for _ in range(tries))
    elif "a later call fails" in report.reason:
        assert any(breaks(subject, rng, set()) for _ in range(tries))


def test_a_second_call_refutes_nothing(judged: Judged) -> None:
    """It is told that it fails: caches are emptied between batches."""
    assert not [f for _, r in judged.values() for f in r.findings if f.severity == "error"]


def test_numpy_is_held_to_the_same_rule(tmp_path: Path) -> None:
    file = tmp_path / "kept_numpy.py"
    file.write_text(
        "import numpy as np\nfrom jaxtyping import Float\n\n\n"
        "class Sums:\n    def __init__(self, d: int):\n        self.total = np.zeros(d)\n        self.last = None\n\n"
        '    def add(self, x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d"]:\n'
        "        self.total = self.total + x.sum(0)\n        return self.total\n\n"
        '    def join(self, x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:\n'
        "        y = x if self.last is None else x + self.last\n        self.last = x\n        return y\n\n"
        '    def plain(self, x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:\n        return x * self.total\n'
    )
    forget()
    reports = {s.name: judge(s) for s in subjects_of(Target(file))}
    assert [r.verdict for r in reports.values()] == ["PROVED", "PROVED_IF", "PROVED"]
    assert SAME + "n" in reports["Sums.join"].assumptions


def test_every_class_is_judged(judged: Judged) -> None:
    assert list(VERDICTS) == list(judged)


def test_flax_modes_and_state(tmp_path: Path) -> None:
    pytest.importorskip("flax", reason="Flax is not installed")
    file = tmp_path / "kept_flax.py"
    file.write_text(
        "import jax.numpy as jnp\nfrom flax import nnx\nfrom jaxtyping import Array, Float\n\n\n"
        "class Grows(nnx.Module):\n    def __init__(self, d: int):\n        self.k = nnx.Variable(jnp.zeros((0, d)))\n\n"
        '    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:\n'
        "        self.k.set_value(jnp.concatenate([self.k.get_value(), x]))\n        return (x @ self.k.get_value().T) @ self.k.get_value()\n\n\n"
        "class Turns(nnx.Module):\n    def __init__(self, d: int):\n        self.deterministic = False\n\n"
        '    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:\n'
        "        return x.T if self.deterministic else x\n\n\n"
        "class Counts(nnx.Module):\n    def __init__(self, d: int):\n        self.n = 0\n\n"
        '    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:\n'
        "        self.n += 1\n        return x if self.n < 3 else x[:1]\n"
    )
    forget()
    assert [judge(s).verdict for s in subjects_of(Target(file))] == ["PROVED", "REFUTED", "BOUNDED"]
