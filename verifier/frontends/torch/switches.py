"""Modes and switches of PyTorch that code may decide by: training, gradients, devices, compilers.

A verdict is of one answer to each. Whether a module is in training is judged both ways, the rest is a condition of it.
"""

from __future__ import annotations

import dis
import sys
from functools import cache
from types import CodeType, ModuleType
from typing import Any

from ..explorer import is_machinery
from ..surroundings import TRAINING, tell, telling
from .framework import torch

ASKED = {
    "": (
        *("is_grad_enabled", "is_inference_mode_enabled", "is_autocast_enabled", "is_autocast_cpu_enabled"),
        *("get_num_threads", "get_num_interop_threads", "are_deterministic_algorithms_enabled", "initial_seed"),
    ),
    "jit": ("is_scripting", "is_tracing"),
    "compiler": ("is_compiling", "is_dynamo_compiling", "is_exporting"),
    "cuda": ("is_available", "device_count", "is_initialized", "get_device_capability", "is_bf16_supported"),
    "backends.mps": ("is_available", "is_built"),
    "distributed": ("is_available", "is_initialized"),
}
"""Functions of PyTorch's modules whose answers are no matter of the arguments."""
OWN = ("/torch/nn/modules/", "/torch/nn/parallel/")
"""PyTorch's layers ask too: all but those of statistics give the same shapes, and fail alike, in both modes."""
STATISTICS = "/torch/nn/modules/batchnorm.py"


def switches() -> list[tuple[Any, str, Any]]:
    """Owner, name and replacement of each function that is asked."""
    found: list[tuple[Any, str, Any]] = []
    for path, names in ASKED.items():
        owner: Any = torch
        for part in path.split(".") if path else ():
            owner = getattr(owner, part, None)
        if isinstance(owner, ModuleType):
            spelled = f"torch.{path}." if path else "torch."
            found += [
                (owner, n, telling(getattr(owner, n), spelled + n)) for n in names if callable(vars(owner).get(n))
            ]
    return found


def _training(module: Any) -> Any:
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    file = frame.f_code.co_filename.replace("\\", "/")
    if STATISTICS in file or not any(part in file for part in OWN):
        tell(TRAINING)
    try:
        return module.__dict__["training"]
    except KeyError:
        raise AttributeError("training") from None


def _set_training(module: Any, value: Any) -> None:
    module.__dict__["training"] = value


MODE = property(_training, _set_training)
"""What `module.training` is for the length of a run."""


# -- what tensors are asked -----------------------------------------------------------------------


def on_the_processor(name: str) -> property:
    """A question for a device that no tensor of a run is on."""

    def answer(_: Any) -> bool:
        if not is_machinery(sys._getframe(1).f_code.co_filename):  # pyright: ignore[reportPrivateUsage]
            tell(f"{name} is False")
        return False

    return property(answer)


def keeping_gradients() -> property:
    """`requires_grad`: of a parameter it is the code's own matter, of an argument the caller's."""

    def answer(tensor: Any) -> bool:
        known: bool = tensor._requires_grad
        if not tensor._parameter and not is_machinery(sys._getframe(1).f_code.co_filename):  # pyright: ignore[reportPrivateUsage]
            tell(f"requires_grad is {known}")
        return known

    def put(tensor: Any, value: bool) -> None:
        tensor._requires_grad = value

    return property(answer, put)


def tell_of_device(always: bool = False) -> None:
    """Tells that a device is asked for, where it is looked at at once: `x.device.type == "cuda"`.

    `torch.zeros(n, device=x.device)` decides nothing.
    """
    frame = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    if not is_machinery(frame.f_code.co_filename) and (always or _looks(frame.f_code, frame.f_lasti)):
        tell("every tensor is on the CPU")


@cache
def _looks(code: CodeType, instruction: int) -> bool:
    """Whether what an instruction gives is asked for its kind, or compared, by the next one."""
    following = [i for i in dis.get_instructions(code) if i.offset > instruction and i.opname != "CACHE"]
    if not following:
        return False
    first = following[0]
    return (first.opname in ("LOAD_ATTR", "LOAD_METHOD") and first.argval in ("type", "index")) or any(
        i.opname in ("COMPARE_OP", "IS_OP", "CONTAINS_OP") for i in following[:2] if i.starts_line is None
    )
