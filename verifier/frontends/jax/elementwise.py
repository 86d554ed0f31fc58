"""JAX's functions of one element of each operand: rows of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...graph.node import require
from ..numpy.lower import cast
from .array import SymbolicJaxArray
from .engine import jnp
from .lowering import apply, bare, lifted, refuse_sequences
from .table import RULES, implements
from .types import jax_types, kind_of_type, named, promoted, promoted_inexact, result_type

INEXACT = {
    **{n: n for n in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt", "expm1", "log1p", "log2")},
    **{n: n for n in ("log10", "exp2", "cbrt", "deg2rad", "rad2deg", "degrees", "radians", "sinc", "i0")},
    **{n: n for n in ("arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "rint")},
    **{f"a{n}": f"arc{n}" for n in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
}
"""One operand, a floating-point result."""
KEPT = {
    **{n: n for n in ("abs", "negative", "positive", "sign", "square", "reciprocal", "conj", "conjugate", "trunc")},
    **{n: n for n in ("floor", "ceil", "invert", "bitwise_count")},
    "absolute": "abs",
    "fabs": "abs",
    "bitwise_not": "invert",
    "bitwise_invert": "invert",
}
"""One operand, a result of its element type."""
TRUTHS = ("isnan", "isinf", "isfinite", "isposinf", "isneginf", "logical_not", "signbit")
PAIRS = {
    **{n: n for n in ("add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin", "power", "floor_divide")},
    **{n: n for n in ("remainder", "fmod", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift")},
    **{n: n for n in ("gcd", "lcm")},
    "mod": "remainder",
    "pow": "power",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
}
INEXACT_PAIRS = {
    "true_divide": "true_divide",
    "divide": "true_divide",
    **{n: n for n in ("arctan2", "logaddexp", "logaddexp2", "hypot", "float_power", "copysign", "nextafter")},
    "atan2": "arctan2",
}
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
LOGICAL = ("logical_and", "logical_or", "logical_xor")
OF_LAX = {
    **{n: n for n in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt", "expm1", "log1p", "exp2")},
    **{n: n for n in ("abs", "sign", "square", "floor", "ceil", "cbrt", "conj", "reciprocal", "bitwise_not")},
    **{n: n for n in ("acos", "acosh", "asin", "asinh", "atan", "atanh", "atan2", "add", "pow", "nextafter")},
    **{n: n for n in ("bitwise_and", "bitwise_or", "bitwise_xor")},
    "neg": "negative",
    "sub": "subtract",
    "mul": "multiply",
    "div": "true_divide",
    "rem": "fmod",
    "max": "maximum",
    "min": "minimum",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "is_finite": "isfinite",
}
"""Functions of jax.lax, and jax.numpy's of the same meaning."""


def _row(name: str, *, inexact: bool = False, dtype: Any = None, count: int = 1) -> Callable[..., Any]:
    if count == 1:

        def one(x: Any, /, **_: Any) -> SymbolicJaxArray:
            return apply(name, x, inexact=inexact, dtype=dtype)

        return one

    def two(x: Any, y: Any, /, **_: Any) -> SymbolicJaxArray:
        return apply(name, x, y, inexact=inexact, dtype=dtype)

    return two


for _public, _name in INEXACT.items():
    RULES[f"jax.numpy.{_public}"] = _row(_name, inexact=True)
for _public, _name in KEPT.items():
    RULES[f"jax.numpy.{_public}"] = _row(_name)
for _name in TRUTHS:
    RULES[f"jax.numpy.{_name}"] = _row(_name, dtype=np.bool_)
for _public, _name in PAIRS.items():
    RULES[f"jax.numpy.{_public}"] = _row(_name, count=2)
for _public, _name in INEXACT_PAIRS.items():
    RULES[f"jax.numpy.{_public}"] = _row(_name, inexact=True, count=2)
for _name in (*COMPARISONS, *LOGICAL):
    RULES[f"jax.numpy.{_name}"] = _row(_name, dtype=np.bool_, count=2)
FLOATING = frozenset(
    {
        *("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt", "expm1", "log1p", "exp2", "floor", "ceil"),
        *("cbrt", "acos", "acosh", "asin", "asinh", "atan", "atanh", "atan2", "nextafter", "reciprocal", "is_finite"),
        *("erf", "erfc", "lgamma", "digamma", "rsqrt", "logistic", "erf_inv"),
    }
)
"""Functions of jax.lax that take no whole numbers."""
WHOLE = frozenset({"bitwise_not", "bitwise_and", "bitwise_or", "bitwise_xor"})


def strict(name: str, row: Callable[..., Any]) -> Callable[..., Any]:
    """jax.lax promotes nothing: operands have one element type, and one rank where they are no scalars."""

    def checked(*operands: Any, **options: Any) -> Any:
        refuse_sequences(name, operands)
        kinds = [promoted(o)[0] for o in operands]
        if name not in ("pow", "select") and len(set(kinds)) > 1:
            raise TypeError(f"lax.{name} requires arguments to have the same dtypes, got {', '.join(map(str, kinds))}.")
        if len({lifted(o).ndim for o in operands} - {0}) > 1:
            raise TypeError(f"{name}: arrays must have the same number of dimensions.")
        kind = kind_of_type(kinds[0])
        if (name in FLOATING and kind in "bi") or (name in WHOLE and kind not in "bi"):
            raise TypeError(f"{name} does not accept dtype {kinds[0]}.")
        return row(*operands, **options)

    return checked


for _public, _name in OF_LAX.items():
    RULES[f"jax.lax.{_public}"] = strict(_public, RULES[f"jax.numpy.{_name}"])
for _name in ("erf", "erfc", "erfinv", "lgamma", "digamma", "gammaln", "expit", "logit", "xlogy", "xlog1py", "entr"):
    RULES[f"jax.scipy.special.{_name}"] = _row(_name, inexact=True, count=2 if _name.startswith("xl") else 1)
for _name in ("erf", "erfc", "lgamma", "digamma"):
    RULES[f"jax.lax.{_name}"] = strict(_name, RULES[f"jax.scipy.special.{_name}"])
RULES["jax.lax.erf_inv"] = strict("erf_inv", RULES["jax.scipy.special.erfinv"])


def _rsqrt(x: Any, **_: Any) -> SymbolicJaxArray:
    return apply("true_divide", 1.0, apply("sqrt", x, inexact=True), inexact=True)


RULES["jax.lax.rsqrt"] = strict("rsqrt", _rsqrt)


@implements("jax.lax.integer_pow")
def _integer_pow(x: Any, y: int, **_: Any) -> SymbolicJaxArray:
    return apply("power", x, y)


@implements("jax.numpy.divmod")
def _divmod(x: Any, y: Any, /) -> tuple[SymbolicJaxArray, SymbolicJaxArray]:
    return apply("floor_divide", x, y), apply("remainder", x, y)


@implements("jax.numpy.real")
def _real(val: Any, /) -> Any:
    return val if kind_of_type(promoted(val)[0]) != "c" else apply("real", val, dtype=np.float32)


@implements("jax.numpy.imag")
def _imag(val: Any, /) -> Any:
    return apply("imag", val, dtype=np.float32)


@implements("jax.numpy.where")
def _where(condition: Any, x: Any = None, y: Any = None, /, **_: Any) -> Any:
    if x is None:
        from .lowering import through

        return through(np.nonzero, condition)
    refuse_sequences("where", (condition, x, y))
    dtype, weak = promoted(x, y)
    with jax_types():
        from ..numpy.lower import elementwise

        return SymbolicJaxArray(elementwise("select", bare(condition), bare(x), bare(y), dtype=dtype), weak)


@implements("jax.numpy.clip")
def _clip(arr: Any = None, /, min: Any = None, max: Any = None, **old: Any) -> Any:  # noqa: A002  JAX's names
    low, high = old.get("a_min", min), old.get("a_max", max)
    result = old.get("a", arr)
    if low is not None:
        result = apply("maximum", result, low)
    return result if high is None else apply("minimum", result, high)


@implements("jax.lax.clamp")
def _clamp(min: Any, x: Any, max: Any) -> Any:  # noqa: A002  JAX's names
    array = lifted(x)
    for bound in (min, max):
        if promoted(bound)[0] != promoted(x)[0]:
            raise TypeError(f"lax.clamp requires arguments to have the same dtypes, got {promoted(bound)[0]}.")
        _one_shape("clamp", lifted(bound), array, scalar=True)
    return apply("minimum", apply("maximum", x, min), max)


@implements("jax.numpy.astype", "jax.lax.convert_element_type")
def _astype(x: Any, dtype: Any = None, /, new_dtype: Any = None, **_: Any) -> SymbolicJaxArray:
    wanted = new_dtype if dtype is None else dtype
    with jax_types():
        return SymbolicJaxArray(cast(lifted(x), element_type(float if wanted is None else wanted)))


def element_type(dtype: Any) -> np.dtype[Any]:
    """What JAX takes a `dtype` argument for: a NumPy type, a Python type or a name."""
    if isinstance(dtype, str):
        return named(dtype)
    return np.dtype(jnp.dtype(dtype))


RULES["jax.numpy.result_type"] = RULES["jax.dtypes.result_type"] = result_type


@implements("jax.numpy.heaviside")
def _heaviside(x: Any, y: Any, /) -> Any:
    return apply("heaviside", x, y, inexact=True)


@implements("jax.numpy.select")
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    result: Any = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        result = _where(condition, choice, result)
    return result


def _one_shape(name: str, one: Any, other: Any, scalar: bool = False) -> None:
    """Operands that JAX does not stretch have one shape, or are scalars where that is allowed."""
    if scalar and not one.shape:
        return
    require(one.ndim == other.ndim, f"operands of {name} have one rank", (one.shape, other.shape))
    for axis, (mine, theirs) in enumerate(zip(one.shape, other.shape, strict=True)):
        require(mine == theirs, f"axis {axis} of the operands of {name}", (one.shape, other.shape))


def _chosen(which: Any, *cases: Any) -> None:
    """States what `lax.select` asks for: cases of one shape and type, and a condition for each element, or one."""
    kinds = [promoted(c)[0] for c in cases]
    if len(set(kinds)) > 1:
        raise TypeError(f"lax.select requires arguments to have the same dtypes, got {', '.join(map(str, kinds))}.")
    if kind_of_type(promoted(which)[0]) not in "bi":
        raise TypeError(f"select `which` must be boolean or integer type, got {promoted(which)[0]}.")
    for case in cases[1:]:
        _one_shape("select", lifted(case), lifted(cases[0]))
    _one_shape("select", lifted(which), lifted(cases[0]), scalar=True)


@implements("jax.lax.select")
def _lax_select(pred: Any, on_true: Any, on_false: Any) -> Any:
    _chosen(pred, on_true, on_false)
    return _where(pred, on_true, on_false)


@implements("jax.lax.select_n")
def _select_n(which: Any, *cases: Any) -> Any:
    _chosen(which, *cases)
    if len(cases) == 1:
        return cases[0]
    if len(cases) == 2:
        return _where(apply("not_equal", which, 0, dtype=np.bool_), cases[1], cases[0])
    result: Any = cases[-1]
    for number in range(len(cases) - 2, -1, -1):
        result = _where(apply("equal", which, number, dtype=np.bool_), cases[number], result)
    return result


def inexact(*values: Any) -> np.dtype[Any]:
    return promoted_inexact(*values)[0]


def _div(x: Any, y: Any, **_: Any) -> SymbolicJaxArray:
    """Between integers the quotient is cut, not rounded down: the two agree where both are positive."""
    if kind_of_type(promoted(x, y)[0]) in "bi":
        return apply("floor_divide", x, y)
    return apply("true_divide", x, y, inexact=True)


RULES["jax.lax.div"] = strict("div", _div)
