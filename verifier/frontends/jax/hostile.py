"""What leaves JAX, or its devices: refused by name, with the line, and never guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..numpy.array import unsupported
from .table import implements

OUTSIDE = {
    "code on the host": ("jax.pure_callback", "jax.experimental.io_callback", "jax.debug.inspect_array_sharding"),
    "a kernel of its own": ("jax.experimental.pallas.pallas_call", "jax.experimental.pallas.core_map"),
    "several devices": (
        *("jax.pmap", "jax.shard_map", "jax.smap", "jax.experimental.shard_map.shard_map"),
        *(f"jax.lax.{n}" for n in ("psum", "pmean", "pmax", "pmin", "ppermute", "pshuffle", "pswapaxes", "all_gather")),
        *(f"jax.lax.{n}" for n in ("all_to_all", "axis_index", "axis_size", "psum_scatter", "pbroadcast")),
    ),
    "JAX's own representation of a program": ("jax.make_jaxpr", "jax.closure_convert", "jax.linear_transpose"),
    "memory that is written to": ("jax.new_ref", "jax.freeze", "jax.empty_ref"),
}


def _refusing(name: str, what: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise unsupported(f"{name}, which is {what},", "check the functions around it")

    return refuse


for _what, _names in OUTSIDE.items():
    for _name in _names:
        implements(_name, always=True)(_refusing(_name, _what))
