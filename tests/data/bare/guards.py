"""Guards that ask for two things at once, and one before an element type is known."""

import torch
from torch import Tensor, nn


def one_assert(x: Tensor, p: int, q: int):
    n, m = x.shape
    assert n == p and m == q
    return x.reshape(p, q)


def one_test(x: Tensor, p: int):
    n, m = x.shape
    if n % p or m % p:
        raise ValueError("p must divide")
    return x.reshape(n // p, p, m // p, p)


class GroupedKeys(nn.Module):
    def __init__(self, dim: int, h: int, g: int):
        super().__init__()
        assert dim % h == 0 and h % g == 0
        self.h, self.g = h, g
        self.w = nn.Linear(dim, dim // h * g)

    def forward(self, x: Tensor) -> Tensor:
        b, t, _ = x.shape
        k = self.w(x).view(b, t, self.g, -1)
        return k.repeat_interleave(self.h // self.g, dim=2).flatten(2)


class Skeleton(nn.Module):
    def __init__(self, n: int, v: int, d: int):
        super().__init__()
        self.n = n
        self.e = nn.Embedding(v, d)

    def forward(self, idx):
        b, t = idx.shape
        assert t <= self.n
        return self.e(idx)
