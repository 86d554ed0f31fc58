"""Sizes at which PyTorch begins to fail, or just does not: short axes, rows that do not pair, axes of nothing."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


def searched_without_axes(s: Float[Tensor, ""], v: Float[Tensor, ""]) -> Int[Tensor, ""]:
    return torch.searchsorted(s, v)


def searched_value(s: Float[Tensor, "n"], v: Float[Tensor, ""]) -> Int[Tensor, ""]:
    return torch.searchsorted(s, v)


def searched_in_rows(s: Float[Tensor, "1 n"], v: Float[Tensor, "m"]) -> Int[Tensor, "m"]:
    return torch.searchsorted(s, v)


def searched_in_other_rows(s: Float[Tensor, "b n"], v: Float[Tensor, "c m"]) -> Int[Tensor, "c m"]:
    return torch.searchsorted(s, v)


def searched_in_its_rows(s: Float[Tensor, "b n"], v: Float[Tensor, "b m"]) -> Int[Tensor, "b m"]:
    return torch.searchsorted(s, v)


def bucketized(v: Float[Tensor, "b n"], limits: Float[Tensor, "m"]) -> Int[Tensor, "b n"]:
    return torch.bucketize(v, limits)


def bucketized_by_rows(v: Float[Tensor, "b n"], limits: Float[Tensor, "1 m"]) -> Int[Tensor, "b n"]:
    return torch.bucketize(v, limits)


def reflected(x: Float[Tensor, "b c n"]) -> Float[Tensor, "b c n+2"]:
    return F.pad(x, (1, 1), mode="reflect")


def circular(x: Float[Tensor, "b c n"]) -> Float[Tensor, "b c n+4"]:
    return F.pad(x, (2, 2), mode="circular")


def once_around(x: Float[Tensor, "b c n"]) -> Float[Tensor, "b c 2*n"]:
    return F.pad(x, (x.shape[-1], 0), mode="circular")


def replicated(x: Float[Tensor, "b c n"]) -> Float[Tensor, "b c n+4"]:
    return F.pad(x, (2, 2), mode="replicate")


class Circular(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.c = nn.Conv1d(d, d, 5, padding=2, padding_mode="circular")

    def forward(self, x: Float[Tensor, "b d n"]) -> Float[Tensor, "b d n"]:
        return self.c(x)


class Reflecting(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.c = nn.Conv2d(d, d, 5, padding=2, padding_mode="reflect")

    def forward(self, x: Float[Tensor, "b d h w"]) -> Float[Tensor, "b d h w"]:
        return self.c(x)


def scattered(x: Float[Tensor, "n d"], s: Float[Tensor, "m"]) -> Float[Tensor, "n d"]:
    return x.masked_scatter(x < 0, s)


def scattered_from_enough(x: Float[Tensor, "n d"], s: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x.masked_scatter(x < 0, s)


def scattered_rows(
    x: Float[Tensor, "b n d"], mask: Bool[Tensor, "b n"], s: Float[Tensor, "k d"]
) -> Float[Tensor, "b n d"]:
    return x.masked_scatter(mask.unsqueeze(-1).expand_as(x), s)


def softmax_of_the_rest(x: Float[Tensor, "b n"]) -> Float[Tensor, "b n-1"]:
    return x[:, 1:].softmax(-1)


def log_softmax_of_nothing(x: Float[Tensor, "b n"]) -> Float[Tensor, "b 0"]:
    return F.log_softmax(x[:, :0], -1)


def logsumexp_of_the_rest(x: Float[Tensor, "b n"]) -> Float[Tensor, "b"]:
    return torch.logsumexp(x[:, 1:], -1)


def classes_of_the_rest(x: Float[Tensor, "b n"], t: Int[Tensor, "b"]) -> Float[Tensor, ""]:
    return F.cross_entropy(x[:, 1:], t)


def halves(x: Float[Tensor, "b d"]) -> Float[Tensor, "b d//2"]:
    return x.split(x.shape[-1] // 2, -1)[0]


def two_and_the_rest(x: Float[Tensor, "b d"]) -> Float[Tensor, "b 2"]:
    return x.split([2, x.shape[-1] - 2], -1)[0]
