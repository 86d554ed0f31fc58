"""Right programs of in-place operators and of sizes that values decide."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

def idiv(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    y = x @ torch.zeros(x.shape[1], x.shape[1])
    y /= x.shape[1] ** 0.5
    y //= 2
    y **= 2
    y %= 3
    return y

def t_(x: Float[Tensor, "n d"]) -> Float[Tensor, "d n"]:
    x.t_()
    return x

def uniq(x: Int[Tensor, "n"]) -> Int[Tensor, "m"]:
    return torch.unique(x)

def uniq2(x: Int[Tensor, "n"]) -> Int[Tensor, "n"]:
    u, inv = torch.unique(x, return_inverse=True)
    return inv

def uniqc(x: Int[Tensor, "n"]) -> Int[Tensor, "n"]:
    u, c = x.unique_consecutive(return_counts=True)
    return torch.repeat_interleave(u, c, output_size=x.shape[0])
