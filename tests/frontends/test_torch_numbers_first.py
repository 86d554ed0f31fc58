"""PyTorch's functions that also take a number first, shapes made of sizes, and the text of a tensor."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

import torch

from verifier.dims import Scope, symbol
from verifier.errors import Unsupported
from verifier.frontends.explorer import explore
from verifier.frontends.front_end import front_end_of
from verifier.frontends.torch.session import NUMBER_FIRST


def run(call: object, element: str = "float32") -> object:
    def inside() -> object:
        x = front_end_of(torch.Tensor).symbolic("x", (symbol("n"), 3), element)
        return call(x)  # type: ignore[operator]

    path = explore(inside, Scope.of("n"))[0]
    if path.error is not None:
        raise path.error
    return path.value


@pytest.mark.parametrize("name", [n for n in NUMBER_FIRST if n not in ("where", "bucketize", "isin", "result_type")])
def test_a_stand_in_with_a_number_does_not_end_the_process(name: str) -> None:
    function = getattr(torch, name)
    element = "int64" if name.startswith("bitwise") or name == "ldexp" else "float32"
    try:
        value = run(lambda x: getattr(torch, name)(x, 2), element)
    except Unsupported:
        return
    real = function(torch.ones(5, 3, dtype=getattr(torch, element)), 2)
    assert (value.shape[1], value.dtype) == (3, real.dtype)  # type: ignore[attr-defined]


def test_a_shape_is_made_of_sizes() -> None:
    assert run(lambda x: torch.Size([x.shape[0], 2])) == (symbol("n"), 2)
    lead = run(lambda x: torch.broadcast_shapes(x.shape[:-2], torch.Size()).__add__((x.shape[0],)))
    assert lead == (symbol("n"),)
    assert run(lambda x: isinstance(torch.Size([1]), torch.Size) and isinstance(x.shape, torch.Size))
    assert torch.Size([1]).numel() == 1
