"""What PyTorch does not dispatch, replaced for the length of a run: factories, first values, autograd's functions.

Sizes take part in `__torch_function__` too, so that a real tensor that meets a size becomes symbolic.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

from ...dims import Dim
from ...terms import Term
from ..front_end import is_stand_in
from .devices import places as devices
from .devices import refuse_devices
from .framework import torch
from .grown import growing, growing_in_a_row
from .shape import ShapeOfSizes, SymbolicShape
from .switches import MODE, switches
from .tensor import SymbolicTensor

_working: list[int] = [0]
"""How many times PyTorch's own engine is at work inside a run: it wants its own functions."""


@contextmanager
def engine_at_work() -> Generator[None]:
    """Everything that is replaced is PyTorch's own inside."""
    _working[0] += 1
    try:
        yield
    finally:
        _working[0] -= 1


def _symbolic_sizes(cls: Any, function: Any, types: Any, args: Any = (), options: Any = None) -> Any:
    from .table import dispatch

    del cls, types
    return dispatch(function, args, options or {})


for _class in (Dim, Term):
    _class.__torch_function__ = classmethod(_symbolic_sizes)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]

REAL_METHODS = (
    *("view", "reshape", "expand", "repeat", "narrow", "unflatten", "split", "chunk", "select", "tril", "triu", "roll"),
    *("repeat_interleave", "new_zeros", "new_ones", "new_full", "new_empty", "__getitem__", "index_select", "clamp"),
    *("masked_fill", "topk", "tile", "unfold"),
)
"""Methods of real tensors that may be asked for sizes, which their compiled code does not know."""

NUMBER_FIRST = (
    *("where", "pow", "float_power", "remainder", "xlogy", "ldexp", "bucketize", "isin", "result_type"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"),
)
"""Functions with a form that begins with a number: looking for it, compiled code takes a stand-in for a tensor, and
the process ends."""


def _holds_shape(value: Any) -> bool:
    """Whether a shape is a stand-in's: one without axes holds no symbol, and sizes may be added to it all the same."""
    from .making import holds_symbols

    return type(value) is SymbolicShape or holds_symbols(value)


def _factory(name: str, make: Callable[..., Any], original: Callable[..., Any], always: bool, held: Any) -> Any:
    def factory(*args: Any, **options: Any) -> Any:
        if _working[0]:
            return original(*args, **options)
        refuse_devices(f"torch.{name}", options)
        if not (always or any(map(held, (*args, *options.values())))):
            return original(*args, **options)
        options.pop("generator", None)
        target = options.pop("out", None)
        if target is not None:
            from ..numpy.array import unsupported

            raise unsupported(f"torch.{name} with out=")
        made = make(*args, **options)
        if options.get("requires_grad") and is_stand_in(made):
            made.requires_grad_()
        return made

    factory.__name__ = name
    return factory


def _method(original: Callable[..., Any], held: Any) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        if not _working[0] and any(map(held, (self, *args, *options.values()))):
            from .table import dispatch

            return dispatch(original, (self, *args), options)
        return original(self, *args, **options)

    return method


def _leaving(original: Callable[..., Any]) -> Callable[..., Any]:
    """An initialisation: what a parameter holds at the start says nothing of it."""

    def initialise(tensor: Any, *args: Any, **options: Any) -> Any:
        if type(tensor) is not SymbolicTensor:
            return original(tensor, *args, **options)
        if not tensor._is_param:  # pyright: ignore[reportPrivateUsage]
            from .making import drawn

            value = {"zeros_": 0, "ones_": 1}.get(original.__name__)
            if original.__name__ == "constant_":
                value = args[0] if args else options["val"]
            if value is None:
                tensor.write(drawn(tuple(tensor.shape), tensor.dtype).array)
            else:
                tensor.fill_(value)
        return tensor

    return initialise


def _resetting(original: Callable[..., Any]) -> Callable[..., Any]:
    def reset(self: Any, *args: Any, **options: Any) -> Any:
        if _working[0]:
            return original(self, *args, **options)
        return None

    return reset


def _checkpoint() -> Callable[..., Any]:
    own = {"use_reentrant", "context_fn", "determinism_check", "debug", "preserve_rng_state", "early_stop"}

    def checkpoint(function: Any, *args: Any, **options: Any) -> Any:
        return function(*args, **{k: v for k, v in options.items() if k not in own})

    return checkpoint


class _Context(SimpleNamespace):
    """What a custom autograd function keeps for its way back, which is not run."""

    needs_input_grad = (False,) * 32

    def save_for_backward(self, *tensors: Any) -> None:
        self.saved_tensors = tensors

    save_for_forward = save_for_backward

    def mark_dirty(self, *_: Any) -> None: ...
    def mark_non_differentiable(self, *_: Any) -> None: ...
    def set_materialize_grads(self, value: bool) -> None: ...


def _apply(original: Any) -> Any:
    """`Function.apply`: the forward, run through."""

    def apply(cls: Any, *args: Any, **options: Any) -> Any:
        if _working[0] or not any(map(is_stand_in, args)):
            return original.__func__(cls, *args, **options)
        context = _Context()
        own = cls.setup_context is not torch.autograd.function._SingleLevelFunction.setup_context
        if not own:
            return cls.forward(context, *args, **options)
        result = cls.forward(*args, **options)
        cls.setup_context(context, args, result)
        return result

    return classmethod(apply)


def _module_apply(original: Callable[..., Any]) -> Callable[..., Any]:
    """`Module.to`, `.half` and the like: each stand-in becomes what the function makes of it."""

    def apply(self: Any, function: Any, recurse: bool = True) -> Any:
        if _working[0]:
            return original(self, function, recurse)
        for module in self.modules() if recurse else (self,):
            for held in (module._parameters, module._buffers):
                for tensor in held.values():
                    if type(tensor) is SymbolicTensor:
                        new = function(tensor)
                        tensor.retype(new)
        return self

    return apply


def _places() -> list[tuple[Any, str, Any]]:
    """Owner, name and replacement of everything that is replaced."""
    from .making import ALWAYS, FACTORIES, holds_symbols
    from .transformations import FOLLOWED, following

    found: list[tuple[Any, str, Any]] = []
    for name, make in FACTORIES.items():
        found.append((torch, name, _factory(name, make, getattr(torch, name), name in ALWAYS, holds_symbols)))
    found += [(torch.Tensor, name, _method(getattr(torch.Tensor, name), holds_symbols)) for name in REAL_METHODS]
    found.append((torch, "Size", ShapeOfSizes))
    found += [(torch, name, _method(getattr(torch, name), holds_symbols)) for name in NUMBER_FIRST]
    found += [*switches(), *devices()]
    found.append((torch, "broadcast_shapes", _method(torch.broadcast_shapes, _holds_shape)))
    init = import_module("torch.nn.init")
    for name, function in vars(init).items():
        if name.endswith("_") and not name.startswith("_") and callable(function):
            found.append((init, name, _leaving(function)))
    for owner in _subclasses(torch.nn.Module):
        if owner.__module__.startswith("torch.nn.modules"):
            own = [n for n in ("reset_parameters", "_reset_parameters") if n in vars(owner)]
            found += [(owner, name, _resetting(vars(owner)[name])) for name in own]
    checkpoints = import_module("torch.utils.checkpoint")
    found.append((checkpoints, "checkpoint", _checkpoint()))
    for name, follow in FOLLOWED.items():
        new = following(getattr(torch.func, name), follow)
        found += [(owner, name, new) for owner in (torch, torch.func) if name in vars(owner)]
    function = torch.autograd.Function
    found.append((function, "apply", _apply(vars(function)["apply"])))
    found.append((torch.nn.Module, "_apply", _module_apply(torch.nn.Module._apply)))
    found.append((torch.nn.ModuleList, "__init__", growing(torch.nn.ModuleList.__init__)))
    found.append((torch.nn.Sequential, "__init__", growing_in_a_row(torch.nn.Sequential.__init__)))
    return found


def _subclasses(owner: type) -> set[type]:
    found: set[type] = set()
    todo = [owner]
    while todo:
        for sub in todo.pop().__subclasses__():
            if sub not in found:
                found.add(sub)
                todo.append(sub)
    return found


_known: list[tuple[Any, str, Any, Any]] = []
"""Methods and classes: owner, name, replacement and PyTorch's own."""
_lasting: dict[int, Any] = {}
"""Functions of modules, by the identity of PyTorch's own: what stands for them from the first import on."""
_depth: list[int] = [0]


def _watching(new: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """PyTorch's own function outside a run, and the replacement in one."""

    @wraps(original)
    def watched(*args: Any, **options: Any) -> Any:
        return (new if _depth[0] and not _working[0] else original)(*args, **options)

    return watched


def install() -> None:
    """Functions are replaced for good, so that `from torch import where` finds what a run needs.

    Outside a run they are PyTorch's own. Modules that were imported before get them too.
    """
    if _known:
        return
    _load_rows()
    originals: list[Any] = []  # kept, so that no identity is given away twice
    for owner, name, new in _places():
        original = vars(owner).get(name)
        if original is None:
            continue
        if not isinstance(owner, ModuleType) or isinstance(original, type):
            _known.append((owner, name, new, original))
            continue
        if id(original) not in _lasting:
            originals.append(original)
            _lasting[id(original)] = new if owner is torch.func or name == "vmap" else _watching(new, original)
        setattr(owner, name, _lasting[id(original)])
    _originals.extend(originals)
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in ("torch", OURS):
            for key, value in list(getattr(module, "__dict__", {}).items()):
                if id(value) in _lasting:
                    setattr(module, key, _lasting[id(value)])


_originals: list[Any] = []
OURS = __name__.partition(".")[0]


@contextmanager
def session() -> Generator[None]:
    """Factories take symbolic sizes inside, and parameters are stand-ins."""
    install()
    _depth[0] += 1
    if _depth[0] == 1:
        torch.nn.Module.training = MODE
        for owner, name, new, _ in _known:
            setattr(owner, name, new)
    try:
        yield
    finally:
        _depth[0] -= 1
        if not _depth[0]:
            del torch.nn.Module.training
            for owner, name, _, old in _known:
                setattr(owner, name, old)


def _load_rows() -> None:
    from .rows import load

    load()


__all__ = ["engine_at_work", "install", "session"]
