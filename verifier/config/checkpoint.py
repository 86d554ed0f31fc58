"""Names and shapes of saved tensors, off a safetensors header or an index: weights are never read.

Source: the safetensors format, version 0.3: eight bytes of little-endian length, then that much JSON.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..errors import Place
from .read import UnreadableConfig, parse

MAX_HEADER = 100 * 2**20
Shapes = dict[str, tuple[int, ...] | None]
"""Shape by tensor name; None where an index names a tensor whose file is not at hand."""


def read_checkpoint(path: Path) -> Shapes:
    """Every tensor that a `.safetensors` file, an index or a folder names, with its shape where it is to be had.

    Raises:
        UnreadableConfig: the file is none of these.
    """
    if path.is_dir():
        index = path / "model.safetensors.index.json"
        single = path / "model.safetensors"
        path = index if index.is_file() else single
    if path.suffix == ".json":
        return _index(path)
    return _header(path)


def _header(path: Path) -> Shapes:
    place = Place(str(path))
    try:
        with path.open("rb") as file:
            start = file.read(8)
            length = int.from_bytes(start, "little")
            if len(start) < 8 or not 2 <= length <= min(MAX_HEADER, path.stat().st_size - 8):
                raise UnreadableConfig(
                    "is no safetensors file", place=place, remedy="name a .safetensors file or its index"
                )
            data = file.read(length)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableConfig(
            f"cannot be read: {reason}", place=place, remedy="check the path and its rights"
        ) from None
    try:
        header = json.loads(data)
    except (ValueError, RecursionError):
        raise UnreadableConfig("is no safetensors file: its header is no JSON", place=place) from None
    if not isinstance(header, dict):
        raise UnreadableConfig("is no safetensors file: its header is no object", place=place)
    return _shapes(header, place)


def _shapes(header: dict[str, Any], place: Place) -> Shapes:
    found: Shapes = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        shape = entry.get("shape") if isinstance(entry, dict) else None
        if not isinstance(shape, list) or not all(type(s) is int and s >= 0 for s in shape):
            raise UnreadableConfig(f"has no shape for the tensor {name!r:.80}", place=place)
        found[name] = tuple(shape)
    return found


def _index(path: Path) -> Shapes:
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableConfig(f"cannot be read: {reason}", place=Place(str(path)), remedy="check the path") from None
    index = parse(data, str(path))
    places = index.get("weight_map")
    if isinstance(places, dict):
        found: Shapes = dict.fromkeys(map(str, places))
        for name in sorted({f for f in places.values() if isinstance(f, str)}):
            shard = path.parent / Path(name).name
            if shard.is_file():
                found |= _header(shard)
        return found
    if all(isinstance(v, list) for v in index.values()):
        # a plain table of shapes, {"name": [rows, columns]}
        return {str(k): tuple(v) for k, v in index.items() if all(type(s) is int for s in v)}
    raise UnreadableConfig("has no weight_map", place=Place(str(path)), remedy="name model.safetensors.index.json")
