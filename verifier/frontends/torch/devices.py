"""GPUs, and what else is no processor: nothing is known of them here, so whoever asks for one is refused by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from ...errors import Place, Unavailable
from ..numpy.array import caller
from .framework import torch

KNOWN = ("cpu", "meta")
REMEDY = "take the device from an argument (x.device), or ask torch.cuda.is_available() first"
PINNED = "pinned memory"


def needs_a_gpu(what: str) -> Unavailable:
    """The error of code that a processor cannot run, with its line."""
    error, line = Unavailable(f"{what} needs a GPU: nothing is known of it here", remedy=REMEDY), caller()
    if line is not None:
        error.at(Place(line.file, line.line))
    return error


def kind_of(device: Any) -> str:
    """`cuda`, `mps` and the like, of a device's name, number or object; nothing for the processor, or no device."""
    if type(device) is int:
        return "cuda"
    if isinstance(device, str):
        device = device.partition(":")[0]
        return "" if device in KNOWN else device
    return device.type if isinstance(device, torch.device) and device.type not in KNOWN else ""


def refuse_device(name: str, device: Any) -> None:
    """Lets the processor pass.

    Raises:
        Unavailable: it is another device.
    """
    kind = kind_of(device)
    if kind:
        raise needs_a_gpu(f"{name} on the device {kind!r}")


def refuse_devices(name: str, options: Mapping[str, Any]) -> None:
    """The options of a function that makes or moves a tensor."""
    if options.get("device") is not None:
        refuse_device(name, options["device"])
    if options.get("pin_memory") is True:
        raise needs_a_gpu(f"{name} in {PINNED}")


def _refusing(what: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise needs_a_gpu(what)

    return refuse


def _with_device(original: Callable[..., Any]) -> Callable[..., Any]:
    """`with torch.device(...)`, and what sets the default device."""

    def begin(self: Any, device: Any) -> None:
        refuse_device("what is made", device)
        original(self, device)

    return begin


def places() -> list[tuple[Any, str, Any]]:
    """Owner, name and replacement of what real tensors, and code without tensors, begin to use a GPU by."""
    context = import_module("torch.utils._device").DeviceContext
    new = staticmethod(_refusing("torch.cuda.Stream"))
    return [
        (torch.cuda, "_lazy_init", _refusing("torch.cuda")),
        (torch.cuda.device, "__enter__", _refusing("torch.cuda.device")),
        (torch.cuda.Stream, "__new__", new),
        (torch.cuda.Event, "__new__", staticmethod(_refusing("torch.cuda.Event"))),
        (context, "__init__", _with_device(context.__init__)),
    ]
