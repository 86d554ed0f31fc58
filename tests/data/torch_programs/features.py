"""What PyTorch has besides layers and products, right and wrong."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Complex, Float, Int
from torch import Tensor, nn
from einops.layers.torch import Rearrange
from torch.utils.checkpoint import checkpoint


def vmapped(q: Float[Tensor, "h n d"], k: Float[Tensor, "h m d"]) -> Float[Tensor, "h n m"]:
    return torch.vmap(lambda s, t: s @ t.T)(q, k)


def bad_vmapped(q: Float[Tensor, "h n d"], k: Float[Tensor, "h m d"]) -> Float[Tensor, "h n m"]:
    return torch.vmap(lambda s, t: s @ t)(q, k)  # wrong


def bad_vmapped_dropout(x: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
    return torch.vmap(lambda row: F.dropout(row, 0.1))(x)  # wrong


def vmapped_twice(x: Float[Tensor, "a b d"], w: Float[Tensor, "d e"]) -> Float[Tensor, "b a e"]:
    return torch.vmap(torch.vmap(lambda row: row @ w, in_dims=0), in_dims=1)(x)


def per_sample(w: Float[Tensor, "d"], x: Float[Tensor, "n d"], y: Float[Tensor, "n"]) -> Float[Tensor, "n d"]:
    loss = lambda p, a, b: (a @ p - b) ** 2  # noqa: E731
    return torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))(w, x, y)


def bad_loss(w: Float[Tensor, "d"], x: Float[Tensor, "n d"]) -> Float[Tensor, "d"]:
    return torch.func.grad(lambda p: x @ p)(w)  # wrong


def grads(w: Float[Tensor, "d"], x: Float[Tensor, "n d"]) -> Float[Tensor, "d"]:
    return torch.func.grad(lambda p: ((x @ p) ** 2).sum())(w)


def bad_grads(w: Float[Tensor, "d"], x: Float[Tensor, "n d"]) -> Float[Tensor, "n"]:
    return torch.func.grad(lambda p: ((x @ p) ** 2).sum())(w)  # wrong


def jac(w: Float[Tensor, "d"], x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    return torch.func.jacrev(lambda p: x @ p)(w)


@torch.compile
def compiled(x: Float[Tensor, "n d"]) -> Float[Tensor, "n n"]:
    return x @ x.T


@torch.no_grad()
def nograd(x: Float[Tensor, "n d"]) -> Float[Tensor, "n n"]:
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        y = x @ x.T
    return y.float()


class Cache(nn.Module):
    def __init__(self, heads: int, length: int, width: int):
        super().__init__()
        self.heads, self.length, self.width = heads, length, width
        self.register_buffer("k", torch.zeros(1, heads, length, width))
        self.register_buffer("v", torch.zeros(1, heads, length, width), persistent=False)

    def forward(
        self, k: Float[Tensor, "1 {self.heads} t {self.width}"], v: Float[Tensor, "1 {self.heads} t {self.width}"]
    ) -> Float[Tensor, "1 {self.heads} {self.length} {self.width}"]:
        t = k.shape[2]
        assert t <= self.k.shape[2]
        self.k[:, :, :t] = k
        self.v[:, :, :t].copy_(v)
        return self.k + self.v


class Cache2(nn.Module):
    def __init__(self, heads: int, length: int, width: int):
        super().__init__()
        self.heads, self.length, self.width = heads, length, width
        self.register_buffer("k", torch.zeros(1, heads, length, width))

    def forward(
        self, k: Float[Tensor, "1 {self.heads} t {self.width}"], pos: Int[Tensor, "t"]
    ) -> Float[Tensor, "1 {self.heads} {self.length} {self.width}"]:
        self.k.index_copy_(2, pos, k)
        self.k[:, :, pos] = k
        return self.k


class BadCache2(nn.Module):
    def __init__(self, heads: int, length: int, width: int):
        super().__init__()
        self.heads, self.length, self.width = heads, length, width
        self.register_buffer("k", torch.zeros(1, heads, length, width))

    def forward(
        self, k: Float[Tensor, "1 {self.heads} t {self.width}"], pos: Int[Tensor, "t"]
    ) -> Float[Tensor, "1 {self.heads} {self.length} {self.width}"]:
        self.k[:, pos] = k  # wrong
        return self.k


class Stack(nn.Module):
    def __init__(self, d: int, layers: int):
        super().__init__()
        self.blocks = nn.ModuleList(
            [nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d)) for _ in range(layers)]
        )
        self.norm = nn.LayerNorm(d)

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        for block in self.blocks:
            x = x + checkpoint(block, x, use_reentrant=False)
        return self.norm(x)


class BadStack(nn.Module):
    def __init__(self, d: int, layers: int):
        super().__init__()
        self.blocks = nn.ModuleList(
            [nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(d, d)) for _ in range(layers)]
        )

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        for block in self.blocks:
            x = x + block(x)  # wrong
        return x


class Tied(nn.Module):
    def __init__(self, vocab: int, d: int):
        super().__init__()
        self.embed = nn.Embedding(vocab, d)
        self.head = nn.Linear(d, vocab, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids: Int[Tensor, "b n"]) -> Float[Tensor, "b n vocab"]:
        return self.head(self.embed(ids))


class BadTied(nn.Module):
    def __init__(self, vocab: int, d: int):
        super().__init__()
        self.embed = nn.Embedding(vocab, d)
        self.head = nn.Linear(vocab, d, bias=False)
        self.head.weight = nn.Parameter(self.embed.weight.t())

    def forward(self, ids: Int[Tensor, "b n"]) -> Float[Tensor, "b n vocab"]:
        return self.head(self.embed(ids))  # wrong


class Positions(nn.Module):
    def __init__(self, block: int, d: int):
        super().__init__()
        self.pos = nn.Parameter(torch.randn(1, block, d) * 0.02)

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        return x + self.pos[:, : x.size(1)]


def bad_view(x: Float[Tensor, "b n d"]) -> Float[Tensor, "b m"]:
    return x.transpose(1, 2).view(x.shape[0], -1)  # wrong


def splits(x: Float[Tensor, "b n d"], W: Float[Tensor, "d e"]) -> Float[Tensor, "b n e"]:
    d = x.shape[-1]
    a, b = torch.split(x, [d // 2, d - d // 2], dim=-1)
    return torch.cat([b, a], -1) @ W


def flat(x: Float[Tensor, "b n d"], h: int) -> Float[Tensor, "b n d"]:
    assert x.shape[-1] % h == 0
    return x.unflatten(-1, (h, -1)).transpose(1, 2).transpose(1, 2).flatten(2)


def masks(x: Float[Tensor, "b n n"]) -> Float[Tensor, "b n n"]:
    x = x.clone()
    x.masked_fill_(torch.ones_like(x, dtype=torch.bool).triu_(1), torch.finfo(x.dtype).min)
    return x


class Encoder(nn.Module):
    def __init__(self, d: int, heads: int, ff: int):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(d, heads, ff, batch_first=True)

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        return self.layer(x)


def rotary(x: Float[Tensor, "b n h d"]) -> Float[Tensor, "b n h d"]:
    b, n, h, d = x.shape
    freqs = 1.0 / (10000.0 ** (torch.arange(0, d, 2)[: d // 2].float() / d))
    angles = torch.outer(torch.arange(n, dtype=torch.float32), freqs)
    cis = torch.polar(torch.ones_like(angles), angles)
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(z * cis[None, :, None]).flatten(3).type_as(x)


def bad_rotary(x: Float[Tensor, "b n h d"]) -> Float[Tensor, "b n h d"]:
    b, n, h, d = x.shape
    assert d % 2 == 0
    freqs = 1.0 / (10000.0 ** (torch.arange(0, d, 2).float() / d))
    cis = torch.polar(torch.ones(n, d // 2), torch.outer(torch.arange(n).float(), freqs))
    z = torch.view_as_complex(x.reshape(b, n, h, -1, 2))
    return torch.view_as_real(z * cis).flatten(3)  # wrong


class Heads(nn.Module):
    def __init__(self, d: int, heads: int):
        super().__init__()
        assert d % heads == 0
        self.d, self.heads = d, heads
        self.split = Rearrange("b n (h d) -> b h n d", h=heads)

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b {self.heads} n {self.d//self.heads}"]:
        return self.split(x)


class MoE(nn.Module):
    def __init__(self, d: int, experts: int, f: int):
        super().__init__()
        assert experts >= 2
        self.gate = nn.Linear(d, experts, bias=False)
        self.up = nn.Parameter(torch.randn(experts, d, f))
        self.down = nn.Parameter(torch.randn(experts, f, d))

    def forward(self, x: Float[Tensor, "t d"]) -> Float[Tensor, "t d"]:
        weights = self.gate(x).softmax(-1)
        top, idx = torch.topk(weights, 2, dim=-1)
        top = top / top.sum(-1, keepdim=True)
        mask = torch.zeros_like(weights).scatter_(1, idx, top)
        hidden = F.silu(torch.einsum("td,edf->tef", x, self.up))
        return torch.einsum("tef,efd,te->td", hidden, self.down, mask)


class BadMoE(nn.Module):
    def __init__(self, d: int, experts: int, f: int):
        super().__init__()
        assert experts >= 2
        self.gate = nn.Linear(d, experts, bias=False)
        self.up = nn.Parameter(torch.randn(experts, d, f))

    def forward(self, x: Float[Tensor, "t d"]) -> Float[Tensor, "t f"]:
        weights = self.gate(x).softmax(-1)
        top, idx = torch.topk(weights, 2, dim=-1)
        chosen = torch.einsum("td,tkdf->tkf", x, self.up[idx])
        return (chosen * top).sum(1)  # wrong


class Patch(nn.Module):
    def __init__(self, p: int, c: int, d: int):
        super().__init__()
        self.proj = nn.Conv2d(c, d, kernel_size=p, stride=p)

    def forward(self, x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b n d"]:
        return self.proj(x).flatten(2).transpose(1, 2)


class Conv(nn.Module):
    def __init__(self, d: int, k: int):
        super().__init__()
        self.conv = nn.Conv1d(d, d, 3, padding=1, groups=d)

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        return self.conv(x.transpose(1, 2)).transpose(1, 2)


class BadConv(nn.Module):
    def __init__(self, d: int, k: int):
        super().__init__()
        self.conv = nn.Conv1d(d, d, 3, padding=2)

    def forward(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        return self.conv(x.transpose(1, 2)).transpose(1, 2)  # wrong


def up(x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b c 2*h 2*w"]:
    return F.interpolate(x, scale_factor=2, mode="nearest")


def shuffle(x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b c//4 2*h 2*w"]:
    assert x.shape[1] % 4 == 0
    return F.pixel_shuffle(x, 2)


def patches(x: Float[Tensor, "b c h w"]) -> Float[Tensor, "b 9*c h*w"]:
    return F.unfold(x, 3, padding=1)


def functional(x: Float[Tensor, "n d"], w: Float[Tensor, "e d"]) -> Float[Tensor, "n e"]:
    layer = nn.Linear(x.shape[1], w.shape[0], bias=False)
    return torch.func.functional_call(layer, {"weight": w}, (x,))
