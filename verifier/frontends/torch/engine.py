"""The shape of an operation without a row, from PyTorch's own engine: fake tensors whose sizes are symbols.

The engine decides every comparison of sizes at hints and records it as a guard. Law: a shape is believed only where
each guard holds on the path that is explored; the explorer is asked for it and may fork, and where it says no, the
hints are chosen anew from sizes that keep what it said. Values are not followed.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice, product
from typing import Any

from ...dims import Relation, Size, is_dim, symbol
from ...dims.dim import evaluate, substitute, symbols_of
from ...terms import Term
from ..numpy.array import unsupported
from ..numpy.ordering import opaque
from .elements import numpy_type
from .framework import torch
from .kernels import refuse_types
from .layout import UNKNOWN
from .session import engine_at_work
from .table import arr, is_real, is_tensor, out
from .tensor import SymbolicTensor

HINTS = (5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)
SMALL = (1, 2, 3, 4, 6)
MAX_TRIES = 24


def fallback(function: Any, name: str, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """What PyTorch's engine makes of the call.

    Raises:
        Unsupported: it knows no shape for it, or one that depends on values.
    """
    whole = [*args, *options.values()]
    tensors = [t for t in _leaves(whole) if is_tensor(t)]
    if any(type(v) is Term for v in _leaves(whole)):
        raise unsupported(f"torch.{name} of a number that depends on sizes")
    names = sorted({s for v in _leaves(whole) for size in _sizes(v) for s in symbols_of(size)})
    said: list[tuple[Relation, bool]] = []
    for hints in islice(_candidates(names, said), MAX_TRIES):
        answer = _attempt(function, name, args, options, hints)
        if all(_holds(guard, said) for guard in answer.guards):
            if answer.error is not None:
                raise answer.error
            refuse_types(function, args, options)
            return _result(name, answer.value, tensors)
    raise unsupported(f"torch.{name}")


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    else:
        yield value


def _sizes(value: Any) -> Sequence[Size]:
    if is_tensor(value):
        return [s for s in value.shape if is_dim(s)]
    return [value] if is_dim(value) else []


def _candidates(names: Sequence[str], said: list[tuple[Relation, bool]]) -> Iterator[dict[str, int]]:
    """Hints, pairwise different primes first; then small ones, that keep what the explorer said so far."""
    yield dict(zip(names, (*HINTS, *range(101, 101 + 2 * len(names), 2)), strict=False))
    for values in islice(product((*SMALL, *HINTS[:4]), repeat=min(len(names), 5)), 20_000):
        hints = {**dict(zip(names, HINTS * 3, strict=False)), **dict(zip(names, values, strict=False))}
        if said and all(_true(relation, hints) is truth for relation, truth in said):
            yield hints


def _true(relation: Relation, hints: Mapping[str, int]) -> bool:
    left, right = (evaluate(s, hints) if is_dim(s) else s for s in (relation.left, relation.right))
    return {"==": left == right, "!=": left != right, "<": left < right, "<=": left <= right}[relation.op]


def _holds(guard: Any, said: list[tuple[Relation, bool]]) -> bool:
    if isinstance(guard, bool):
        return guard
    truth = bool(guard)
    said.append((guard, truth))
    return truth


class _Answer:
    def __init__(self, value: Any, guards: list[Any], error: Exception | None) -> None:
        self.value, self.guards, self.error = value, guards, error


def _attempt(function: Any, name: str, args: Any, options: Any, hints: Mapping[str, int]) -> _Answer:
    """The call on fake tensors whose sizes are symbols with these hints."""
    shapes: Any = import_module("torch.fx.experimental.symbolic_shapes")
    fake: Any = import_module("torch._subclasses.fake_tensor")
    sources: Any = import_module("torch._dynamo.source")
    with engine_at_work():
        env = shapes.ShapeEnv(specialize_zero_one=False, duck_shape=False)
        symbols: dict[str, Any] = {}
        back: dict[str, str] = {}
        for size, hint in hints.items():
            source = sources.ConstantSource(re.sub(r"\W", "_", size))
            made = env.create_symbol(hint, source, shapes.DimDynamic.DYNAMIC, None)
            symbols[size] = env.create_symintnode(made, hint=hint, source=source)
            back[str(made)] = size
        mode = fake.FakeTensorMode(shape_env=env, allow_non_fake_inputs=True)

        def size_of(size: Size) -> Any:
            return substitute(size, symbols) if is_dim(size) else size

        def given(value: Any) -> Any:
            if is_tensor(value):
                return torch.empty([size_of(s) for s in value.shape], dtype=value.dtype)
            if is_real(value):
                return mode.from_tensor(value)
            if is_dim(value):
                return size_of(value)
            if isinstance(value, (list, tuple)):
                return type(value)(map(given, value))
            return {k: given(v) for k, v in value.items()} if isinstance(value, dict) else value

        value: Any = None
        error: Exception | None = None
        logging.disable(logging.ERROR)  # the engine logs every operation that it refuses
        try:
            with mode, torch.no_grad():
                value = _shown(function(*map(given, args), **{k: given(v) for k, v in options.items()}), back)
        except (RuntimeError, ValueError, IndexError) as raised:
            if _is_refusal(raised):
                raise unsupported(f"torch.{name}") from None
            text = str(raised).splitlines()[0] if str(raised) else ""
            error = type(raised)(re.sub(r"\bs\d+\b", lambda m: back.get(m[0], m[0]), text))
        except (TypeError, NotImplementedError, AttributeError):
            raise unsupported(f"torch.{name}") from None
        finally:
            logging.disable(logging.NOTSET)
        return _Answer(value, [_relation(g.expr, back) for g in env.guards], error)


def _is_refusal(error: Exception) -> bool:
    """Whether the engine cannot tell, rather than the operation cannot be done."""
    kind = type(error)
    text = str(error)
    unable = "INTERNAL ASSERT" in text or "symbolic sizes" in text or "SymInt" in text
    return unable or kind.__module__.startswith("torch.") or issubclass(kind, NotImplementedError)


def _shown(value: Any, back: Mapping[str, str]) -> Any:
    """The result with shapes as sizes of ours."""
    if isinstance(value, torch.Tensor):
        return (tuple(_size(s, back) for s in value.shape), value.dtype)
    if isinstance(value, (list, tuple)):
        named = type(value) if hasattr(value, "n_sequence_fields") else tuple  # `eig(x).eigenvalues`
        return named, [_shown(v, back) for v in value]
    raise unsupported(f"an operation that gives a {type(value).__name__}")


def _result(name: str, shown: Any, tensors: list[SymbolicTensor]) -> Any:
    first, second = shown
    if isinstance(first, type):
        return first([_result(name, s, tensors) for s in second])
    shape, dtype = first, second
    array = opaque(name, shape, (None,) * len(shape), *(arr(t) for t in tensors), dtype=numpy_type(dtype))
    return out(array, dtype, UNKNOWN)


def _size(size: Any, back: Mapping[str, str]) -> Size:
    return size if type(size) is int else _expression(size.node.expr, back)


def _expression(expression: Any, back: Mapping[str, str]) -> Any:
    """The engine's expression as a size."""
    kind = type(expression).__name__
    if expression.is_Integer:
        return int(expression)
    if expression.is_Symbol:
        if str(expression) not in back:
            raise unsupported("a size that only values decide")
        return symbol(back[str(expression)])
    parts = [_expression(a, back) for a in expression.args]
    rule = RULES.get(kind)
    if rule is None:
        raise unsupported(f"a size with {kind}")
    return rule(parts)


def _folded(step: Callable[[Any, Any], Any]) -> Callable[[list[Any]], Any]:
    def rule(parts: list[Any]) -> Any:
        result = parts[0]
        for other in parts[1:]:
            result = step(result, other)
        return result

    return rule


RULES: Mapping[str, Callable[[list[Any]], Any]] = {
    "Add": _folded(lambda a, b: a + b),
    "Mul": _folded(lambda a, b: a * b),
    "Pow": _folded(lambda a, b: a**b),
    **dict.fromkeys(("FloorDiv", "CleanDiv"), _folded(lambda a, b: a // b)),
    **dict.fromkeys(("Mod", "PythonMod"), _folded(lambda a, b: a % b)),
    "Max": _folded(lambda a, b: a if a >= b else b),
    "Min": _folded(lambda a, b: a if a <= b else b),
}
RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "Equality": lambda a, b: a == b,
    "Unequality": lambda a, b: a != b,
    "StrictLessThan": lambda a, b: a < b,
    "LessThan": lambda a, b: a <= b,
    "StrictGreaterThan": lambda a, b: b < a,
    "GreaterThan": lambda a, b: b <= a,
}


def _relation(expression: Any, back: Mapping[str, str]) -> Any:
    """A guard as a relation for the explorer."""
    rule = RELATIONS.get(type(expression).__name__)
    if rule is None:
        raise unsupported("a condition of PyTorch's engine that is no comparison")
    left, right = expression.args
    return rule(_expression(left, back), _expression(right, back))
