"""Vision transformers: patches, learned tokens and positions, and one stack of layers."""

from __future__ import annotations

from typing import Any

from .fields import Config, FieldError
from .part import Architecture, Bound, Part, Weight


def pair(c: Config, name: str) -> tuple[int, int]:
    """A size given once or as [height, width]."""
    value = c.get(name)
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(type(v) is int and v > 0 for v in value):
        return int(value[0]), int(value[1])
    number = c.number(name)
    return number, number


def patches(c: Config, *, image: str = "image_size", patch: str = "patch_size") -> tuple[int, int, int, int]:
    """Rows and columns of patches, and a patch's height and width; what fills no patch is dropped."""
    (height, width), (p, q) = pair(c, image), pair(c, patch)
    rows, columns = height // p, width // q
    if not rows * columns:
        raise FieldError(patch, f"{patch} = {p} is larger than {image} = {height}: there is no patch")
    return rows, columns, p, q


def patch_part(c: Config, name: str, width: Bound, *, bias: bool = True, channels: Any = None) -> Part:
    """The convolution that makes tokens of patches; pixels need no gradient."""
    rows, columns, p, q = patches(c)
    sizes: dict[str, Bound] = {"c": c.size("num_channels") if channels is None else channels, "d_model": width}
    sizes |= {"p": p, "q": q, "height": rows * p, "width": columns * q}
    weights = [Weight(f"{name}.weight", "d_model c p q", ("W",))]
    if bias:
        weights.append(Weight(f"{name}.bias", "d_model", ("bias",)))
    optional = frozenset({"bias"} if bias else ())
    return Part("convolution", "patch_embedding", sizes, tuple(weights), optional, constants=frozenset({"pixels"}))


def vision_facts(a: Architecture, c: Config, width: Any, layers: Any, heads: Any, inner: Any) -> Architecture:
    a.kind = "vision"
    a.facts.update(width=width, layers=layers, heads=heads, kv_heads=heads, head_dim=width // heads, inner=inner)
    a.facts.update(tied=False, rotary=None, patches=patches(c))
    return a
