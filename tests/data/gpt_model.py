"""A small GPT as people write it today: RMSNorm, rotary positions, grouped queries, SwiGLU, a cache, tied weights."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor


class RMSNorm(nn.Module):
    def __init__(self, d_model: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Float[Tensor, "b n d_model"]) -> Float[Tensor, "b n d_model"]:
        variance = x.pow(2).mean(dim=-1, keepdim=True)
        return x * torch.rsqrt(variance + self.eps) * self.weight


def rotary_tables(
    positions: Int[Tensor, "n"], half: int, base: float = 10000.0
) -> tuple[Float[Tensor, "n half"], Float[Tensor, "n half"]]:
    frequencies = base ** (-torch.arange(half) / half)
    angles = positions[:, None] * frequencies[None, :]
    return torch.cos(angles), torch.sin(angles)


def apply_rotary(
    x: Float[Tensor, "b heads n 2*half"], cos: Float[Tensor, "n half"], sin: Float[Tensor, "n half"]
) -> Float[Tensor, "b heads n 2*half"]:
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


class Attention(nn.Module):
    def __init__(self, d_model: int, h: int, g: int, half: int):
        super().__init__()
        self.h, self.g, self.half = h, g, half
        d_k = 2 * half
        self.w_q = nn.Linear(d_model, h * d_k, bias=False)
        self.w_k = nn.Linear(d_model, g * d_k, bias=False)
        self.w_v = nn.Linear(d_model, g * d_k, bias=False)
        self.w_o = nn.Linear(h * d_k, d_model, bias=False)

    # verifier: given self.h % self.g == 0
    def forward(
        self,
        x: Float[Tensor, "b n d_model"],
        cos: Float[Tensor, "n {self.half}"],
        sin: Float[Tensor, "n {self.half}"],
    ) -> Float[Tensor, "b n d_model"]:
        b, n, _ = x.shape
        d_k = 2 * self.half
        q = self.w_q(x).view(b, n, self.h, d_k).transpose(1, 2)
        k = self.w_k(x).view(b, n, self.g, d_k).transpose(1, 2)
        v = self.w_v(x).view(b, n, self.g, d_k).transpose(1, 2)
        q, k = apply_rotary(q, cos, sin), apply_rotary(k, cos, sin)
        k = k.repeat_interleave(self.h // self.g, dim=1)
        v = v.repeat_interleave(self.h // self.g, dim=1)
        scores = q @ k.transpose(-2, -1) / d_k**0.5
        mask = torch.tril(torch.ones(n, n, dtype=torch.bool))
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        out = (weights @ v).transpose(1, 2).reshape(b, n, self.h * d_k)
        return self.w_o(out)

    # verifier: given self.h % self.g == 0
    def decode(
        self,
        x: Float[Tensor, "b 1 d_model"],
        cache_k: Float[Tensor, "b {self.g} t 2*{self.half}"],
        cache_v: Float[Tensor, "b {self.g} t 2*{self.half}"],
        cos: Float[Tensor, "1 {self.half}"],
        sin: Float[Tensor, "1 {self.half}"],
    ) -> tuple[
        Float[Tensor, "b 1 d_model"],
        Float[Tensor, "b {self.g} t+1 2*{self.half}"],
        Float[Tensor, "b {self.g} t+1 2*{self.half}"],
    ]:
        b, d_k = x.shape[0], 2 * self.half
        q = apply_rotary(self.w_q(x).view(b, 1, self.h, d_k).transpose(1, 2), cos, sin)
        k = apply_rotary(self.w_k(x).view(b, 1, self.g, d_k).transpose(1, 2), cos, sin)
        v = self.w_v(x).view(b, 1, self.g, d_k).transpose(1, 2)
        k, v = torch.cat([cache_k, k], dim=2), torch.cat([cache_v, v], dim=2)
        q = q.view(b, self.g, self.h // self.g, d_k)
        weights = F.softmax(q @ k.transpose(-2, -1) / d_k**0.5, dim=-1)
        out = (weights @ v).reshape(b, 1, self.h * d_k)
        return self.w_o(out), k, v


class SwiGLU(nn.Module):
    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias=False)
        self.up = nn.Linear(d_model, d_ff, bias=False)
        self.down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x: Float[Tensor, "b n d_model"]) -> Float[Tensor, "b n d_model"]:
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    def __init__(self, d_model: int, h: int, g: int, half: int, d_ff: int):
        super().__init__()
        self.norm1, self.norm2 = RMSNorm(d_model), RMSNorm(d_model)
        self.attention = Attention(d_model, h, g, half)
        self.mlp = SwiGLU(d_model, d_ff)

    # verifier: given self.h % self.g == 0
    def forward(
        self,
        x: Float[Tensor, "b n d_model"],
        cos: Float[Tensor, "n {self.attention.half}"],
        sin: Float[Tensor, "n {self.attention.half}"],
    ) -> Float[Tensor, "b n d_model"]:
        x = x + self.attention(self.norm1(x), cos, sin)
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self, vocab: int, d_model: int, h: int, g: int, half: int, d_ff: int, layers: int):
        super().__init__()
        self.half = half
        self.embedding = nn.Embedding(vocab, d_model)
        self.blocks = nn.ModuleList([Block(d_model, h, g, half, d_ff) for _ in range(layers)])
        self.norm = RMSNorm(d_model)
        self.head = nn.Linear(d_model, vocab, bias=False)
        self.head.weight = self.embedding.weight

    # verifier: given self.h % self.g == 0
    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n {self.embedding.num_embeddings}"]:
        cos, sin = rotary_tables(torch.arange(tokens.shape[1]), self.half)
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x, cos, sin)
        return self.head(self.norm(x))

    # verifier: given self.h % self.g == 0
    def loss(self, tokens: Int[Tensor, "b n"], targets: Int[Tensor, "b n"]) -> Float[Tensor, ""]:
        logits = self(tokens)
        return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))
