"""Functions element by element: one table row each. Their memory order is their operands', as in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dims import identical
from ...graph.node import Shape
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.lower import cast, elementwise
from .elements import common_type, numpy_type, promoted
from .framework import torch
from .layout import CONTIGUOUS, UNKNOWN, Layout, like
from .table import arr, as_tensor, implements, is_real, is_tensor, out
from .tensor import SymbolicTensor

UNARY = {
    **{n: n for n in ("exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "floor", "ceil", "sign", "log1p", "expm1")},
    **{n: n for n in ("log2", "log10", "exp2", "sinh", "cosh", "square", "isnan", "isinf", "isfinite", "logical_not")},
    **{n: n for n in ("trunc", "erf", "erfc", "erfinv", "lgamma", "digamma", "i0", "deg2rad", "rad2deg", "signbit")},
    **{n: n for n in ("conj", "sinc")},
    "neg": "negative",
    "negative": "negative",
    "abs": "abs",
    "absolute": "abs",
    "reciprocal": "reciprocal",
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "arctan": "arctan",
    "asinh": "arcsinh",
    "sgn": "sign",
    "acosh": "arccosh",
    "atanh": "arctanh",
    "bitwise_not": "invert",
    "fix": "trunc",
    "positive": "positive",
    "__neg__": "negative",
    "__abs__": "abs",
    "__invert__": "invert",
    "__pos__": "positive",
}
BINARY = {
    **{n: n for n in ("maximum", "minimum", "logical_and", "logical_or", "logical_xor", "remainder", "fmod", "hypot")},
    **{n: n for n in ("floor_divide", "bitwise_and", "bitwise_or", "bitwise_xor", "logaddexp", "fmax", "fmin")},
    "mul": "multiply",
    "multiply": "multiply",
    "true_divide": "true_divide",
    "pow": "power",
    "float_power": "power",
    "atan2": "arctan2",
    "arctan2": "arctan2",
    "eq": "equal",
    "ne": "not_equal",
    "not_equal": "not_equal",
    "lt": "less",
    "less": "less",
    "le": "less_equal",
    "less_equal": "less_equal",
    "gt": "greater",
    "greater": "greater",
    "ge": "greater_equal",
    "greater_equal": "greater_equal",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
    "copysign": "copysign",
}
OPERATORS = {
    "mul": "multiply",
    "truediv": "true_divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "power",
    "add": "add",
    "sub": "subtract",
    "lshift": "left_shift",
    "rshift": "right_shift",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}
PYTORCH = {"multiply": "mul", "true_divide": "true_divide", "power": "pow", "equal": "eq", "negative": "neg"}


def memory_like(operands: list[Any], shape: Shape) -> Layout:
    """The memory order of an elementwise result."""
    tensors = [o for o in operands if is_tensor(o)]
    whole = [o for o in tensors if o.ndim == len(shape) and all(map(identical, o.shape, shape))]
    others = [o for o in tensors if o.ndim > 1 and not any(o is w for w in whole)]
    if all(o.memory == CONTIGUOUS for o in (*whole, *others)):
        return CONTIGUOUS
    if not whole or any(o.memory != CONTIGUOUS for o in others):
        return UNKNOWN
    layouts = [like(o.memory, shape) for o in whole]
    return layouts[0] if all(x == layouts[0] for x in layouts) and not others else UNKNOWN


def applied(name: str, dtype: Any, *operands: Any, sources: list[Any] | None = None) -> SymbolicTensor:
    """A NumPy function of broadcast operands; numbers stay what they are."""
    arrays = [arr(o) if is_tensor(o) or is_real(o) else o for o in operands]
    result = elementwise(name, *arrays, dtype=numpy_type(dtype))
    return out(result, dtype, memory_like(list(sources or operands), tuple(result.shape)))


def _unary(name: str, function: Any) -> Callable[..., Any]:
    def row(input: Any) -> Any:
        dtype = promoted(function, input)
        operand = _converted(input, dtype) if name not in WITHOUT_PROMOTION else input
        return applied(name, dtype, operand, sources=[input])

    return row


WITHOUT_PROMOTION = frozenset({"isnan", "isinf", "isfinite", "logical_not", "signbit", "invert", "abs"})


def _converted(value: Any, dtype: Any) -> Any:
    """Integers that a function of real numbers is applied to."""
    if (
        is_tensor(value)
        and dtype.is_floating_point
        and not value.dtype.is_floating_point
        and not value.dtype.is_complex
    ):
        return cast(value.array, numpy_type(dtype))
    return value


COMPARING = frozenset({"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"})


def binary(name: str, function: Any, input: Any, other: Any, **options: Any) -> Any:
    """A NumPy function of two operands, with PyTorch's element type."""
    for value in (input, other):
        if isinstance(value, (list, tuple, dict)) or value is None:
            raise TypeError(f"{name}: expected a Tensor or a number, got {type(value).__name__}")
    dtype = promoted(function, input, other, **options)
    return applied(name, dtype, input, other)


def _binary(name: str, function: Any) -> Callable[..., Any]:
    def row(input: Any, other: Any) -> Any:
        return binary(name, function, input, other)

    return row


def _operator(name: str, function: Any, *, swapped: bool) -> Callable[..., Any]:
    def row(left: Any, right: Any) -> Any:
        return binary(name, function, *((right, left) if swapped else (left, right)))

    return row


for _name, _numpy in UNARY.items():
    if hasattr(torch, _name) or hasattr(torch.Tensor, _name) or hasattr(torch.special, _name):
        _function = getattr(torch, _name, None) or getattr(torch.special, _name, None) or getattr(torch.Tensor, _name)
        implements(_name)(_unary(_numpy, _function))
for _name, _numpy in BINARY.items():
    if hasattr(torch, _name):
        implements(_name)(_binary(_numpy, getattr(torch, _name)))
for _name, _numpy in OPERATORS.items():
    _function = {
        "add": torch.add, "subtract": torch.sub, "multiply": torch.mul, "true_divide": torch.true_divide,
        "floor_divide": torch.floor_divide, "remainder": torch.remainder, "power": torch.pow, "equal": torch.eq,
        "not_equal": torch.ne, "less": torch.lt, "less_equal": torch.le, "greater": torch.gt,
        "greater_equal": torch.ge, "bitwise_and": torch.bitwise_and, "bitwise_or": torch.bitwise_or,
        "bitwise_xor": torch.bitwise_xor, "left_shift": torch.bitwise_left_shift,
        "right_shift": torch.bitwise_right_shift,
    }[_numpy]  # fmt: skip
    for _prefix in ("", "r"):
        if hasattr(torch.Tensor, f"__{_prefix}{_name}__"):
            implements(f"__{_prefix}{_name}__", only=(torch.Tensor,))(
                _operator(_numpy, _function, swapped=_prefix == "r")
            )


@implements("add")
def _add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return binary("add", torch.add, input, other if alpha == 1 else _scaled(other, alpha))


@implements("sub", "subtract")
def _sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return binary("subtract", torch.sub, input, other if alpha == 1 else _scaled(other, alpha))


@implements("rsub")
def _rsub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return _sub(other, input, alpha=alpha)


def _scaled(value: Any, by: Any) -> Any:
    return binary("multiply", torch.mul, value, by) if is_tensor(value) or is_real(value) else value * by


@implements("div", "divide", "true_divide")
def _div(input: Any, other: Any, *, rounding_mode: Any = None) -> Any:
    if rounding_mode is None:
        return binary("true_divide", torch.true_divide, input, other)
    result = binary("floor_divide", torch.floor_divide, input, other)
    if rounding_mode == "floor":
        return result
    raise unsupported(f"div with rounding_mode={rounding_mode!r}")


@implements("rsqrt")
def _rsqrt(input: Any) -> Any:
    root: Any = _unary("sqrt", torch.sqrt)(input)
    return binary("true_divide", torch.true_divide, 1, root)


@implements("round")
def _round(input: Any, *, decimals: int = 0) -> Any:
    return applied("round", input.dtype, input)


@implements("frac")
def _frac(input: Any) -> Any:
    return _sub(input, applied("trunc", input.dtype, input))


@implements("lerp")
def _lerp(input: Any, end: Any, weight: Any) -> Any:
    return input + weight * (as_tensor(end) - input)


@implements("addcmul")
def _addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    return input + tensor1 * tensor2 * value


@implements("addcdiv")
def _addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    return input + tensor1 / tensor2 * value


@implements("clamp", "clip")
def _clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    result = input
    if min is not None:
        result = applied("maximum", common_type(result, min), result, min)
    if max is not None:
        result = applied("minimum", common_type(result, max), result, max)
    return result


@implements("clamp_min")
def _clamp_min(input: Any, min: Any) -> Any:
    return _clamp(input, min)


@implements("clamp_max")
def _clamp_max(input: Any, max: Any) -> Any:
    return _clamp(input, None, max)


@implements("where")
def _where(condition: Any, input: Any = None, other: Any = None) -> Any:
    if input is None:
        from .picking import nonzero

        return nonzero(condition, as_tuple=True)
    dtype = common_type(input, other)
    return applied("select", dtype, condition, input, other, sources=[condition, input, other])


_tensor_where = torch.Tensor.where


@implements("where", only=(torch.Tensor,))
def _where_method(self: Any, condition: Any, y: Any) -> Any:
    return _where(condition, self, y)


@implements("masked_fill")
def _masked_fill(input: Any, mask: Any, value: Any) -> Any:
    if as_tensor(mask).dtype is not torch.bool:
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype}")
    chosen: Any = arr(value) if is_tensor(value) else value
    array: SymbolicArray = elementwise("select", arr(mask), chosen, arr(input), dtype=numpy_type(input.dtype))
    return out(array, input.dtype, memory_like([input, mask], tuple(array.shape)))


@implements("nan_to_num")
def _nan_to_num(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    from .shaping import alike

    return alike("nan_to_num", input)


@implements("isclose")
def _isclose(input: Any, other: Any, **_: Any) -> Any:
    return applied("isclose", torch.bool, input, other)
