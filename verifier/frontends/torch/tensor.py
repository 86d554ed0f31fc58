"""`SymbolicTensor`: passes for a `torch.Tensor` in annotated code while its sizes are symbols.

It holds a NumPy stand-in, on which every operation is recorded, and what NumPy's has no word for: PyTorch's element
type, the strides, and the tensor that it is a view of. A write through a view reaches its base, and a view that is
read after its base was written to shows the new contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from weakref import ref

from ...dims import Size
from ...dims.looked_at import by_code_under_test
from ...errors import Unsupported
from ...graph.node import Node
from ...graph.primitive import elements
from ..front_end import StandIn, each
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.updating import duplicate, memory_of
from ..recording import current_graph
from .elements import numpy_type
from .framework import torch
from .layout import CONTIGUOUS, UNKNOWN, Layout, is_contiguous, strides_of
from .shape import SymbolicShape
from .switches import keeping_gradients, on_the_processor, tell_of_device
from .views import PARAMETER, Open, View, of_arguments, refuse_from_outside, whole


class SymbolicTensor(StandIn):
    """A tensor whose shape is made of sizes; operations on it are recorded, none is carried out."""

    __array_priority__ = 2000
    grad = None
    grad_fn = None
    is_sparse = is_quantized = is_nested = is_mkldnn = is_meta = False
    is_cuda, is_mps, is_xpu = on_the_processor("is_cuda"), on_the_processor("is_mps"), on_the_processor("is_xpu")
    requires_grad = keeping_gradients()
    _requires_grad = False
    _detached = False
    is_leaf = True
    itemsize: Any

    def __init__(
        self, array: SymbolicArray, dtype: Any, layout: Layout = CONTIGUOUS, view: View | Open | None = None
    ) -> None:
        self._array = array
        self._dtype = dtype
        self._strides = layout
        self._open = view if isinstance(view, Open) else None
        self._view = view.view if isinstance(view, Open) else view
        self._version = 0
        self._seen = self._view.base.version if self._view is not None else 0
        self._parameter = False
        self._born = array._node.serial  # pyright: ignore[reportPrivateUsage]
        self._may_look: list[ref[SymbolicTensor]] = []
        if self._open is not None:
            self.root()._may_look.append(ref(self))

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        """`isinstance(x, torch.Tensor)` holds, for annotated code and run-time checkers."""
        return torch.Tensor

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), options: Any = None) -> Any:
        from .table import dispatch

        return dispatch(function, args, options or {})

    # -- memory -------------------------------------------------------------------------------

    @property
    def array(self) -> SymbolicArray:
        """The contents now: a view follows the memory of its base."""
        view = self._view
        if view is not None and view.base.version != self._seen:
            self._array = view.derive(view.base.array)
            self._seen = view.base.version
        return self._array

    @property
    def version(self) -> int:
        """How often the memory was written to."""
        return self._version if self._view is None else self._view.base.version

    def root(self) -> SymbolicTensor:
        """The tensor whose memory this looks at, maybe."""
        return self if self._view is None else self._view.base.root()

    def looks_at(self) -> SymbolicTensor | None:
        """The tensor that this is a view of, as autograd sees it."""
        view = None if self._detached else self._decided()
        return None if view is None else view.base

    def is_part(self, whole: SymbolicTensor, key: str) -> bool:
        """Whether this is what those square brackets made of the tensor."""
        return self._view is not None and self._view.base is whole and self._view.key == key

    def _decided(self) -> View | None:
        """What this looks at, where it is a view; a path may be taken for it."""
        found, self._open = self._open, None
        if found is not None:
            layout = found.decide()
            if layout is None:
                self._view, self._version = None, self._seen
            self._strides = found.either or (CONTIGUOUS if layout is None else layout)
        return self._view

    @property
    def _layout(self) -> Layout:
        if self._open is not None:
            if self._open.either is not None:
                return self._open.either
            self._decided()
        return self._strides

    def write(self, contents: SymbolicArray) -> None:
        """The memory holds these contents from now on, for every tensor that looks at it."""
        view = self._decided()
        if view is not None:
            view.base.write(view.put_back(view.base.array, contents))
            return
        refuse_from_outside(self._born)
        waiting, self._may_look = self._may_look, []
        for found in waiting:
            tensor = found()
            if tensor is not None:
                tensor._decided()
        self._array = duplicate(contents)
        self._version += 1

    @property
    def node(self) -> Node:
        return self.array.node

    # -- what a tensor knows of itself ----------------------------------------------------------

    @property
    def shape(self) -> SymbolicShape:
        return SymbolicShape(self._array._node.shape)  # pyright: ignore[reportPrivateUsage]

    @property
    def dtype(self) -> Any:
        return self._dtype

    @property
    def ndim(self) -> int:
        return len(self._array._node.shape)  # pyright: ignore[reportPrivateUsage]

    @property
    def layout(self) -> Any:
        return torch.strided

    @property
    def memory(self) -> Layout:
        """The strides, where they are not those of a tensor freshly made."""
        return self._layout

    @property
    def device(self) -> Any:
        tell_of_device()
        return torch.device("cpu")

    @property
    def names(self) -> tuple[None, ...]:
        return (None,) * self.ndim

    @property
    def T(self) -> Any:
        return _call("t" if self.ndim == 2 else "permute", self, *([range(self.ndim)[::-1]] if self.ndim != 2 else []))

    @property
    def mT(self) -> Any:
        return _call("transpose", self, -1, -2)

    @property
    def H(self) -> Any:
        if self.ndim not in (0, 2):
            raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.ndim}-D tensor.")
        return self.mH if self.ndim else _call("conj", self)

    @property
    def mH(self) -> Any:
        return _call("conj", self.mT)

    @property
    def data(self) -> Any:
        return self.detach()

    @data.setter
    def data(self, value: Any) -> None:
        from .table import as_tensor

        new = as_tensor(value)
        self._array, self._dtype = new.array, new.dtype
        self._strides, self._view, self._open = new.memory, None, None

    @property
    def real(self) -> Any:
        return self if not self._dtype.is_complex else _call("real", self)

    @property
    def imag(self) -> Any:
        return _call("imag", self)

    if TYPE_CHECKING:  # set below, from a table

        def __add__(self, other: Any) -> Any: ...
        def __sub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...
        def __neg__(self) -> Any: ...
        def __invert__(self) -> Any: ...

    # -- Python's protocols -------------------------------------------------------------------

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0].__index__()

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return each(self.shape[0], self.__getitem__)

    def __getitem__(self, key: Any) -> Any:
        return _call("__getitem__", self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        _call("__setitem__", self, key, value)

    def __bool__(self) -> bool:
        raise unsupported("a branch on the values of a tensor")

    def __int__(self) -> int:
        return int(self.array)

    def __index__(self) -> int:
        return self.array.__index__()

    def __float__(self) -> float:
        return float(self.array)

    def item(self) -> Any:
        return self.array.item()

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise unsupported("turning a tensor into a NumPy array")

    def __hash__(self) -> int:
        return id(self)

    def __deepcopy__(self, memo: Any) -> SymbolicTensor:
        return self.copied()

    def copied(self) -> SymbolicTensor:
        """The same contents in memory of their own; a copied parameter is a parameter, with values of its own."""
        new = SymbolicTensor(duplicate(self.array), self._dtype)
        if self._parameter:
            new.become_parameter(self.requires_grad)
        return new

    def __repr__(self) -> str:
        if by_code_under_test():
            raise Unsupported("the text of a tensor decides", remedy="decide by its elements or its shape")
        return f"SymbolicTensor[{', '.join(map(str, self.shape))}; {self._dtype}]"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        if by_code_under_test():
            raise Unsupported("the text of a tensor decides", remedy="decide by its elements or its shape")
        return repr(self)

    # -- parameters ---------------------------------------------------------------------------

    @property
    def _is_param(self) -> bool:
        """What `isinstance(x, nn.Parameter)` asks, and what `nn.Parameter(x)` sets."""
        return self._parameter

    @_is_param.setter
    def _is_param(self, value: bool) -> None:
        if value and not self._parameter:
            self.become_parameter(self.requires_grad)

    def retype(self, other: SymbolicTensor) -> None:
        """The same tensor in another element type, after `module.half()` and the like."""
        if other.dtype is not self._dtype:
            self._array, self._dtype, self._view, self._open = other.array, other.dtype, None, None

    @property
    def contents(self) -> object:
        return self._array.contents

    @property
    def is_ordinary(self) -> bool:
        return self._view is None and self._layout == CONTIGUOUS

    def replace(self, node: Node) -> None:
        self._array = SymbolicArray(node)

    def forget(self) -> None:
        self._array = SymbolicArray(self._array.node)
        self._array.forget()

    def replace_contents(self) -> None:
        """Forgets the elements of memory that views look at."""
        self.forget()
        self._version += 1

    def loosened(self) -> SymbolicTensor:
        """A tensor of the same shape of which neither the elements are known, nor how it lies in its memory."""
        from ...graph.ops import Input

        node = current_graph().add(Input("kept", tuple(self.shape)), dtype=numpy_type(self._dtype))
        new = SymbolicTensor(SymbolicArray(node), self._dtype, UNKNOWN)
        new._parameter, new._requires_grad = self._parameter, self._requires_grad
        return new

    def detach(self) -> Any:
        new = SymbolicTensor(self.array, self._dtype, self._layout, whole(self))
        new._detached = True
        return new

    def requires_grad_(self, requires_grad: bool = True) -> SymbolicTensor:
        self.requires_grad = requires_grad
        return self

    def become_parameter(self, requires_grad: bool = True) -> None:
        """An input of its own: what a parameter was filled with at the start says nothing of what it holds later.

        One that is made of the arguments of the call that is followed stays what it is.
        """
        from ...graph.ops import Input

        self._parameter, self.requires_grad = True, requires_grad
        if of_arguments(self.node):
            return
        graph = current_graph()
        name = f"{PARAMETER}{sum(isinstance(n.op, Input) for n in graph.nodes)}"
        node = graph.add(Input(name, tuple(self.shape)), dtype=numpy_type(self._dtype))
        self._array, self._strides, self._view, self._open = SymbolicArray(node), CONTIGUOUS, None, None

    def backward(self, *_: Any, **__: Any) -> None:
        raise unsupported("Tensor.backward")

    def numpy(self, *_: Any, **__: Any) -> Any:
        raise unsupported("Tensor.numpy")

    def tolist(self) -> Any:
        raise unsupported("Tensor.tolist")

    def data_ptr(self) -> Any:
        raise unsupported("Tensor.data_ptr")

    # -- sizes and strides ----------------------------------------------------------------------

    def size(self, dim: Any = None) -> Any:
        return self.shape if dim is None else self.shape[_place(dim, self.ndim)]

    def dim(self) -> int:
        return self.ndim

    ndimension = dim

    def numel(self) -> Size:
        return elements(tuple(self.shape))

    nelement = numel

    def element_size(self) -> int:
        return self._dtype.itemsize

    def stride(self, dim: Any = None) -> Any:
        strides = strides_of(self._layout, tuple(self.shape))
        if strides is None:
            raise unsupported("the strides of what this operation made")
        return tuple(strides) if dim is None else strides[_place(dim, self.ndim)]

    def is_contiguous(self, memory_format: Any = None) -> bool:
        answer = is_contiguous(self._layout, tuple(self.shape))
        if answer is None:
            raise unsupported("whether what this operation made is contiguous")
        return answer

    def is_floating_point(self) -> bool:
        return self._dtype.is_floating_point

    def is_complex(self) -> bool:
        return self._dtype.is_complex

    def is_signed(self) -> bool:
        return self._dtype.is_signed

    def get_device(self) -> int:
        tell_of_device(True)
        return -1

    def register_hook(self, hook: Any) -> Any:
        raise unsupported("Tensor.register_hook")

    def retain_grad(self) -> None:
        """Gradients are not followed."""

    def __getattr__(self, name: str) -> Any:
        if (name.startswith("__") and name not in _OPERATORS) or not hasattr(torch.Tensor, name):
            raise AttributeError(f"'Tensor' object has no attribute {name!r}")

        def method(*args: Any, **options: Any) -> Any:
            return _call(name, self, *args, **options)

        method.__name__ = name
        return method


def _place(dim: Any, rank: int) -> int:
    number = dim.__index__()
    if not -rank <= number < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {number})")
    return number % rank


def _call(name: str, *args: Any, **options: Any) -> Any:
    from .table import dispatch

    return dispatch(getattr(torch.Tensor, name), args, options)


def _operator(name: str) -> Callable[..., Any]:
    def operator(self: SymbolicTensor, *others: Any) -> Any:
        for other in others:
            if other is None or isinstance(other, (str, list, dict)):
                return NotImplemented
        return _call(name, self, *others)

    operator.__name__ = name
    return operator


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift")
_OPERATORS = frozenset(
    [f"__{p}{n}__" for n in _BINARY for p in ("", "r", "i")]
    + [f"__{n}__" for n in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert")]
)
for _name in _OPERATORS:
    setattr(SymbolicTensor, _name, _operator(_name))


def wrapped(node: Node, dtype: Any) -> SymbolicTensor:
    """A fresh tensor of what a node holds."""
    return SymbolicTensor(SymbolicArray(node), dtype)


__all__ = ["Open", "SymbolicShape", "SymbolicTensor", "View", "memory_of", "whole", "wrapped"]
