"""Every kind of function that can carry annotations; a name says what is to be reported of it."""

from __future__ import annotations

import asyncio
import functools
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from jaxtyping import Float

A = np.ndarray


async def proved_async(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return x.T


async def refuted_async(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return x


async def proved_awaiting(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return await proved_async(x)


async def unsupported_waiting(x: Float[A, "n d"]) -> Float[A, "d n"]:
    await asyncio.sleep(1)
    return x


async def unsupported_async_generator(x: Float[A, "n d"]) -> AsyncIterator[Float[A, "d n"]]:
    yield x


def proved_generator(x: Float[A, "n d"]) -> Iterator[Float[A, "d n"]]:
    yield x.T
    yield from [2 * x.T, 3 * x.T]


def refuted_generator(x: Float[A, "n d"]) -> Iterator[Float[A, "d n"]]:
    yield x.T
    yield x


def unsupported_endless(x: Float[A, "n d"]) -> Iterator[Float[A, "d n"]]:
    while True:
        yield x.T


def passing(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args)

    return wrapper


def turning(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args).T

    return wrapper


def hiding(function: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(*args: Any) -> Any:
        return function(*args)

    return wrapper


class Counting:
    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        return self.__wrapped__(*args).T


@passing
def proved_wrapped(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return x.T


@passing
def refuted_wrapped(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return x


@turning
def refuted_by_its_wrapper(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return x.T


@turning
def proved_by_its_wrapper(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return x


@passing
def proved_if_given(x: Float[A, "n d"], h: int) -> Float[A, "{h} n _"]:
    # verifier: given d % h == 0
    return x.reshape(x.shape[0], h, -1).transpose(1, 0, 2)


@hiding
def unsupported_hidden(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return x


@Counting
def unsupported_object(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return x


@functools.lru_cache
def refuted_cached(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return x


@dataclass
class Layer:
    w: Float[A, "d k"]

    @classmethod
    def refuted_classmethod(cls, x: Float[A, "n d"]) -> Float[A, "d n"]:
        return x

    @classmethod
    def proved_classmethod(cls, x: Float[A, "n d"]) -> Float[A, "d n"]:
        return x.T

    @staticmethod
    def refuted_staticmethod(x: Float[A, "n d"]) -> Float[A, "d n"]:
        return x

    @property
    def refuted_property(self) -> Float[A, "d k"]:
        return self.w.T

    @property
    def proved_property(self) -> Float[A, "k d"]:
        return self.w.T

    @cached_property
    def refuted_cached_property(self) -> Float[A, "d k"]:
        return self.w.T

    def proved_method(self, x: Float[A, "n d"], flip: bool = False) -> Float[A, "n k"]:
        return x @ self.w

    partial = functools.partialmethod(proved_method, flip=True)

    class Inner:
        def refuted_inside(self, x: Float[A, "n d"]) -> Float[A, "d n"]:
            return x


class Made:
    def __init__(self, w: Float[A, "d k"]) -> None:  # skipped
        self.w = w


@overload
def skipped_overload(x: Float[A, "n d"]) -> Float[A, "d n"]: ...
@overload
def skipped_overload(x: Float[A, "n d k"]) -> Float[A, "k d n"]: ...
def skipped_overload(x: Any) -> Any:
    return x.T


class Promise(ABC):
    @abstractmethod
    def skipped_abstract(self, x: Float[A, "n d"]) -> Float[A, "d n"]:
        """A promise."""
        raise NotImplementedError

    @property
    @abstractmethod
    def skipped_abstract_property(self) -> Float[A, "n d"]: ...


class Half(ABC):
    @abstractmethod
    def refuted_abstract(self, x: Float[A, "n d"]) -> Float[A, "d n"]:
        """Abstract, and with a body that the classes below it call."""
        return x


class Whole(Half):
    def refuted_abstract(self, x: Float[A, "n d"]) -> Float[A, "d n"]:
        return super().refuted_abstract(x)


def proved_around(x: Float[A, "n d"]) -> Float[A, "d n"]:
    def skipped_nested(y: Float[A, "n d"]) -> Float[A, "d n"]:
        return y.T

    return skipped_nested(x)


def skipped_shadowed(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return x


skipped_shadowed = None  # type: ignore[assignment]

if TYPE_CHECKING:

    def skipped_for_types(x: Float[A, "n d"]) -> Float[A, "d n"]: ...


if TYPE_CHECKING:

    def skipped_for_type_checkers(x: Float[A, "n d"]) -> Float[A, "d n"]: ...

else:

    def proved_beside_type_checkers(x: Float[A, "n d"]) -> Float[A, "d n"]:
        return x.T
