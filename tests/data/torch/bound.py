"""PyTorch's functions under names that were bound when the file was imported."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, einsum, full, nn, ones, softmax, tensor, tril, where, zeros
from torch.nn.init import xavier_uniform_
from torch.utils.checkpoint import checkpoint

soft = torch.softmax
make = torch.zeros
choose = torch.where
CACHE = {"zeros": torch.zeros, "where": torch.where}
OPS = [torch.arange]


class Ops:
    where = staticmethod(torch.where)
    make = torch.ones


def masked(x: Float[Tensor, "n d"], m: Bool[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return where(m, x, 0.0)


def causal(x: Float[Tensor, "n d"]) -> Float[Tensor, "n n"]:
    n = x.shape[0]
    mask = tril(ones(n, n)) == 0
    return softmax(einsum("id,jd->ij", x, x).masked_fill(mask, float("-inf")), dim=-1)


def aliases(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return soft(x, -1) + make(x.shape[0], x.shape[1]) + choose(x > 0, x, 1.0)


def in_a_dict(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return CACHE["where"](x > 0, x, 0.0) + CACHE["zeros"](*x.shape)


def in_a_list(x: Float[Tensor, "n d"]) -> Int[Tensor, "n"]:
    return OPS[0](x.shape[0])


def as_defaults(x: Float[Tensor, "n d"], make=torch.zeros, pick=torch.where) -> Float[Tensor, "n d"]:
    return pick(x > 0, x, 0.0) + make(x.shape)


def in_a_class(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return Ops.where(x > 0, x, 0.0) + Ops.make(x.shape)


def checkpointed(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return checkpoint(lambda t: t * 2, x, use_reentrant=False)


class M(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.w = nn.Parameter(zeros(d, d))
        xavier_uniform_(self.w)
        self.act = torch.where

    def forward(self, x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
        return self.act(x > 0, x @ self.w, 0.0)


def full_of_ones(q: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return full((q.shape[0], q.shape[1]), 1.0) * tensor([1.0])


def bad_zeros(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x + zeros(x.shape[1], x.shape[0])
