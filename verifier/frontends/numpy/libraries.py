"""einops and scipy.special on symbolic arrays.

einops runs as it is, on our shapes; only its cache must go, since it would answer one path with what another decided.
scipy.special's softmax, log_softmax and logsumexp are written out; its ufuncs dispatch like NumPy's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .functions import dispatch
from .lower import is_symbolic


@contextmanager
def without_caches() -> Generator[None]:
    """einops without its memory of shapes, where it is imported."""
    module: Any = sys.modules.get("einops.einops")
    cached = getattr(module, "_reconstruct_from_shape", None)
    plain = getattr(module, "_reconstruct_from_shape_uncached", None)
    if cached is None or plain is None:
        yield
        return
    module._reconstruct_from_shape = plain
    try:
        yield
    finally:
        module._reconstruct_from_shape = cached


def wrap_scipy() -> None:
    """scipy.special's functions of whole axes take symbolic arrays from now on; call it before they are imported."""
    try:
        import scipy.special as special  # pyright: ignore[reportMissingImports, reportMissingTypeStubs]
    except ImportError:
        return
    for name, rule in RULES.items():
        original = getattr(special, name)
        if not hasattr(original, "__wrapped_by_verifier__"):
            setattr(special, name, _choosing(rule, original))


def _choosing(rule: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    def function(x: Any, *args: Any, **options: Any) -> Any:
        return (rule if is_symbolic(x) else original)(x, *args, **options)

    function.__name__ = original.__name__
    function.__wrapped_by_verifier__ = original  # type: ignore[attr-defined]
    return function


def _shifted(x: Any, axis: Any) -> tuple[Any, Any]:
    top = dispatch(np.max, (x,), {"axis": axis, "keepdims": True})
    return x - top, top


def softmax(x: Any, axis: Any = None) -> Any:
    shifted, _ = _shifted(x, axis)
    exponentials: Any = np.exp(shifted)
    return exponentials / dispatch(np.sum, (exponentials,), {"axis": axis, "keepdims": True})


def log_softmax(x: Any, axis: Any = None) -> Any:
    shifted, _ = _shifted(x, axis)
    exponentials: Any = np.exp(shifted)
    return shifted - np.log(dispatch(np.sum, (exponentials,), {"axis": axis, "keepdims": True}))


def logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False) -> Any:
    from .array import unsupported

    if return_sign:
        raise unsupported("scipy.special.logsumexp with return_sign")
    shifted, top = _shifted(a, axis)
    exponentials: Any = np.exp(shifted)
    if b is not None:
        exponentials = exponentials * b
    whole: Any = np.log(dispatch(np.sum, (exponentials,), {"axis": axis, "keepdims": True})) + top
    return whole if keepdims else dispatch(np.sum, (whole,), {"axis": axis})


RULES: dict[str, Callable[..., Any]] = {"softmax": softmax, "log_softmax": log_softmax, "logsumexp": logsumexp}
