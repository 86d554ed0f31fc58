"""What a framework is to everything above: its stand-in, its real arrays, and what must be replaced during a run.

A front end is one object, found by the array type of an annotation. NumPy's is always there; another's package is
imported only once the code under test has imported its framework.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Protocol, cast

import numpy as np

from ..dims import Size
from ..errors import Unsupported
from ..graph.node import Node

FRAMEWORKS: tuple[str, ...] = ("jax", "torch")
"""The frameworks besides NumPy: each has a package of its name here, with its `FRONT_END`."""

MAPPINGS: list[type[dict[Any, Any]]] = []
"""Dictionaries of ours that pass for plain ones: a framework with trees of its own takes them for such."""


class StandIn:
    """What stands for an array of sizes in the code under test. Every front end has one, and it keeps a node."""

    __slots__ = ()

    @property
    def node(self) -> Node:
        raise NotImplementedError

    @property
    def shape(self) -> tuple[Size, ...]:
        raise NotImplementedError

    def __getitem__(self, key: Any) -> Any:
        raise NotImplementedError

    @property
    def contents(self) -> object:
        """What is replaced whenever the array is written to."""
        raise NotImplementedError

    @property
    def owner(self) -> object | None:
        """What owns the memory that it looks at; None where it is its own, or is never written to."""
        return None

    @property
    def is_ordinary(self) -> bool:
        """Whether its shape says what order its elements have in memory, as far as its framework lets that be seen."""
        return True

    def replace(self, node: Node) -> None:
        """Has other contents of the same shape from now on."""
        raise NotImplementedError

    def forget(self) -> None:
        """Keeps the shape and the element type, and nothing of the elements."""
        raise NotImplementedError

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0].__index__()

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return each(self.shape[0], self.__getitem__)


items: ContextVar[Callable[[Size, Callable[[Any], Any]], Iterator[Any]] | None] = ContextVar("items", default=None)
"""Who takes the items of an array one by one; where nobody does, the count must be a number."""


def each(count: Size, item: Callable[[Any], Any]) -> Iterator[Any]:
    """The items of an array along its first axis."""
    taken = items.get()
    return taken(count, item) if taken is not None else (item(i) for i in range(count.__index__()))


def is_stand_in(value: object) -> bool:
    """Whether a value stands for an array; `isinstance` cannot tell, since stand-ins pass for real arrays."""
    return issubclass(type(value), StandIn)


def settled(value: Any) -> Any:
    """The value, with what stands in it brought up to date: a view of what was written to is read while it can be."""
    if is_stand_in(value):
        _ = value.node
    elif isinstance(value, (tuple, list)):
        for item in cast("list[Any]", value):
            settled(item)
    return value


class FrontEnd(Protocol):
    """A framework's arrays, symbolic and real. Element types go by jaxtyping's names: "float32", "bfloat16", "bool"."""

    name: str
    element_types: tuple[str, ...]
    """Element types in the order in which an annotation that admits several is read."""

    def owns(self, array_type: Any) -> bool:
        """Whether an annotation's array type is this framework's."""
        ...

    def symbolic(self, name: str, shape: tuple[Size, ...], element: str) -> StandIn:
        """A fresh input of the graph that is being recorded."""
        ...

    def wrap(self, node: Node) -> StandIn:
        """A stand-in for what another front end, or a reading, has recorded."""
        ...

    def real(self, values: np.ndarray, element: str) -> Any:
        """A real array of the framework."""
        ...

    def to_numpy(self, value: Any) -> np.ndarray | None:
        """A real array's values; None where the value is none of the framework's arrays."""
        ...

    def prepare(self) -> None:
        """Called before the code under test is imported: what must be in place when its decorators run."""
        ...

    def session(self) -> AbstractContextManager[None]:
        """Entered for the length of a run: functions that do not dispatch are replaced inside."""
        ...


@cache
def _load(name: str) -> FrontEnd:
    return import_module(f"{__package__}.{name}").FRONT_END


def front_ends() -> list[FrontEnd]:
    """NumPy's, and those of the frameworks that the code under test has imported."""
    return [_load("numpy"), *(_load(name) for name in FRAMEWORKS if name in sys.modules)]


def front_end_of(array_type: Any) -> FrontEnd:
    """The front end of an annotation's array type; `Any` is read as NumPy's.

    Raises:
        Unsupported: nobody's arrays.
    """
    known = front_ends()
    for found in known:
        if found.owns(array_type):
            return found
    raise Unsupported(
        f"arrays of type {getattr(array_type, '__name__', array_type)} cannot be made",
        remedy=f"annotate with an array type of {' or '.join(f.name for f in known)}",
    )


def is_bare_array(hint: Any) -> bool:
    """Whether a hint is a framework's array type alone."""
    return isinstance(hint, type) and any(f.owns(hint) for f in front_ends())


def value_of(hint: type, scalar: Callable[[str, str, Any], Any]) -> Any:
    """A value of a class that a library on top of a framework makes from arrays (`value_of`); None of any other.

    `scalar` makes an array without axes from a name, an element type and an array type.
    """
    for front_end in front_ends():
        maker = getattr(front_end, "value_of", None)
        found = None if maker is None else maker(hint, scalar)
        if found is not None:
            return found
    return None


def parameters_of(value: Any) -> dict[str, str]:
    """The paths of an object's arrays by the names of their nodes, where modules make such (`parameters`)."""
    found: dict[str, str] = {}
    for front_end in front_ends():
        known = getattr(front_end, "parameters", None)
        found |= {} if known is None else known(value)
    return found


def bound(function: Callable[..., Any], args: Sequence[Any]) -> Callable[..., Any]:
    """The function as a framework wants it called on these arguments (`bound`); mostly itself."""
    for front_end in front_ends():
        binder = getattr(front_end, "bound", None)
        found = None if binder is None else binder(function, args)
        if found is not None:
            return found
    return function


def kind_of(element: str) -> str:
    """What an element type's name says: "b" truth values, "i" integers, "c" complex, or "f"."""
    for prefix, kind in (("bool", "b"), ("int", "i"), ("uint", "i"), ("complex", "c")):
        if element.startswith(prefix):
            return kind
    return "f"


def element_name(dtype: Any) -> str:
    """An element type as jaxtyping names it, of any framework's dtype."""
    if isinstance(dtype, np.dtype):
        return dtype.name
    text = str(dtype)
    return "prng_key" if text.startswith("key<") else text.rpartition(".")[2]


def to_numpy(value: Any) -> np.ndarray:
    """The values of a real array of any framework, or of a number."""
    for front_end in front_ends():
        found = front_end.to_numpy(value)
        if found is not None:
            return found
    return np.asarray(value)


class _Watching:
    """Prepares a front end as soon as its framework has been imported: decorators at import come next."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in FRAMEWORKS or path is not None:
            return None
        for finder in sys.meta_path:
            found = finder.find_spec(name, path, target) if finder is not self else None
            loader = found.loader if found is not None else None
            if found is None or loader is None:
                continue
            execute = loader.exec_module

            def then_prepare(module: ModuleType, execute: Any = execute) -> None:
                execute(module)
                _load(name).prepare()

            loader.exec_module = then_prepare
            return found
        return None


_watching = _Watching()


def prepare_frameworks() -> None:
    """Prepares the front ends of the frameworks that are imported, and of others when they are."""
    for front_end in front_ends():
        front_end.prepare()
    if _watching not in sys.meta_path:
        sys.meta_path.insert(0, _watching)


def carry_out(run: Callable[[], None]) -> None:
    """A run on real arrays; a framework that tells shapes without computing values may do so (`abstractly`)."""
    for front_end in front_ends():
        abstractly = getattr(front_end, "abstractly", None)
        if abstractly is not None:
            abstractly(run)
            return
    run()


@contextmanager
def sessions() -> Generator[None]:
    """Every framework at work in its session."""
    with ExitStack() as stack:
        for front_end in front_ends():
            stack.enter_context(front_end.session())
        yield
