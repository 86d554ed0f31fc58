"""`SymbolicJaxArray`: passes for a `jax.Array` in annotated code while its sizes are symbols.

It wraps the stand-in of NumPy, whose lowering it shares; what differs is element types, indexing beyond the end,
and that nothing is written in place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dims import Size
from ...dims.looked_at import by_code_under_test
from ...errors import Unsupported
from ...graph.node import Node
from ...graph.primitive import elements
from ..front_end import StandIn
from ..numpy.array import SymbolicArray, unsupported
from .engine import jax

KEY = np.dtype("V8")
"""What the graph takes for the element type of JAX's keys of random numbers, which NumPy has not."""


class Place:
    """Where every array of sizes lies: in one place, of which nothing is known."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise unsupported(f"jax.Array.sharding.{name}", "leave the placement of arrays out of what is checked")


PLACE = Place()


class SymbolicJaxArray(StandIn):
    """An array whose shape is made of sizes; every operation on it is recorded, none is carried out."""

    __slots__ = ("_array", "weak")
    __array_priority__ = 2000

    def __init__(self, array: SymbolicArray, weak: bool = False) -> None:
        self._array = array
        self.weak = weak

    @property
    def inner(self) -> SymbolicArray:
        """NumPy's stand-in for the same node."""
        return self._array

    @property
    def node(self) -> Node:
        return self._array.node

    @property
    def contents(self) -> object:
        return self._array.contents

    def replace(self, node: Node) -> None:
        self._array = SymbolicArray(node)

    def forget(self) -> None:
        """In an array of its own: what else has the same values keeps them, since none is ever written to."""
        from ..numpy.updating import unknown

        self._array = unknown(self._array)

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        return jax.Array

    # -- what an array knows of itself --------------------------------------------------------

    @property
    def shape(self) -> tuple[Size, ...]:
        return self._array.shape

    @property
    def element(self) -> np.dtype[Any]:
        """The element type as the graph has it."""
        return self._array.dtype

    @property
    def dtype(self) -> Any:
        return jax.random.key(0).dtype if self.element == KEY else self.element

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> Size:
        return elements(self.shape)

    @property
    def itemsize(self) -> int:
        return self.element.itemsize

    @property
    def nbytes(self) -> Size:
        return self.size * self.itemsize

    @property
    def weak_type(self) -> bool:
        return self.weak

    @property
    def T(self) -> Any:
        return _call("transpose", self)

    @property
    def mT(self) -> Any:
        return _call("matrix_transpose", self)

    @property
    def real(self) -> Any:
        return _call("real", self)

    @property
    def imag(self) -> Any:
        return _call("imag", self)

    @property
    def at(self) -> Any:
        from .updating import At

        return At(self)

    @property
    def sharding(self) -> Any:
        return PLACE

    @property
    def aval(self) -> Any:
        raise unsupported("JAX's own tracing of an array of sizes")

    # -- others' protocols --------------------------------------------------------------------

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise unsupported("turning an array of JAX into numbers")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """NumPy's functions give NumPy's arrays, as they do of real ones."""
        from ..numpy.functions import apply_ufunc
        from .lowering import bare

        return apply_ufunc(ufunc, method, bare(inputs), options)

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        from ..numpy.functions import dispatch
        from .lowering import bare

        return dispatch(func, bare(args), bare(kwargs))

    def __jax_array__(self) -> Any:
        raise unsupported("an operation of JAX that asks for the array itself")

    # -- Python's protocols -------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        from .updating import get_item

        return get_item(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            "JAX arrays are immutable and do not support in-place item assignment. "
            "Instead of x[idx] = y, use x = x.at[idx].set(y)"
        )

    def __bool__(self) -> bool:
        raise unsupported("a branch on the values of an array", "jnp.where, or lax.cond")

    def __int__(self) -> int:
        return int(self._array)

    def __index__(self) -> int:
        return self._array.__index__()

    def __float__(self) -> float:
        return float(self._array)

    def __complex__(self) -> complex:
        return complex(float(self._array))

    def item(self, *_: Any) -> Any:
        return self._array.item()

    def tolist(self) -> Any:
        return self._array.tolist()

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'ArrayImpl'")

    def __repr__(self) -> str:
        if by_code_under_test():
            raise Unsupported("the text of an array decides", remedy="decide by its elements or its shape")
        return f"SymbolicJaxArray[{', '.join(map(str, self.shape))}; {self.dtype}]"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        if by_code_under_test():
            raise Unsupported("the text of an array decides", remedy="decide by its elements or its shape")
        return repr(self)

    def __copy__(self) -> SymbolicJaxArray:
        return self

    def __deepcopy__(self, memo: Any) -> SymbolicJaxArray:
        return self

    # -- methods that are functions -----------------------------------------------------------

    def reshape(self, *shape: Any, order: str = "C", **_: Any) -> Any:
        return _call("reshape", self, shape[0] if len(shape) == 1 else shape, order=order)

    def transpose(self, *axes: Any) -> Any:
        order = (
            None
            if not axes or axes == (None,)
            else (axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes)
        )
        return _call("transpose", self, order)

    def astype(self, dtype: Any, *_: Any, **__: Any) -> Any:
        return _call("astype", self, dtype)

    def flatten(self, order: str = "C", **_: Any) -> Any:
        return _call("ravel", self, order=order)

    def conj(self) -> Any:
        return _call("conj", self)

    conjugate = conj

    def view(self, dtype: Any = None, *_: Any) -> Any:
        raise unsupported("jax.Array.view")

    def block_until_ready(self) -> SymbolicJaxArray:
        return self

    def copy_to_host_async(self) -> None:
        """Nothing to copy."""

    def to_device(self, *_: Any, **__: Any) -> SymbolicJaxArray:
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(jax.Array, name):
            raise AttributeError(f"'ArrayImpl' object has no attribute {name!r}")
        raise unsupported(f"jax.Array.{name}")


def wraps_array(value: object) -> bool:
    """Whether a value says by JAX's protocol that it holds an array, as Flax's variables do; JAX's symbols are none."""
    kind = type(value)
    if kind is SymbolicJaxArray or kind.__module__.partition(".")[0] in ("jax", "jaxlib"):
        return False
    return callable(getattr(kind, "__jax_array__", None))  # a tracer's is a property


def _call(name: str, *args: Any, **options: Any) -> Any:
    from .table import raising_as_jax, rule

    with raising_as_jax():
        return rule(f"jax.numpy.{name}")(*args, **options)


def _method(name: str) -> Callable[..., Any]:
    def method(self: SymbolicJaxArray, *args: Any, **options: Any) -> Any:
        return _call(name, self, *args, **options)

    method.__name__ = name
    return method


def _operator(name: str, swapped: bool = False) -> Callable[[SymbolicJaxArray, Any], Any]:
    def operator(self: SymbolicJaxArray, other: Any) -> Any:
        if isinstance(other, (list, tuple, set, dict, str)):  # JAX refuses them
            raise TypeError(f"unsupported operand type(s) for {name}: 'ArrayImpl' and {type(other).__name__!r}")
        if other is None:
            return NotImplemented
        if wraps_array(other):
            other = other.__jax_array__()
        return _call(name, other, self) if swapped else _call(name, self, other)

    return operator


def _unary(name: str) -> Callable[[SymbolicJaxArray], Any]:
    def operator(self: SymbolicJaxArray) -> Any:
        return _call(name, self)

    return operator


METHODS = (
    *("sum", "mean", "max", "min", "prod", "any", "all", "var", "std", "argmax", "argmin", "cumsum", "cumprod"),
    *("squeeze", "swapaxes", "ravel", "repeat", "take", "clip", "dot", "sort", "argsort", "copy", "round", "trace"),
    *("diagonal", "ptp", "nonzero", "searchsorted"),
)
OPERATORS = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "true_divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "power",
    "matmul": "matmul",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
    "divmod": "divmod",
}
COMPARISONS = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}
for _name in METHODS:
    setattr(SymbolicJaxArray, _name, _method(_name))
for _symbol, _name in OPERATORS.items():
    setattr(SymbolicJaxArray, f"__{_symbol}__", _operator(_name))
    setattr(SymbolicJaxArray, f"__r{_symbol}__", _operator(_name, swapped=True))
for _symbol, _name in COMPARISONS.items():
    setattr(SymbolicJaxArray, f"__{_symbol}__", _operator(_name))
for _symbol, _name in {"neg": "negative", "pos": "positive", "abs": "abs", "invert": "invert"}.items():
    setattr(SymbolicJaxArray, f"__{_symbol}__", _unary(_name))
