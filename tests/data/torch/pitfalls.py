"""Wrong programs that look right to who does not ask: none may be called proved."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


def item_(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return torch.zeros(int(x.sum().item()) * 0 + 2)


def tolist_(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return torch.zeros(len(x.tolist()) if len(x.tolist()) != 3 else 2)


def text_(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return torch.zeros(2 if str(x.shape) == "torch.Size([3, 3])" else x.shape[0])


def hash_(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return torch.zeros(x.shape[0] if hash(x.shape) != hash(torch.Size([3, 2])) else 1)


def size_eq(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return torch.zeros(x.shape[0] if x.shape != torch.Size([3, 2]) else 1)


def size_in(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return torch.zeros(1 if 7 in x.shape else x.shape[0])


def size_index(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return torch.zeros(x.shape[x.shape.index(x.shape[0])] + x.shape.count(5))


def branch(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    if (x > 0).all():
        return x.sum(0)
    return x.sum(1)


def branch2(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return x.sum(0) if torch.equal(x, x * 2) else x.sum(1)


def branch3(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return x.sum(0) if torch.allclose(x, x * 2) else x.sum(1)


def nonzero_(x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return x[x.sum(1) > 0].sum(1)


def unique_(x: Int[Tensor, "n"]) -> Int[Tensor, "n"]:
    return torch.unique(x)


def bincount_(x: Int[Tensor, "n"]) -> Int[Tensor, "n"]:
    return torch.bincount(x)


def expanded_write(x: Float[Tensor, "n"]) -> Float[Tensor, "n n"]:
    y = x.expand(x.shape[0], x.shape[0])
    y += 1
    return y


def overlap(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    x[1:] = x[:-1]
    return x


def zero_d_double(x: Float[Tensor, "n"]) -> Float[Tensor, "n"]:
    return x @ (torch.zeros(x.shape[0]) + torch.tensor(1.5, dtype=torch.float64))


def dbl(x: Float[Tensor, "n d"], w: Float[Tensor, "d e"]) -> Float[Tensor, "n e"]:
    return x @ (w + torch.tensor([1.0], dtype=torch.float64))


def squeeze_(x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
    return x.squeeze().unsqueeze(0)


def squeeze1(x: Float[Tensor, "b 1 d"]) -> Float[Tensor, "b d"]:
    return x.squeeze()


def one_b(x: Float[Tensor, "n d"], y: Float[Tensor, "m d"]) -> Float[Tensor, "n d"]:
    return x + y


def rand_branch(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if torch.rand(1) > 0.5 else x.T


def rand_branch2(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    import random
    return x if random.random() > 0.5 else x.T


def split_(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    a, b = x.split(x.shape[1] // 2, -1)
    return torch.cat([a, b], -1)


def view_T(x: Float[Tensor, "n d"]) -> Float[Tensor, "n*d"]:
    return x.T.view(-1)


def view_slice(x: Float[Tensor, "n d"]) -> Float[Tensor, "m"]:
    return x[:, 1:].view(-1)


def view_contig(x: Float[Tensor, "n d"]) -> Float[Tensor, "n*d"]:
    y = x.T if x.is_contiguous() else x
    return y.view(-1)


def aliasing(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    y = x.view(-1)
    y.resize_(3)
    return x


def set_data(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    x.data = x.data.T
    return x


def transpose_inplace(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    x.t_()
    return x


def unsq_inplace(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    x.unsqueeze_(0)
    return x


def try_(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    try:
        return x @ x
    except RuntimeError:
        return x.T


def try_item(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    try:
        return x if x.sum().item() > 0 else x.T
    except Exception:
        return x


def isinst(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if type(x) is not Tensor else x.T


def numel_(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if x.numel() < 1000 else x.T


def stride_(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if x.stride(0) < 100 else x.T


def storage_(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return x if x.untyped_storage().nbytes() < 100 else x.T


def maxv(x: Float[Tensor, "n d"], l: Int[Tensor, "n"]) -> Float[Tensor, "n d"]:
    return x[: l.max()]
