"""`SymbolicArray`: passes for a `numpy.ndarray` in annotated code while its sizes are symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dims import Dim, Size
from ...dims.looked_at import by_code_under_test
from ...errors import Unsupported
from ...graph.node import Node
from ...graph.primitive import elements
from ..explorer import caller
from ..front_end import StandIn
from ..remedies import remedy_for


def unsupported(what: str, remedy: str = "") -> Unsupported:
    """The error of an operation without a rule, with the line that used it."""
    line = caller()
    error = Unsupported(f"{what} has no rule on symbolic sizes", remedy=remedy or remedy_for(what))
    if line is not None:
        from ...errors import Place

        error.at(Place(line.file, line.line))
    return error


class SymbolicArray(StandIn):
    """An array whose shape is made of sizes; every operation on it is recorded, none is carried out.

    `isinstance(x, np.ndarray)` holds, so jaxtyping's own run-time checker sees an array and compares our sizes.
    """

    __slots__ = ("_node",)
    __array_priority__ = 1000

    def __init__(self, node: Node) -> None:
        self._node = node

    @property
    def node(self) -> Node:
        """What was recorded of it; reading a view of something that was written since is refused."""
        from .updating import refuse_stale

        refuse_stale(self._node)
        return self._node

    @property
    def contents(self) -> object:
        return self._node

    @property
    def owner(self) -> object | None:
        from .updating import memory_of

        memory = memory_of(self._node)  # an array filled with one value is recorded as its broadcast
        return None if memory is self._node or not memory.shape else memory

    def replace(self, node: Node) -> None:
        self._node = node

    def forget(self) -> None:
        from .updating import forget

        forget(self)

    def become(self, node: Node) -> None:
        """The same array with other contents, after a write."""
        self._node = node

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        return np.ndarray

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(np.ndarray, name):
            raise AttributeError(f"'numpy.ndarray' object has no attribute {name!r}")
        raise unsupported(f"numpy.ndarray.{name}")

    # -- what an array knows of itself --------------------------------------------------------

    @property
    def shape(self) -> tuple[Size, ...]:
        return self._node.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._node.dtype

    @property
    def ndim(self) -> int:
        return len(self._node.shape)

    @property
    def size(self) -> Size:
        return elements(self.node.shape)

    @property
    def itemsize(self) -> int:
        return self.node.dtype.itemsize

    @property
    def nbytes(self) -> Size:
        return self.size * self.itemsize

    @property
    def T(self) -> SymbolicArray:
        return _call("transpose", self)

    @property
    def mT(self) -> SymbolicArray:
        return _call("matrix_transpose", self)

    @property
    def real(self) -> SymbolicArray:
        return _call("real", self)

    @property
    def imag(self) -> SymbolicArray:
        return _call("imag", self)

    def conj(self) -> SymbolicArray:
        return _call("conjugate", self) if self.dtype.kind == "c" else self

    # -- NumPy's protocols --------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        from .functions import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        from .functions import dispatch

        return dispatch(func, args, kwargs)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise unsupported("turning an array into numbers")

    # -- Python's protocols -------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        from .indexing import get_item

        return get_item(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        from .updating import set_item

        set_item(self, key, value)

    def __bool__(self) -> bool:
        raise unsupported("a branch on the values of an array")

    def _number(self) -> Any:
        from .lower import constant_value

        value = constant_value(self.node)
        if value is None:
            raise unsupported("taking a Python number out of an array")
        return value

    def __int__(self) -> int:
        return int(self._number())

    def __index__(self) -> int:
        number = self._number()
        if not hasattr(number, "__index__"):  # a term: what was drawn at random, or read from an array
            raise unsupported("a place in an array that only values decide")
        return number.__index__()

    def __float__(self) -> float:
        return float(self._number())

    def item(self) -> Any:
        return self._number()

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def __repr__(self) -> str:
        if by_code_under_test():
            raise Unsupported("the text of an array decides", remedy="decide by its elements or its shape")
        return f"SymbolicArray[{', '.join(map(str, self.shape))}; {self.dtype}]"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        if by_code_under_test():
            raise Unsupported("the text of an array decides", remedy="decide by its elements or its shape")
        return repr(self)

    # -- methods that are functions -----------------------------------------------------------

    def reshape(self, *shape: Any, order: str = "C") -> SymbolicArray:
        extent = shape[0] if len(shape) == 1 else shape
        return _call("reshape", self, extent, order=order)

    def transpose(self, *axes: Any) -> SymbolicArray:
        order = (
            None
            if not axes or axes == (None,)
            else (axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes)
        )
        return _call("transpose", self, order)

    def astype(self, dtype: Any, *_: Any, **__: Any) -> SymbolicArray:
        from .lower import cast
        from .updating import duplicate

        return duplicate(self) if self.dtype == np.dtype(dtype) else cast(self, np.dtype(dtype))

    def copy(self, order: str = "C") -> SymbolicArray:
        return _call("copy", self)

    def sort(self, axis: int = -1, **_: Any) -> None:
        from .updating import overwrite

        overwrite(self, _call("sort", self, axis), "sort")

    def fill(self, value: Any) -> None:
        self[...] = value

    def tolist(self) -> Any:
        """As many numbers as there are: sizes are wanted as numbers, then each element."""
        if not self.shape:
            return self.item()
        return [self[i].tolist() for i in range(self.shape[0].__index__())]

    @property
    def flat(self) -> Any:
        raise unsupported("ndarray.flat")

    def dot(self, other: Any) -> SymbolicArray:
        return _call("dot", self, other)

    def view(self, *_: Any) -> SymbolicArray:
        raise unsupported("ndarray.view")

    def flatten(self, order: str = "C") -> SymbolicArray:
        return _call("ravel", self, order=order)


def _call(name: str, *args: Any, **options: Any) -> Any:
    from .functions import dispatch

    return dispatch(getattr(np, name), args, options)


def _method(name: str) -> Callable[..., Any]:
    def method(self: SymbolicArray, *args: Any, **options: Any) -> Any:
        return _call(name, self, *args, **options)

    method.__name__ = name
    return method


def _operator(name: str, swapped: bool = False) -> Callable[[SymbolicArray, Any], Any]:
    def operator(self: SymbolicArray, other: Any) -> Any:
        from .functions import apply_ufunc

        return apply_ufunc(getattr(np, name), "__call__", (other, self) if swapped else (self, other), {})

    return operator


def _in_place(name: str) -> Callable[[SymbolicArray, Any], Any]:
    def operator(self: SymbolicArray, other: Any) -> Any:
        from .functions import apply_ufunc
        from .updating import overwrite

        overwrite(self, apply_ufunc(getattr(np, name), "__call__", (self, other), {}), getattr(np, name).__name__)
        return self

    return operator


def _unary(name: str) -> Callable[[SymbolicArray], Any]:
    def operator(self: SymbolicArray) -> Any:
        from .functions import apply_ufunc

        return apply_ufunc(getattr(np, name), "__call__", (self,), {})

    return operator


METHODS = (
    *("sum", "mean", "max", "min", "prod", "any", "all", "var", "std", "argmax", "argmin", "cumsum"),
    *(
        "squeeze",
        "swapaxes",
        "ravel",
        "repeat",
        "take",
        "clip",
        "searchsorted",
        "cumprod",
        "round",
        "trace",
        "diagonal",
    ),
    *("nonzero", "argsort", "conj"),
)
for _name in METHODS:
    if _name not in vars(SymbolicArray):
        setattr(SymbolicArray, _name, _method(_name))
for _symbol, _name in {
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
}.items():
    setattr(SymbolicArray, f"__{_symbol}__", _operator(_name))
    setattr(SymbolicArray, f"__r{_symbol}__", _operator(_name, swapped=True))
    setattr(SymbolicArray, f"__i{_symbol}__", _in_place(_name))
for _symbol, _name in {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}.items():
    setattr(SymbolicArray, f"__{_symbol}__", _operator(_name))
for _symbol, _name in {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}.items():
    setattr(SymbolicArray, f"__{_symbol}__", _unary(_name))


def _array_arithmetic(ufunc: np.ufunc, method: str, inputs: Any, options: Any) -> Any:
    from .functions import apply_ufunc

    return apply_ufunc(ufunc, method, inputs, options)


Dim.array_arithmetic = staticmethod(_array_arithmetic)
