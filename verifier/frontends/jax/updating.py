"""The square brackets of a JAX array, and `x.at[...]`: places outside are clamped, results are new arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dims import is_dim
from ...graph.node import Shape, require
from ...graph.ops import Opaque, Update
from ..numpy.array import SymbolicArray
from ..numpy.indexing import Part, select_part
from ..numpy.indexing import get_item as numpy_item
from ..numpy.lower import broadcast_to, cast, elementwise, record, reshape
from .array import SymbolicJaxArray
from .lowering import apply, bare, is_ours, is_real_array, lifted, refuse_sequences
from .types import jax_types


def _key(key: Any) -> Any:
    """The key with arrays of JAX as NumPy's, and with numbers that are constant arrays as numbers."""
    if isinstance(key, tuple):
        return tuple(map(_key, key))
    if isinstance(key, slice):
        return slice(*map(_bound, (key.start, key.stop, key.step)))
    if isinstance(key, list):
        raise TypeError("Using a non-tuple sequence for multidimensional indexing is not allowed; use arr[array(seq)]")
    if is_real_array(key):
        return np.asarray(key)
    return bare(key)


def _bound(value: Any) -> Any:
    if value is None or is_dim(value):
        return value
    if is_ours(value):
        from ..numpy.lower import constant_value

        known = constant_value(value.node)
        if known is None:
            raise IndexError(
                "Array slice indices must have static start/stop/step to be used with NumPy indexing syntax. "
                "Use lax.dynamic_slice for a start that depends on values."
            )
        return known
    return value.__index__()


def get_item(array: SymbolicJaxArray, key: Any) -> SymbolicJaxArray:
    """`array[key]`; an integer array outside the axis picks the nearest place inside."""
    with jax_types():
        return SymbolicJaxArray(numpy_item(array.inner, _key(key), clamping=True), array.weak)


class At:
    """`x.at`, which `[key]` turns into what can be set."""

    def __init__(self, array: SymbolicJaxArray) -> None:
        self.array = array

    def __getitem__(self, key: Any) -> AtPart:
        return AtPart(self.array, key)


class AtPart:
    """`x.at[key]`: each method is the whole array with that part changed."""

    def __init__(self, array: SymbolicJaxArray, key: Any) -> None:
        self.array = array
        self.key = key

    def get(self, **_: Any) -> SymbolicJaxArray:
        return get_item(self.array, self.key)

    def set(self, values: Any, **_: Any) -> SymbolicJaxArray:
        return self._updated(values, None)

    def add(self, values: Any, **_: Any) -> SymbolicJaxArray:
        return self._updated(values, "add")

    def subtract(self, values: Any, **_: Any) -> SymbolicJaxArray:
        return self._updated(values, "subtract")

    def multiply(self, values: Any, **_: Any) -> SymbolicJaxArray:
        return self._updated(values, "multiply")

    mul = multiply

    def divide(self, values: Any, **_: Any) -> SymbolicJaxArray:
        return self._updated(values, "true_divide")

    def power(self, values: Any, **_: Any) -> SymbolicJaxArray:
        return self._updated(values, "power")

    def min(self, values: Any, **_: Any) -> SymbolicJaxArray:
        return self._updated(values, "minimum")

    def max(self, values: Any, **_: Any) -> SymbolicJaxArray:
        return self._updated(values, "maximum")

    def apply(self, func: Any, **_: Any) -> SymbolicJaxArray:
        return self._updated(func(self.get()), None)

    def _updated(self, values: Any, function: str | None) -> SymbolicJaxArray:
        refuse_sequences("scatter", (values,))
        array, key = self.array.inner, _key(self.key)
        new = lifted(values)
        with jax_types():
            if getattr(key, "dtype", None) == np.bool_ and getattr(key, "shape", ()):
                return self._where(key, new, function)
            part = select_part(array, key, clamping=True)
            shape = part.shape_of_result() if part.picks else part.result
            if function is not None and not part.picks:
                old = get_item(self.array, self.key)
                new = lifted(apply(function, old, SymbolicJaxArray(new)))
            fitted = _fit(cast(new, array.dtype), shape, part)
            if part.picks:
                op = Opaque("put", array.shape, tuple(range(array.ndim)))
                return SymbolicJaxArray(record(op, array.node, fitted.node, dtype=array.dtype))
            fitted = reshape(fitted, part.extent)
            op = Update(part.start, part.extent, part.step)
            return SymbolicJaxArray(record(op, array.node, fitted.node, dtype=array.dtype))

    def _where(self, mask: Any, new: SymbolicArray, function: str | None) -> SymbolicJaxArray:
        """A mask: JAX allows a scalar to be written under it."""
        array = self.array.inner
        covered = lifted(mask)
        for axis, (size, mine) in enumerate(zip(covered.shape, array.shape, strict=False)):
            require(size == mine, f"boolean index of axis {axis}: mask has {size}, array has {mine}")
        wide = reshape(covered, (*covered.shape, *(1,) * (array.ndim - covered.ndim)))
        changed = new if function is None else lifted(apply(function, self.array, SymbolicJaxArray(new)))
        chosen = elementwise("select", wide, cast(changed, array.dtype), array, dtype=array.dtype)
        return SymbolicJaxArray(chosen)


def _fit(value: SymbolicArray, shape: Shape, part: Part) -> SymbolicArray:
    """The value broadcast to the part; JAX drops no axes."""
    text = f"[{', '.join(map(str, value.shape))}] into [{', '.join(map(str, shape))}]"
    require(value.ndim <= len(shape), f"assigning to {part.text}: {value.ndim} axes into {len(shape)}")
    for axis, (size, target) in enumerate(zip(value.shape, shape[len(shape) - value.ndim :], strict=True)):
        if str(size) == str(target) or size == target or size == 1:
            continue
        require(size == target, f"assigning to {part.text}: axis {axis} of {text}")
    return broadcast_to(value, shape)
