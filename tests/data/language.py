"""Python's own language, one thing a function; a name says what is to be reported of it."""

from __future__ import annotations
import enum
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, NewType, NotRequired, Optional, TypedDict
import numpy as np
from jaxtyping import Float, Int

if TYPE_CHECKING:
    from collections.abc import Mapping
A = np.ndarray
EPS = 1e-6
HEADS = 4
Arr = Float[A, "n d"]


def helper(x, k=2):
    return x * k


def proved_walrus(x: Float[A, "n d"]) -> Float[A, "d n"]:
    if (n := x.shape[0]) > 3:
        return x.T
    return (y := x).T


def refuted_walrus(x: Float[A, "n d"]) -> Float[A, "d n"]:
    if (n := x.shape[0]) > 3:
        return x
    return x.T


def proved_matching(x: Float[A, "n d"]) -> Float[A, "d n"]:
    match x.shape:
        case (1, d):
            return x.reshape(d, 1)
        case (n, d) if n > d:
            return x.T
        case _:
            return np.transpose(x)


def refuted_matching(x: Float[A, "n d"]) -> Float[A, "d n"]:
    match x.shape[0]:
        case 3 | 5:
            return x
        case _:
            return x.T


def proved_match_str(x: Float[A, "n d"], mode: Literal["a", "b"]) -> Float[A, "n d"]:
    match mode:
        case "a":
            return x
        case "b":
            return -x


def proved_trying(x: Float[A, "n d"]) -> Float[A, "d n"]:
    try:
        y = x.T
    except ValueError:
        y = x
    else:
        y = y + 0
    finally:
        z = 1
    return y


def refuted_trying(x: Float[A, "n d"], y: Float[A, "m d"]) -> Float[A, "n d"]:
    try:
        return x + y
    except ValueError:
        return y


@contextmanager
def ctx(n):
    yield n * 2


def proved_withs(x: Float[A, "n d"]) -> Float[A, "n d"]:
    with ctx(x.shape[0]) as k, np.errstate(all="ignore"):
        return x * k


def proved_star(*xs: Float[A, "n d"]) -> Float[A, "n d"]:
    return sum(xs[1:], xs[0])


def proved_star2(
    x: Float[A, "n d"], *ys: Float[A, "n d"], scale: float = 1.0, **kw: Float[A, "n d"]
) -> Float[A, "n d"]:
    return x * scale + sum(ys) + sum(kw.values())


def proved_closures(x: Float[A, "n d"]) -> Float[A, "d n"]:
    n = x.shape[0]

    def outer():
        k = n

        def inner(y):
            nonlocal k
            k = k + 1
            return y.T / (k - n)

        return inner

    return outer()(x)


@dataclass
class Out:
    y: Float[A, "n d"]
    w: Float[A, "n n"]
    k: int = 0


def proved_dc(x: Float[A, "n d"]) -> Out:
    return Out(x, x @ x.T)


def refuted_dc(x: Float[A, "n d"]) -> Out:
    return Out(x, x.T @ x)


class NT(NamedTuple):
    y: Float[A, "n d"]
    w: Float[A, "n n"]


def proved_nt(x: Float[A, "n d"]) -> NT:
    return NT(x, x @ x.T)


def refuted_nt(x: Float[A, "n d"]) -> NT:
    return NT(x, x.T @ x)


class TD(TypedDict):
    y: Float[A, "n d"]
    w: Float[A, "n n"]


def proved_td(x: Float[A, "n d"]) -> TD:
    return {"y": x, "w": x @ x.T}


def refuted_td(x: Float[A, "n d"]) -> TD:
    return {"y": x, "w": x.T @ x}


def refuted_td_missing(x: Float[A, "n d"]) -> TD:
    return {"y": x}


def proved_nt_in(p: NT) -> Float[A, "n d"]:
    return p.w @ p.y


def proved_td_in(p: TD) -> Float[A, "n d"]:
    return p["w"] @ p["y"]


def proved_optional(x: Float[A, "n d"], b: Optional[Float[A, "d"]] = None) -> Float[A, "n d"]:
    return x if b is None else x + b


def proved_union(x: Float[A, "n d"] | Float[A, "b n d"]) -> Float[A, "... d"]:
    return x if x.ndim == 2 else x[0]


def proved_strann(x: "Float[A, 'n d']") -> "Float[A, 'd n']":
    return x.T


def proved_asserted(x: Float[A, "n d"], h: int) -> Float[A, "n {h} _"]:
    assert x.shape[1] % h == 0, f"{x.shape[1]} is no multiple of {h}"
    return x.reshape(x.shape[0], h, -1)


def proved_raised(x: Float[A, "n d"], h: int) -> Float[A, "n {h} _"]:
    if x.shape[1] % h:
        raise ValueError(f"d={x.shape[1]} h={h}")
    return x.reshape(x.shape[0], h, -1)


def proved_globals(x: Float[A, "n d"]) -> Float[A, "n d"]:
    return helper(x, HEADS) + EPS


def proved_enum_arr(x: Float[A, "h n d"]) -> Float[A, "n d"]:
    out = np.zeros(x.shape[1:])
    for i, xi in enumerate(x):
        out = out + xi * i
    return out


def proved_zip_arr(x: Float[A, "h n d"], y: Float[A, "h d k"]) -> Float[A, "h n k"]:
    return np.stack([a @ b for a, b in zip(x, y)])


def refuted_zip(x: Float[A, "h n d"], y: Float[A, "h d k"]) -> Float[A, "h n k"]:
    return np.stack([b @ a for a, b in zip(x, y)])


def proved_lam(x: Float[A, "n d"]) -> Float[A, "d n"]:
    return (lambda y: y.T)(x)


def proved_comp(x: Float[A, "n d"]) -> dict[str, Float[A, "n d"]]:
    return {k: x * i for i, k in enumerate(("a", "b"))}


def proved_tuple_unpack(x: Float[A, "n d"]) -> tuple[Float[A, "n"], Float[A, "d"]]:
    (n, d), *rest = [x.shape]
    return x.sum(1), x.sum(0)


def proved_starred(x: Float[A, "b h n d"]) -> Float[A, "b h d n"]:
    *lead, n, d = x.shape
    return x.reshape(*lead, n, d).swapaxes(-1, -2)


def proved_chained_cmp(x: Float[A, "n d"]) -> Float[A, "n d"]:
    return x if 1 <= x.shape[0] < x.shape[1] else x * 2


def proved_ternary_nested(x: Float[A, "n d"]) -> Float[A, "n d"]:
    return x if x.shape[0] > 2 else (-x if x.shape[1] > 2 else x * 0)


def proved_while_loop(x: Float[A, "n d"]) -> Float[A, "n d"]:
    i = 0
    while i < 3:
        x = x * 2
        i += 1
    return x


def proved_recursion(x: Float[A, "n d"], depth: int = 3) -> Float[A, "n d"]:
    return x if depth == 0 else proved_recursion(x * 2, depth - 1)


def proved_deleted(x: Float[A, "n d"]) -> Float[A, "d n"]:
    y = x.T
    del x
    return y


def proved_fstr(x: Float[A, "n d"]) -> Float[A, "n d"]:
    if x.shape[0] < 1:
        raise ValueError(f"{x.shape[0]=} {x.shape!r:>20}")
    return x


def unsupported_callable(x: Float[A, "n d"], act: Callable[[Float[A, "n d"]], Float[A, "n d"]]) -> Float[A, "n d"]:
    return act(x)


class Mode(enum.Enum):
    A = 1
    B = 2


def proved_enum_arg(x: Float[A, "n d"], mode: Mode) -> Float[A, "n d"]:
    return x if mode is Mode.A else -x


def proved_seq(xs: Sequence[Float[A, "n d"]]) -> Float[A, "n d"]:
    return functools.reduce(np.add, xs)


def proved_lst(xs: list[Float[A, "n d"]]) -> list[Float[A, "d n"]]:
    return [x.T for x in xs]


def proved_alias(x: Arr) -> Arr:
    return x


def proved_exc_group(x: Float[A, "n d"]) -> Float[A, "n d"]:
    try:
        raise ExceptionGroup("g", [ValueError("a")])
    except* ValueError:
        pass
    return x


def proved_posonly(x: Float[A, "n d"], /, *, y: Float[A, "d k"]) -> Float[A, "n k"]:
    return x @ y


def proved_gen_sum(x: Float[A, "n d"]) -> Float[A, "d"]:
    return sum(r for r in x)


def unsupported_any_arg(x: Float[A, "n d"], cfg: Any) -> Float[A, "n d"]:
    return x


def refuted_no_ret(x: Float[A, "n d"]):
    return x @ x


def proved_none_ret(x: Float[A, "n d"]) -> None:
    x @ x.T


def proved_int_enum(x: Float[A, "n d"], i: Int[A, ""]) -> Float[A, "d"]:
    return x[i]


class Pair(NamedTuple):
    y: Float[A, "n d"]
    w: Float[A, "n n"]


class Table(TypedDict):
    y: Float[A, "n d"]
    w: Float[A, "n n"]
    o: NotRequired[Float[A, "d"]]


@dataclass
class Single:
    y: Float[A, "n d"]


def refuted_list_of_its_own(x: Float[A, "n d"]) -> list[Float[A, "n d"]]:
    return (x, x)


def refuted_list2(x: Float[A, "n d"]) -> list[Float[A, "n d"]]:
    return x


def refuted_dict(x: Float[A, "n d"]) -> dict[str, Float[A, "n d"]]:
    return [x]


def refuted_dc(x: Float[A, "n d"]) -> Single:
    return x


def refuted_nt_of_its_own(x: Float[A, "n d"]) -> Pair:
    return (x, x @ x.T)


def refuted_nt2(x: Float[A, "n d"]) -> Pair:
    return Pair(x, x.T @ x)


def refuted_td_of_its_own(x: Float[A, "n d"]) -> Table:
    return {"y": x, "w": x.T @ x}


def refuted_td2(x: Float[A, "n d"]) -> Table:
    return {"y": x}


def refuted_map_of_its_own(x: Float[A, "n d"]) -> Iterator[Float[A, "n d"]]:
    return map(np.transpose, [x])


def proved_map_of_its_own(x: Float[A, "n d"]) -> Iterator[Float[A, "d n"]]:
    return map(np.transpose, [x])


def proved_seq(x: Float[A, "n d"]) -> Sequence[Float[A, "n d"]]:
    return (x, x)


def proved_it(x: Float[A, "n d"]) -> Iterable[Float[A, "n d"]]:
    return [x, x]


def proved_td_of_its_own(x: Float[A, "n d"]) -> Table:
    return {"y": x, "w": x @ x.T}


def proved_nt_of_its_own(x: Float[A, "n d"]) -> Pair:
    return Pair(x, w=x @ x.T)


def proved_in_of_its_own(p: Pair, q: Table) -> Float[A, "n d"]:
    return p.w @ p.y + q["w"] @ q["y"]


def refuted_in_of_its_own(p: Pair) -> Float[A, "n d"]:
    return p.y @ p.w


Q = NewType("Q", Float[A, "n d"])


def refuted_ann(x: Float[A, "n d"]) -> Annotated[Float[A, "d n"], "meta"]:
    return x


def refuted_new(x: Float[A, "n d"]) -> Q:
    return x.T


def proved_new(x: Q) -> Q:
    return x


def unsupported_call(x: Float[A, "n d"]) -> Callable[[Float[A, "d k"]], Float[A, "n k"]]:
    return lambda w: w @ x
