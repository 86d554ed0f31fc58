"""Annotated functions run on symbolic sizes: jaxtyping's own checks speak for all of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from beartype import beartype
from jaxtyping import Bool, Complex, Float, Float32, Int, Shaped, jaxtyped

from verifier.errors import Unsupported, VerifierError
from verifier.frontends import explore
from verifier.frontends.signature import arguments_of, result_axes, scope_of, symbolic_call
from verifier.prove.search import true_at


def right(x: Float[np.ndarray, "n m"], w: Float[np.ndarray, "m k"]) -> Float[np.ndarray, "n k"]:
    return x @ w


def swapped(x: Float[np.ndarray, "n m"]) -> Float[np.ndarray, "n m"]:
    return x.T


def halved(x: Float[np.ndarray, "n d"], h: int) -> Float[np.ndarray, "n h d//h"]:
    return x.reshape(x.shape[0], h, -1)


def joined(x: Float[np.ndarray, "n d"], y: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "n+m d"]:
    return np.concatenate([x, y])


def joined_wrongly(x: Float[np.ndarray, "n d"], y: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "2*n d"]:
    return np.concatenate([x, y])


def grown(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n+1 d"]:
    return np.concatenate([x, np.zeros((1, x.shape[1]))])


def wrong_type(x: Float32[np.ndarray, " n"]) -> Float32[np.ndarray, " n"]:
    return x.astype(np.float64)


def fixed(x: Float[np.ndarray, "n 4"]) -> Float[np.ndarray, "n 2 2"]:
    return x.reshape(x.shape[0], 2, 2)


def symbolic_shape(n: int, x: Float[np.ndarray, " m"]) -> Float[np.ndarray, "{n} m"]:
    return np.zeros((n, x.shape[0]))


def real_call(function, sizes):
    """What the function does to real arrays of these sizes: None, or the exception."""
    values = {}
    for argument in arguments_of(function):
        if argument.kind == "size":
            values[argument.name] = sizes[argument.name]
        else:
            shape = [a.size if a.kind == "fixed" else sizes[a.name] for a in argument.axes]
            values[argument.name] = np.ones(shape, dtype=argument.dtype)
    try:
        checked(function)(**values)
    except Exception as error:
        return error
    return None


def checked(function):
    return jaxtyped(typechecker=beartype)(function)


FUNCTIONS = [right, swapped, halved, joined, joined_wrongly, grown, wrong_type, fixed, symbolic_shape]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_checker_says_of_symbols_what_it_says_of_numbers(function):
    arguments = arguments_of(function)
    scope = scope_of(arguments)
    paths = explore(lambda: symbolic_call(checked(function), arguments, (), scope.names), scope)
    for values in itertools.product(range(1, 5), repeat=len(scope.least)):
        sizes = dict(zip(scope.least, values, strict=True))
        (path,) = [p for p in paths if all(true_at(c, sizes) for c in p.conditions)]
        real = real_call(function, sizes)
        assert (path.error is None) == (real is None), f"{sizes}: recorded {path.error!r}, real {real!r}"
        if real is not None:
            assert isinstance(path.error, type(real))


def test_the_shapes_of_a_wrong_result_are_in_the_message():
    arguments = arguments_of(swapped)
    scope = scope_of(arguments)
    paths = explore(lambda: symbolic_call(checked(swapped), arguments, (), scope.names), scope)
    (bad,) = [p for p in paths if p.error is not None]
    assert "n m" in str(bad.error)
    assert {str(c) for c in bad.conditions} <= {"n != m", "m != n"}


def everything(
    x: Float[np.ndarray, "*batch n d_k"],
    mask: Bool[np.ndarray, "n _"],
    W_Q: Float[np.ndarray, "d_k h*d_k"],
    b_Q: Int[np.ndarray, " 3"],
    h: int,
    rate: float,
    z: Complex[np.ndarray, ""] | None = None,
    name: str = "x",
) -> Shaped[np.ndarray, "n h"]: ...


def test_what_annotations_say():
    arguments = {a.name: a for a in arguments_of(everything)}
    assert [a.kind for a in arguments.values()] == [
        "array",
        "array",
        "array",
        "array",
        "size",
        "number",
        "array",
        "other",
    ]
    assert [a.optional for a in arguments.values()] == [False] * 6 + [True, True]
    assert [n for n, a in arguments.items() if a.is_parameter] == ["W_Q", "b_Q"]
    assert [a.element for a in arguments.values() if a.element] == [
        "float64",
        "bool",
        "float64",
        "int64",
        "complex128",
    ]
    assert list(scope_of(arguments.values()).least) == ["n", "d_k", "mask_axis1", "h"]
    assert [a.text for a in result_axes(everything)] == ["n", "h"]


def test_what_has_no_annotation_cannot_be_passed():
    def function(x): ...

    arguments = arguments_of(function)
    scope = scope_of(arguments)
    (path,) = explore(lambda: symbolic_call(function, arguments, (), scope.names), scope)
    assert isinstance(path.error, Unsupported)
    assert "the parameter x" in str(path.error)


def test_annotations_that_cannot_be_read_are_an_error_of_the_user():
    def function(x: NoSuchName): ...

    with pytest.raises(VerifierError, match="annotations of function cannot be read"):
        arguments_of(function)
