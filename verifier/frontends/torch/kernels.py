"""Whether PyTorch has a kernel for the element types of a call: it is asked, with small real tensors of those types.

Law: only an error that speaks of types counts. Shapes are judged by the rows, for these tensors have sizes of 2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...dims import is_dim
from .framework import torch

OF_TYPES = re.compile(r"not implemented for|type|[Bb]ool|[Ii]ntegral|[Ff]loating|[Cc]omplex|long tensor")
"""What PyTorch says where element types do not go with a function."""
AS_FLOAT = frozenset({torch.float16, torch.bfloat16})
"""Types that other devices have more kernels for than the processor: its own for float32 stand for them."""
PLAIN = (int, float, complex, bool, str, type(None), torch.dtype)
MANY = 64
_known: dict[Any, Exception | None] = {}
_empty: Any = torch.empty
"""PyTorch's own, which a run replaces."""


class _Unknown(Exception):
    """An argument that no small tensor stands for."""


def refuse_types(function: Any, args: Sequence[Any], options: Mapping[str, Any]) -> None:
    """Asks PyTorch, once for each function and types.

    Raises:
        Exception: PyTorch's own, where the function is not there for these element types.
    """
    try:
        key = (function, _key(args), tuple((k, _key(v)) for k, v in options.items()))
    except _Unknown:
        return
    if key not in _known:
        _known[key] = _error(function, args, options)
    error = _known[key]
    if error is not None:
        raise type(error)(*error.args)


def _error(function: Any, args: Sequence[Any], options: Mapping[str, Any]) -> Exception | None:
    from .session import engine_at_work

    with engine_at_work(), torch.no_grad(), torch.random.fork_rng(devices=[]):
        try:
            function(*map(_small, args), **{k: _small(v) for k, v in options.items()})
        except (RuntimeError, TypeError, ValueError, NotImplementedError) as error:
            text = str(error).partition("\n")[0]
            if OF_TYPES.search(text):
                return RuntimeError(text) if isinstance(error, NotImplementedError) else type(error)(text)
        except Exception:  # the ones and twos are not what the call gets
            return None
    return None


def _key(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return (_type(value.dtype), value.ndim)
    if type(value) in (tuple, list):
        return (type(value), *map(_key, value))
    if is_dim(value):
        return "a size"
    if type(value) not in PLAIN:
        raise _Unknown
    return (type(value), repr(value))


def _type(dtype: Any) -> Any:
    return torch.float32 if dtype in AS_FLOAT else dtype


def _small(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return _empty((2,) * value.ndim, dtype=_type(value.dtype)).fill_(1)
    if type(value) in (tuple, list):
        return type(value)(map(_small, value))
    if is_dim(value) or (type(value) is int and abs(value) > MANY):
        return 2
    return value
