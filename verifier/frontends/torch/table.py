"""PyTorch's functions on symbolic tensors: what `__torch_function__` dispatches to.

One function a row, registered under PyTorch's name for `torch.name`, `Tensor.name` and `F.name` at once. An in-place
method is its row, written into the tensor. A function of PyTorch's that is itself written in Python is run through.
What is left gets its shape from PyTorch's own engine (`engine`), or is UNSUPPORTED by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, SimpleNamespace
from typing import Any

from ...dims import is_dim
from ...graph.node import MismatchAsIndexError, MismatchAsRuntimeError, ShapeMismatch
from ...terms import Term, as_term
from ...terms.term import apply
from ..front_end import is_stand_in
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.lower import cast, lift
from . import autocast
from .devices import refuse_devices
from .elements import numpy_type, operand_type
from .framework import F, torch
from .kernels import refuse_types
from .layout import CONTIGUOUS, Layout
from .tensor import SymbolicTensor, View

TABLE: dict[Any, Callable[..., Any]] = {}
BY_NAME: dict[str, Callable[..., Any]] = {}
PLACES = (torch, torch.Tensor, F, torch.special, torch.linalg, torch.fft)


def implements(*names: str, only: Sequence[Any] = PLACES[:4]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a row under names of PyTorch's."""

    def register(row: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            found = [getattr(place, name) for place in only if hasattr(place, name)]
            for function in found:
                TABLE[function] = row
            BY_NAME.setdefault(name, row)
        return row

    return register


def is_tensor(value: object) -> bool:
    """Whether a value is a stand-in of ours."""
    return type(value) is SymbolicTensor


def is_real(value: object) -> bool:
    """Whether a value is a tensor of PyTorch's own."""
    return isinstance(value, torch.Tensor) and not is_stand_in(value)


def arr(value: Any) -> SymbolicArray:
    """The NumPy stand-in of a tensor, a real one, a number, a size or a list."""
    if type(value) is SymbolicTensor:
        return value.array
    if is_real(value):
        plain = value.detach().resolve_conj().resolve_neg()
        found = (plain.float() if plain.dtype is torch.bfloat16 else plain).cpu().numpy()
        return lift(found if found.ndim else found[()])
    return lift(value)


def as_tensor(value: Any) -> SymbolicTensor:
    """A tensor of ours for whatever stands where PyTorch wants a tensor.

    Raises:
        TypeError: a number, where PyTorch takes no number either, is let through; a list is not.
    """
    if type(value) is SymbolicTensor:
        return value
    if is_real(value):
        return SymbolicTensor(arr(value), value.dtype)
    if isinstance(value, (int, float, complex, bool)) or is_dim(value) or type(value) is Term:
        dtype = operand_type(value)
        return SymbolicTensor(cast(lift(value), numpy_type(dtype)), dtype)
    raise TypeError(f"expected a Tensor, got {type(value).__name__}")


def out(array: SymbolicArray, dtype: Any, layout: Layout = CONTIGUOUS, view: View | None = None) -> SymbolicTensor:
    """A row's result."""
    return SymbolicTensor(cast(array, numpy_type(dtype)), dtype, layout, view)


def dispatch(function: Any, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """The row of a function of PyTorch's, called.

    Raises:
        Unsupported: there is none, and PyTorch's engine has no shape for it either.
        ShapeMismatch: sizes that it cannot join, as the error that PyTorch raises for it.
    """
    _load_rows()
    refuse_devices(name_of(function), options)
    try:
        return _dispatched(function, args, options)
    except ShapeMismatch as error:
        error.__class__ = _raised_by(function)
        raise
    except ZeroDivisionError:
        if isinstance(function, FunctionType):
            raise
        raise RuntimeError(f"{name_of(function)} divides by a size of 0") from None


def _raised_by(function: Any) -> type[ShapeMismatch]:
    """The class of PyTorch's error: its compiled code raises one of two, and its Python and assignments any."""
    name = name_of(function)
    if isinstance(function, FunctionType) or name == "__setitem__":
        return ShapeMismatch
    return MismatchAsIndexError if name in ("__getitem__", "select") else MismatchAsRuntimeError


def _dispatched(function: Any, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    if autocast.is_on():
        args, options = autocast.converted(name_of(function), args, options)
    row = TABLE.get(function)
    if row is not None:
        return call_row(row, function, args, options)
    name = name_of(function)
    if name == "__get__":
        return getattr(args[0], function.__self__.__name__)
    if name.endswith("_") and not name.endswith("__"):
        return _in_place(function, name[:-1], args, options)
    if name.startswith("__i") and name not in ("__invert__", "__index__", "__int__"):
        return _in_place(function, f"__{name[3:]}", args, options)
    if isinstance(function, FunctionType):
        if _running.count(function) > MAX_NESTED:  # it asks itself for its own override
            raise unsupported(f"torch.{name}")
        _running.append(function)
        try:
            return through(function)(*args, **options)
        finally:
            _running.pop()
    if name in BY_NAME and getattr(torch.Tensor, name, None) is not function:
        return call_row(BY_NAME[name], function, args, options)
    from .engine import fallback

    return fallback(function, name, args, options)


_running: list[Any] = []
"""PyTorch's own Python functions that are run through at the moment."""
MAX_NESTED = 8


def name_of(function: Any) -> str:
    return getattr(function, "__name__", str(function))


def call_row(row: Callable[..., Any], function: Any, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """The row with PyTorch's own options that change nothing left out.

    Raises:
        Unsupported: `out=`, or arguments that the row does not know.
    """
    kept = {k: v for k, v in options.items() if k not in IGNORED and not (k == "out" and v is None)}
    target = kept.pop("out", None)
    if not autocast.is_on():
        refuse_types(function, args, kept)
    try:
        value = row(*args, **kept)
    except TypeError as error:
        if _of_the_call(error):
            raise unsupported(f"{name_of(function)} with these arguments ({error})") from None
        raise
    if target is None:
        return value
    if type(target) is not SymbolicTensor:
        raise unsupported(f"{name_of(function)} into a real tensor")
    target.write(cast(as_tensor(value).array, numpy_type(target.dtype)))
    return target


IGNORED = frozenset(
    [*("layout", "device", "pin_memory", "memory_format", "non_blocking", "requires_grad", "_stacklevel", "generator")]
)


def _of_the_call(error: TypeError) -> bool:
    """Whether the row could not be called, rather than failed."""
    step = error.__traceback__
    return step is not None and step.tb_next is None


def _in_place(function: Any, name: str, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """An in-place method: the result, in the tensor's own element type and shape, written into it."""
    target = args[0]
    name = RENAMED.get(name, name)
    plain = getattr(torch.Tensor, name, None) or getattr(F, name, None) or getattr(torch, name, None)
    row = TABLE.get(plain, BY_NAME.get(name))
    if type(target) is not SymbolicTensor:
        raise unsupported(f"writing symbolic values into a real tensor by {name_of(function)}")
    if row is None or name in RESHAPING or name.startswith(("transpose", "unsqueeze", "squeeze", "resize", "set")):
        raise unsupported(f"Tensor.{name_of(function)}")
    from .writing import apart, refuse_leaf, write_into

    refuse_leaf(target)

    for other in args[1:]:
        apart(target, other)

    return write_into(target, call_row(row, function, args, options), name_of(function))


RENAMED = {"__div__": "__truediv__"}
"""In-place operators that go by another name than their plain ones."""
RESHAPING = frozenset({"t", "swapaxes", "swapdims", "as_strided"})
"""Methods that change, in place, how a tensor lies and not what it holds."""


_through: dict[Any, Callable[..., Any]] = {}


def through(function: FunctionType) -> Callable[..., Any]:
    """A function of PyTorch's that is written in Python, with its own question for overrides answered No."""
    known = _through.get(function)
    if known is None:
        names = {**function.__globals__, **dict.fromkeys(ASKING, _no), "float": _Float}
        if names.get("math") is math:
            names["math"] = _MATH
        known = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
        known.__kwdefaults__ = function.__kwdefaults__
        _through[function] = known
    return known


class _Floats(type):
    def __call__(cls, value: Any = 0.0) -> Any:
        return as_term(value) if is_dim(value) else value if type(value) is Term else float(value)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, float)


class _Float(metaclass=_Floats):
    """`float(d)` and `isinstance(d, float)` as PyTorch's own Python asks them."""


def _root(value: Any) -> Any:
    return apply("sqrt", value) if is_dim(value) or type(value) is Term else math.sqrt(value)


_MATH = SimpleNamespace(**{**vars(math), "sqrt": _root})

ASKING = ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic")


def _no(*_: Any) -> bool:
    return False


_complete: list[bool] = []


def _load_rows() -> None:
    if not _complete:
        _complete.append(True)
        from . import rows

        rows.load()
