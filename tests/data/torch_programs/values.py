"""Layouts in PyTorch: each `bad_...` has right shapes and wrong values, what has no such name is right."""

import torch
import torch.nn.functional as F
from einops import rearrange
from jaxtyping import Float

T = torch.Tensor


def patches(x: Float[T, "b c h w"], p: int) -> Float[T, "b _ _"]:
    # verifier: given h % p == 0
    # verifier: given w % p == 0
    b, c, h, w = x.shape
    x = x.reshape(b, c, h // p, p, w // p, p).permute(0, 2, 4, 1, 3, 5)
    return x.reshape(b, (h // p) * (w // p), -1)


def bad_patches(x: Float[T, "b c h w"], p: int) -> Float[T, "b _ _"]:
    # verifier: given h % p == 0
    # verifier: given w % p == 0
    b, c, h, w = x.shape
    x = x.reshape(b, c, h // p, p, w // p, p)
    return x.reshape(b, (h // p) * (w // p), -1)  # wrong


def patches_by_einops(x: Float[T, "b c gh*p gw*p"], gh: int, gw: int) -> Float[T, "b {gh}*{gw} p*p*c"]:
    return rearrange(x, "b c (gh p) (gw q) -> b (gh gw) (p q c)", gh=gh, gw=gw)


def bad_patches_by_einops(x: Float[T, "b c p*gh p*gw"], gh: int, gw: int) -> Float[T, "b {gh}*{gw} p*p*c"]:
    return rearrange(x, "b c (gh p) (gw q) -> b (gh gw) (p q c)", gh=gh, gw=gw)  # wrong


def windows_put_back(x: Float[T, "b*gh*gw s s c"], gh: int, gw: int) -> Float[T, "b {gh}*s {gw}*s c"]:
    s, c = x.shape[-2:]
    return x.view(-1, gh, gw, s, s, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, gh * s, gw * s, c)


def bad_windows_put_back(x: Float[T, "b*gh*gw s s c"], gh: int, gw: int) -> Float[T, "b {gh}*s {gw}*s c"]:
    s, c = x.shape[-2:]
    return x.view(-1, gh, gw, s, s, c).reshape(-1, gh * s, gw * s, c)  # wrong


def grouped(q: Float[T, "b g*r n d"], k: Float[T, "b g m d"], v: Float[T, "b g m d"]) -> Float[T, "b g*r n d"]:
    r = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(r, dim=1), v.repeat_interleave(r, dim=1)
    return F.scaled_dot_product_attention(q, k, v)


def bad_grouped(q: Float[T, "b g*r n d"], k: Float[T, "b g m d"], v: Float[T, "b g m d"]) -> Float[T, "b g*r n d"]:
    r = q.shape[1] // k.shape[1]
    k, v = k.repeat(1, r, 1, 1), v.repeat(1, r, 1, 1)
    return F.scaled_dot_product_attention(q, k, v)  # wrong


def packed(x: Float[T, "n d"], W: Float[T, "d h*3*k"], h: int) -> Float[T, "{h} n n"]:
    q, k, _ = (x @ W).view(x.shape[0], h, 3, -1).unbind(2)
    return torch.einsum("nhk,mhk->hnm", q, k).softmax(-1)


def bad_packed(x: Float[T, "n d"], W: Float[T, "d h*3*k"], h: int) -> Float[T, "{h} n n"]:
    q, k, _ = (x @ W).view(x.shape[0], 3, h, -1).unbind(1)  # wrong
    return torch.einsum("nhk,mhk->hnm", q, k).softmax(-1)


def bad_packed_chunks(x: Float[T, "n d"], W: Float[T, "d h*3*k"], h: int) -> Float[T, "{h} n n"]:
    q, k, _ = (x @ W).chunk(3, dim=-1)  # wrong
    q, k = (a.reshape(x.shape[0], h, -1) for a in (q, k))
    return torch.einsum("nhk,mhk->hnm", q, k).softmax(-1)


def split(x: Float[T, "n d"], W: Float[T, "d 3*k"]) -> Float[T, "n k"]:
    q, k, v = (x @ W).chunk(3, dim=-1)
    return (q @ k.T).softmax(-1) @ v


def bad_split(x: Float[T, "n d"], W: Float[T, "d 3*k"]) -> Float[T, "_ 3*k"]:
    # verifier: given n % 3 == 0
    q, k, v = torch.tensor_split(x @ W, 3, dim=0)  # wrong
    return (q @ k.T).softmax(-1) @ v


def standardised(x: Float[T, "b n d"]) -> Float[T, "b n d"]:
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6)


def bad_standardised(x: Float[T, "b n d"]) -> Float[T, "b n d"]:
    return (x - x.mean(-1, keepdim=True)) / (x.std(1, keepdim=True) + 1e-6)  # wrong


def stable(x: Float[T, "b n m"]) -> Float[T, "b n m"]:
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def bad_stable(x: Float[T, "b n m"]) -> Float[T, "b n m"]:
    e = torch.exp(x - x.amax(1, keepdim=True))  # wrong
    return e / e.sum(-1, keepdim=True)


def spatial_and_temporal(x: Float[T, "b n d"], space: Float[T, "s d"], time: Float[T, "t d"]) -> Float[T, "b n d"]:
    # verifier: given n == t * s
    return x + space.repeat(time.shape[0], 1) + time.repeat_interleave(space.shape[0], dim=0)


def relative_shift(x: Float[T, "b h n m"]) -> Float[T, "b h n m"]:
    b, h, n, m = x.shape
    return F.pad(x, (1, 0)).view(b, h, m + 1, n)[:, :, 1:].reshape(b, h, n, m)
